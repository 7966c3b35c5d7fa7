package io.rockpool.codec;

/**
 * A codec that can leave room before its bytes, so that a tag goes in front of them without a
 * second copy.
 */
interface HeadroomCodec<T> extends Codec<T> {

  @Override
  byte[] encode(T value, int headroom);

  @Override
  default byte[] encode(T value) {
    return encode(value, 0);
  }
}
