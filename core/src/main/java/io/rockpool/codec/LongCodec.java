package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;

/** Longs as 8 bytes with the sign bit flipped: {@link Long#compareTo}. */
final class LongCodec extends FixedWidthCodec<Long> {
  static final LongCodec INSTANCE = new LongCodec();

  private LongCodec() {
    super("ordered:long", Long.BYTES);
  }

  @Override
  void write(byte[] out, int at, Long value) {
    BigEndian.putOrderedLong(out, at, value);
  }

  @Override
  Long read(byte[] in, int at) {
    return BigEndian.getOrderedLong(in, at);
  }
}
