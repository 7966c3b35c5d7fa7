package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import org.jspecify.annotations.Nullable;

/** A codec of the application, which is named where it returns null. */
class CheckedCodec<T> implements Codec<T> {
  private final Codec<T> codec;

  private CheckedCodec(Codec<T> codec) {
    this.codec = codec;
  }

  /** See {@link Codecs#checked}. */
  static <T> Codec<T> of(Codec<T> codec) {
    if (codec.getClass().getPackageName().equals(Codec.class.getPackageName())) {
      return codec;
    }
    return codec instanceof OrderedCodec<T> ordered
        ? new CheckedOrderedCodec<>(ordered)
        : new CheckedCodec<>(codec);
  }

  @Override
  public String id() {
    return codec.id();
  }

  @Override
  public byte[] encode(T value) {
    return checked(codec.encode(value), value);
  }

  @Override
  public byte[] encode(T value, int headroom) {
    return checked(codec.encode(value, headroom), value);
  }

  private byte[] checked(byte @Nullable [] bytes, T value) {
    if (bytes == null) {
      String type = value.getClass().getName();
      throw new UnencodableValueException(
          "The codec "
              + this
              + " returned null as the bytes of an instance of "
              + type
              + ". Nothing was stored. Make its encode return an array.",
          null,
          type,
          null);
    }
    return bytes;
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    T value = codec.decode(bytes, offset, length);
    if (value == null) {
      throw new UndecodableValueException(
          "The codec "
              + this
              + " returned null for "
              + length
              + " bytes. Make its decode return a value or throw an UndecodableValueException.",
          null);
    }
    return value;
  }

  @Override
  public boolean immutable() {
    return codec.immutable();
  }

  @Override
  public boolean immutable(T value) {
    return codec.immutable(value);
  }

  @Override
  public String toString() {
    return "\"" + id() + "\" of class " + codec.getClass().getName();
  }

  private static final class CheckedOrderedCodec<T> extends CheckedCodec<T>
      implements OrderedCodec<T> {
    private final OrderedCodec<T> ordered;

    CheckedOrderedCodec(OrderedCodec<T> ordered) {
      super(ordered);
      this.ordered = ordered;
    }

    @Override
    public int compare(T a, T b) {
      return ordered.compare(a, b);
    }

    @Override
    public boolean isNaturalOrder() {
      return ordered.isNaturalOrder();
    }
  }
}
