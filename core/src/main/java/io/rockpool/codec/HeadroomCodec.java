package io.rockpool.codec;

/**
 * A codec that can leave room before its bytes, so that a tag goes in front of them without a
 * second copy.
 */
interface HeadroomCodec<T> extends Codec<T> {

  /** Returns an array of {@code headroom} free bytes and then the bytes of the value. */
  byte[] encode(T value, int headroom);

  @Override
  default byte[] encode(T value) {
    return encode(value, 0);
  }
}
