package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Converts between entries and records. The sort key is the encoded key; the value is the encoded
 * value with its tag.
 */
class EntryCodec<K, V> {
  /** Codecs that encode a part of a key as a part of its bytes. */
  private static final Set<String> IDS_WITH_PARTS = Set.of("string", "bytes");

  /** Codecs of values that call no code of users, beside those with a prefix. */
  private static final Set<String> IDS_OF_LIBRARY = Set.of("string", "bytes", "decimal", "enum");

  private final StructureSpace space;
  private final Class<? super K> keyClass;
  private final Class<? super V> valueClass;
  private final Codec<K> keys;
  private final Codec<V> values;

  /**
   * Not known before it is asked for: a codec of the user's answers, which must not be in a lock.
   */
  private @Nullable Boolean byLibrary;

  EntryCodec(
      StructureSpace space,
      TypeRef<K> keyType,
      Codec<K> keys,
      TypeRef<V> valueType,
      Codec<V> values) {
    this.space = space;
    this.keyClass = keyType.rawType();
    this.valueClass = valueType.rawType();
    this.keys = keys;
    this.values = values;
  }

  /** A codec for elements with scores. Its value codec is not used. */
  static <E> EntryCodec<E, Double> ofScores(
      StructureSpace space, TypeRef<E> type, Codec<E> elements) {
    TypeRef<Double> scores = TypeRef.of(Double.class);
    return new EntryCodec<>(space, type, elements, scores, Codecs.defaults().codecFor(scores));
  }

  /** A copy of a codec. */
  EntryCodec(EntryCodec<K, V> other) {
    this.space = other.space;
    this.keyClass = other.keyClass;
    this.valueClass = other.valueClass;
    this.keys = other.keys;
    this.values = other.values;
  }

  StructureSpace space() {
    return space;
  }

  byte[] key(K key) {
    return space.encode(keys, Objects.requireNonNull(key, "key"));
  }

  /**
   * The bytes of a prefix, suffix or other part of keys.
   *
   * @throws UnsupportedOperationException if the encoding of the keys does not support it
   */
  byte[] partOfKey(K part) {
    if (!hasParts(keys)) {
      throw new UnsupportedOperationException(
          space + " has keys that are neither strings nor byte arrays; give a range's two ends.");
    }
    return space.encode(keys, Objects.requireNonNull(part, "part"));
  }

  /** Whether a codec encodes a part of a key as a part of its bytes. */
  static boolean hasParts(Codec<?> codec) {
    return IDS_WITH_PARTS.contains(codec.id());
  }

  /** The bytes of a key, or null if the object is of another type. */
  @SuppressWarnings("unchecked") // if the class is not precise enough, the codec throws
  byte @Nullable [] keyOrNull(Object key) {
    if (!isOfKeyClass(key)) {
      return null;
    }
    try {
      return keys.encode((K) key);
    } catch (ClassCastException | UnencodableValueException e) {
      return null;
    }
  }

  /**
   * Whether a key is in none of {@code keys}: neither as they say, nor by its bytes, which a
   * structure compares.
   */
  Predicate<K> isOutside(Collection<?> keys) {
    Set<ByteBuffer> bytes = new HashSet<>();
    for (Object key : keys) {
      byte[] encoded = key == null ? null : keyOrNull(key);
      if (encoded != null) {
        bytes.add(ByteBuffer.wrap(encoded));
      }
    }
    return key -> !bytes.contains(ByteBuffer.wrap(key(key))) && !keys.contains(key);
  }

  /** Whether an object has the class of the keys. */
  final boolean isOfKeyClass(Object key) {
    return keyClass.isInstance(Objects.requireNonNull(key, "key"));
  }

  byte[] value(V value) {
    return space.encode(values, Objects.requireNonNull(value, "value"));
  }

  K decodeKey(byte[] key) {
    try {
      return keys.decode(key, 0, key.length);
    } catch (UndecodableValueException e) {
      throw space.undecodable(key, e);
    }
  }

  V decodeValue(byte[] key, byte[] bytes, int offset, int length) {
    try {
      return values.decode(bytes, offset, length);
    } catch (UndecodableValueException e) {
      throw space.undecodableValue(key, e);
    }
  }

  V decodeValue(RowRecord record) {
    return decodeValue(record.sortKey(), record.value(), 0, record.value().length);
  }

  @Nullable V decodedOrNull(@Nullable RowRecord record) {
    return record == null ? null : decodeValue(record);
  }

  /**
   * Whether a record's value equals {@code value}. It does not compare bytes: an equal value can
   * have other bytes if its class has changed, or if the instance caches results in its fields.
   *
   * @throws UndecodableValueException if the record's value cannot be decoded
   */
  boolean hasValue(RowRecord record, Object value) {
    return valueClass.isInstance(value) && Objects.deepEquals(decodeValue(record), value);
  }

  /** Whether values are decoded by code of the library and the JDK alone. */
  boolean decodesByLibrary() {
    Boolean known = byLibrary;
    if (known == null) {
      String id = values.id();
      known = IDS_OF_LIBRARY.contains(id) || id.startsWith("ordered:") || id.startsWith("text:");
      byLibrary = known;
    }
    return known;
  }

  /** Whether values can be incremented inside a row transaction. */
  boolean hasPlainNumbers() {
    return decodesByLibrary() && Addition.isPlain(valueClass);
  }

  /** The sum of a value and {@code by}; see {@link Addition#to}. */
  V sum(@Nullable V value, Addition by) {
    return by.to(value, valueClass, space);
  }
}
