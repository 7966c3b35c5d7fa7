package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import org.jspecify.annotations.Nullable;

/**
 * A codec of the application, which is named where it returns null. Of values, it is also named
 * where it throws, although bytes are all that it was given: then these have another format.
 */
class CheckedCodec<T> implements Codec<T> {
  private final Codec<T> codec;
  private final boolean ofValues;
  private final @Nullable GrownClasses misses;

  /**
   * @param misses logs once for each class that values cannot be decoded; null outside of caches
   */
  private CheckedCodec(Codec<T> codec, boolean ofValues, @Nullable GrownClasses misses) {
    this.codec = codec;
    this.ofValues = ofValues;
    this.misses = misses;
  }

  /** See {@link Codecs#checked}. */
  static <T> Codec<T> of(Codec<T> codec) {
    if (codec.getClass().getPackageName().equals(Codec.class.getPackageName())) {
      return codec;
    }
    return codec instanceof OrderedCodec<T> ordered
        ? new CheckedOrderedCodec<>(ordered)
        : new CheckedCodec<>(codec, false, null);
  }

  /** Returns a registered codec as one of values. */
  static <T> Codec<T> ofRegisteredValues(Codec<T> codec) {
    return codec instanceof CheckedCodec<T> checked
        ? new CheckedCodec<>(checked.codec, true, null)
        : codec;
  }

  /** Returns a codec of a cache's values that is not from its {@link Codecs}. */
  static <T> Codec<T> ofCache(Codec<T> codec) {
    return new CheckedCodec<>(codec, true, new GrownClasses(GrownClasses.Action.MISS));
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
    try {
      return decoded(bytes, offset, length);
    } catch (UndecodableValueException e) {
      if (misses != null) {
        misses.noteMiss(e);
      }
      throw e;
    }
  }

  private T decoded(byte[] bytes, int offset, int length) {
    try {
      T value = codec.decode(bytes, offset, length);
      if (value == null) {
        throw undecodable("returned null", length, null);
      }
      return value;
    } catch (UndecodableValueException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (!ofValues) {
        throw e;
      }
      Undecodable.rethrowIfFatal(e);
      Undecodable.rethrowIfOfCatalog(e);
      throw undecodable("threw " + e.getClass().getName(), length, e);
    }
  }

  /** Without what the cause says: that may show the value. */
  private UndecodableValueException undecodable(String what, int length, @Nullable Throwable e) {
    return new UndecodableValueException(
        "The codec "
            + this
            + ' '
            + what
            + " for "
            + length
            + " bytes. Make its decode return a value or throw an UndecodableValueException.",
        e);
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
      super(ordered, false, null);
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
