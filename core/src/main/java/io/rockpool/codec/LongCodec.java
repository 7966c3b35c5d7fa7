package io.rockpool.codec;

/** Longs as 8 bytes with the sign bit flipped: {@link Long#compareTo}. */
final class LongCodec extends FixedWidthCodec<Long> {
  static final LongCodec INSTANCE = new LongCodec();

  private LongCodec() {
    super("ordered:long", Long.BYTES);
  }

  @Override
  void write(byte[] out, int at, Long value) {
    NumberBytes.putOrderedLong(out, at, value);
  }

  @Override
  Long read(byte[] in, int at) {
    return NumberBytes.getOrderedLong(in, at);
  }
}
