package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values declared as {@code Object} or a similarly general type. Each value is written with the
 * codec of its own class, or with the fallback, after that codec's {@link ValueTag}. So {@link
 * TaggedCodec} does not add a tag.
 */
final class AnyCodec<T> implements Codec<T> {
  private final TypeRef<T> type;
  private final Map<Class<?>, TaggedCodec<?>> byClass = new HashMap<>();
  private final Map<Byte, Codec<?>> byTag = new HashMap<>();
  private final TaggedCodec<T> fallback;
  private final GrownClasses misses;

  /**
   * @param fallback for what has no codec of its own
   * @param misses logs what cannot be decoded, if that is a miss of a cache
   */
  AnyCodec(TypeRef<T> type, Codec<T> fallback, GrownClasses misses) {
    this.type = type;
    this.misses = misses;
    BuiltInCodecs.forEachValueCodec(this::add);
    byte tag = ValueTag.of(fallback.id());
    this.fallback = new TaggedCodec<>(fallback, tag, misses);
    byTag.put(tag, this.fallback);
  }

  private void add(Class<?> of, Codec<?> codec) {
    byte tag = ValueTag.of(codec.id());
    TaggedCodec<?> tagged = new TaggedCodec<>(codec, tag, misses);
    byClass.put(of, tagged);
    byTag.put(tag, tagged);
  }

  /** Returns whether a declared type is so general that the value's class chooses the codec. */
  static boolean isFor(Class<?> declared) {
    return declared == Object.class
        || declared == Number.class
        || declared == java.io.Serializable.class
        || declared == Comparable.class
        || declared == CharSequence.class;
  }

  @Override
  public String id() {
    return ValueTag.ANY_ID;
  }

  @Override
  public byte[] encode(T value) {
    return codecOf(value).encode(value);
  }

  @SuppressWarnings("unchecked") // by its class
  private TaggedCodec<T> codecOf(T value) {
    TaggedCodec<?> codec = byClass.get(value.getClass());
    return codec == null ? fallback : (TaggedCodec<T>) codec;
  }

  @Override
  @SuppressWarnings("unchecked")
  public T decode(byte[] bytes, int offset, int length) {
    Codec<?> codec = length == 0 ? null : byTag.get(bytes[offset]);
    if (codec == null) {
      throw unknown(length == 0 ? null : bytes[offset]);
    }
    Object value = codec.decode(bytes, offset, length);
    if (!type.rawType().isInstance(value)) {
      throw undecodable("an instance of " + value.getClass().getName() + ", not a " + type);
    }
    return (T) value;
  }

  private UndecodableValueException unknown(@Nullable Byte tag) {
    String found = tag == null ? "empty" : "written by " + ValueTag.describe(tag);
    return undecodable(found + ", which cannot be read here without its declared type");
  }

  private UndecodableValueException undecodable(String found) {
    UndecodableValueException e =
        new UndecodableValueException("The value is " + found + ".", null);
    misses.noteMiss(e);
    return e;
  }

  @Override
  public boolean immutable() {
    return false;
  }

  @Override
  public boolean immutable(T value) {
    return codecOf(value).immutable(value);
  }
}
