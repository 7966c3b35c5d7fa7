package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.bytes.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * {@link BigDecimal} as a key: by number as {@code compareTo}, and where two are the same number,
 * by scale, so that 1.0 comes before 1.00 and both come back as they were.
 *
 * <p>A sign byte (1 negative, 2 zero, 3 positive); unless zero, the decimal exponent of the first
 * digit as 8 bytes and the digits without trailing zeros, as ASCII with a 0 byte after them, all
 * complemented if negative; then the scale as 4 bytes.
 */
final class DecimalOrderCodec implements HeadroomCodec<BigDecimal>, OrderedCodec<BigDecimal> {
  /** More digits would take minutes to turn into text, or fill the heap from a damaged record. */
  static final int MAX_DIGITS = 10_000;

  private static final byte NEGATIVE = 1;
  private static final byte ZERO = 2;
  private static final byte POSITIVE = 3;
  private static final int DIGITS_AT = 1 + Long.BYTES;
  private static final int LEAST_BYTES = DIGITS_AT + 1 + 1 + Integer.BYTES;

  @Override
  public String id() {
    return "ordered:decimal";
  }

  @Override
  public byte[] encode(BigDecimal value, int headroom) {
    if (value.signum() == 0) {
      byte[] out = new byte[headroom + 1 + Integer.BYTES];
      out[headroom] = ZERO;
      BigEndian.putOrderedInt(out, headroom + 1, value.scale());
      return out;
    }
    if (value.precision() > MAX_DIGITS) {
      throw new UnencodableValueException(
          "A BigDecimal of "
              + value.precision()
              + " digits cannot be an ordered key: the limit is "
              + MAX_DIGITS
              + " digits.",
          null);
    }
    String digits = value.unscaledValue().abs().toString();
    int kept = withoutTrailingZeros(digits);
    byte[] out = new byte[headroom + DIGITS_AT + kept + 1 + Integer.BYTES];
    int end = headroom + DIGITS_AT + kept + 1;
    BigEndian.putOrderedLong(out, headroom + 1, (long) digits.length() - value.scale());
    for (int i = 0; i < kept; i++) {
      out[headroom + DIGITS_AT + i] = (byte) digits.charAt(i);
    }
    if (value.signum() < 0) {
      for (int i = headroom + 1; i < end; i++) {
        out[i] = (byte) ~out[i];
      }
    }
    out[headroom] = value.signum() < 0 ? NEGATIVE : POSITIVE;
    BigEndian.putOrderedInt(out, end, value.scale());
    return out;
  }

  private static int withoutTrailingZeros(String digits) {
    int kept = digits.length();
    while (digits.charAt(kept - 1) == '0') {
      kept--;
    }
    return kept;
  }

  @Override
  public BigDecimal decode(byte[] bytes, int offset, int length) {
    if (length == 1 + Integer.BYTES && bytes[offset] == ZERO) {
      return new BigDecimal(BigInteger.ZERO, BigEndian.getOrderedInt(bytes, offset + 1));
    }
    if (length < LEAST_BYTES || (bytes[offset] != NEGATIVE && bytes[offset] != POSITIVE)) {
      throw Undecodable.damaged(id(), "no such sign and length", null);
    }
    boolean negative = bytes[offset] == NEGATIVE;
    int scale = BigEndian.getOrderedInt(bytes, offset + length - Integer.BYTES);
    long exponent = BigEndian.getLong(bytes, offset + 1);
    exponent = (negative ? ~exponent : exponent) ^ Long.MIN_VALUE;
    int kept = length - LEAST_BYTES + 1;
    long digits = exponent + scale;
    if (digits < kept || digits > MAX_DIGITS) {
      throw Undecodable.damaged(id(), "its number of digits is given as " + digits, null);
    }
    byte[] text = digits(bytes, offset + DIGITS_AT, kept, negative, (int) digits);
    BigInteger unscaled = new BigInteger(new String(text, StandardCharsets.US_ASCII));
    return new BigDecimal(negative ? unscaled.negate() : unscaled, scale);
  }

  private byte[] digits(byte[] bytes, int at, int kept, boolean negative, int count) {
    byte mask = (byte) (negative ? -1 : 0);
    byte[] text = new byte[count];
    for (int i = 0; i < count; i++) {
      text[i] = i < kept ? (byte) (bytes[at + i] ^ mask) : (byte) '0';
      if (text[i] < '0' || text[i] > '9') {
        throw Undecodable.damaged(id(), "something other than a digit", null);
      }
    }
    if (text[0] == '0' || text[kept - 1] == '0' || bytes[at + kept] != mask) {
      throw Undecodable.damaged(id(), "not the shortest form", null);
    }
    return text;
  }

  @Override
  public boolean immutable() {
    return true;
  }

  @Override
  public int compare(BigDecimal a, BigDecimal b) {
    int byNumber = a.compareTo(b);
    return byNumber != 0 ? byNumber : Integer.compare(a.scale(), b.scale());
  }
}
