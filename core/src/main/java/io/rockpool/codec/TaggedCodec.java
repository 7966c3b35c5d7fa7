package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;

/** A value codec with its {@link ValueTag} in front of the bytes, checked when they are read. */
final class TaggedCodec<T> implements Codec<T> {
  private final Codec<T> codec;
  private final byte tag;
  private final GrownClasses misses;

  /**
   * @param misses logs what cannot be decoded, if that is a miss of a cache
   */
  TaggedCodec(Codec<T> codec, byte tag, GrownClasses misses) {
    this.misses = misses;
    this.codec = codec;
    this.tag = tag;
  }

  @Override
  public String id() {
    return codec.id();
  }

  @Override
  public byte[] encode(T value) {
    return encode(value, 0);
  }

  @Override
  public byte[] encode(T value, int headroom) {
    byte[] out = codec.encode(value, headroom + 1);
    out[headroom] = tag;
    return out;
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    try {
      if (length == 0 || bytes[offset] != tag) {
        throw wrongTag(bytes, offset, length);
      }
      return codec.decode(bytes, offset + 1, length - 1);
    } catch (UndecodableValueException e) {
      misses.noteMiss(e);
      throw e;
    }
  }

  private UndecodableValueException wrongTag(byte[] bytes, int offset, int length) {
    String found = length == 0 ? "empty" : "written by " + ValueTag.describe(bytes[offset]);
    return new UndecodableValueException(
        "The value is "
            + found
            + ", but "
            + ValueTag.describe(tag)
            + " was expected. Open it with the codec that wrote it, or reset it.",
        null);
  }

  @Override
  public boolean immutable() {
    return codec.immutable();
  }

  @Override
  public boolean immutable(T value) {
    return codec.immutable(value);
  }
}
