package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Between entries as callers know them and records: the sort key is the encoded key, the value the
 * encoded value with its tag.
 */
class EntryCodec<K, V> {
  private final StructureSpace space;
  private final Class<? super K> keyClass;
  private final Class<? super V> valueClass;
  private final Codec<K> keys;
  private final Codec<V> values;

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

  /** For elements with scores, which are not encoded by a codec. */
  static <E> EntryCodec<E, Double> ofScores(
      StructureSpace space, TypeRef<E> type, Codec<E> elements) {
    TypeRef<Double> scores = TypeRef.of(Double.class);
    return new EntryCodec<>(space, type, elements, scores, Codecs.defaults().codecFor(scores));
  }

  /** The same codec. */
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
    return keys.encode(Objects.requireNonNull(key, "key"));
  }

  /** The bytes of what may be a key, or null if it is of another type. */
  @SuppressWarnings("unchecked") // what the class does not tell, the codec does
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

  /** Whether something is of the class of keys. */
  final boolean isOfKeyClass(Object key) {
    return keyClass.isInstance(Objects.requireNonNull(key, "key"));
  }

  byte[] value(V value) {
    return values.encode(Objects.requireNonNull(value, "value"));
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
      throw space.undecodable(key, e);
    }
  }

  V decodeValue(RowRecord record) {
    return decodeValue(record.sortKey(), record.value(), 0, record.value().length);
  }

  @Nullable V decodedOrNull(@Nullable RowRecord record) {
    return record == null ? null : decodeValue(record);
  }

  /**
   * Whether a record's value equals {@code value}. Not by its bytes: those of an equal value may be
   * others, where its class has changed or an instance keeps what it was asked for.
   *
   * @throws UndecodableValueException if the record's value cannot be decoded
   */
  boolean hasValue(RowRecord record, Object value) {
    return valueClass.isInstance(value) && Objects.deepEquals(decodeValue(record), value);
  }

  /**
   * A value, or 0 for none, plus {@code by}.
   *
   * @throws UnsupportedOperationException if values are no integers
   * @throws ArithmeticException if the sum is too large for them
   */
  @SuppressWarnings("unchecked") // the class is looked at
  V sum(@Nullable V value, long by) {
    if (valueClass == Long.class) {
      return (V) (Long) Math.addExact(value == null ? 0 : (Long) value, by);
    }
    if (valueClass == Integer.class) {
      return (V) (Integer) Math.toIntExact(Math.addExact(value == null ? 0 : (Integer) value, by));
    }
    throw new UnsupportedOperationException(
        space
            + " holds values of "
            + valueClass.getName()
            + ", which cannot be incremented; use merge, or values of Long or Integer.");
  }
}
