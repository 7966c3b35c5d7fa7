package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.math.BigInteger;

/**
 * {@link BigInteger} in its own order. A number that is not negative: a byte {@code 0x80 + n}, n
 * being the number of magnitude bytes, and these; from {@value #LONG_FORM} magnitude bytes on,
 * {@code 0xFF}, n as 4 bytes, and these. A negative one: the complement of all the bytes of its
 * absolute value.
 */
final class BigIntegerCodec implements NaturalCodec<BigInteger> {
  private static final int LONG_FORM = 0x7F;
  private static final int POSITIVE = 0x80;
  private static final int LONG_HEADER_BYTES = 1 + Integer.BYTES;

  @Override
  public String id() {
    return "ordered:biginteger";
  }

  @Override
  public byte[] encode(BigInteger value, int headroom) {
    BigInteger absolute = value.abs();
    int size = (absolute.bitLength() + Byte.SIZE - 1) / Byte.SIZE;
    int header = size < LONG_FORM ? 1 : LONG_HEADER_BYTES;
    byte[] out = new byte[headroom + header + size];
    if (size < LONG_FORM) {
      out[headroom] = (byte) (POSITIVE + size);
    } else {
      out[headroom] = (byte) (POSITIVE + LONG_FORM);
      BigEndian.putInt(out, headroom + 1, size);
    }
    byte[] magnitude = absolute.toByteArray();
    System.arraycopy(magnitude, magnitude.length - size, out, headroom + header, size);
    if (value.signum() < 0) {
      for (int i = headroom; i < out.length; i++) {
        out[i] = (byte) ~out[i];
      }
    }
    return out;
  }

  @Override
  public BigInteger decode(byte[] bytes, int offset, int length) {
    if (length == 0) {
      throw Undecodable.width(id(), 1, 0);
    }
    boolean negative = bytes[offset] >= 0;
    int mask = negative ? -1 : 0;
    int size = ((bytes[offset] ^ mask) & 0xFF) - POSITIVE;
    int header = 1;
    if (size == LONG_FORM && length >= LONG_HEADER_BYTES) {
      size = BigEndian.getInt(bytes, offset + 1) ^ mask;
      header = LONG_HEADER_BYTES;
    }
    if (size != length - header || (header == LONG_HEADER_BYTES && size < LONG_FORM)) {
      throw Undecodable.damaged(id(), "its length is given as " + size, null);
    }
    if (size == 0 ? negative : bytes[offset + header] == (byte) mask) {
      throw Undecodable.damaged(id(), "not the shortest form", null);
    }
    if (!negative) {
      return new BigInteger(1, bytes, offset + header, size);
    }
    byte[] magnitude = new byte[size];
    for (int i = 0; i < size; i++) {
      magnitude[i] = (byte) ~bytes[offset + header + i];
    }
    return new BigInteger(-1, magnitude);
  }
}
