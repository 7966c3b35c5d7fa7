package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;

/** {@link BigDecimal} as a value: the scale as 4 bytes, then the unscaled two's complement. */
final class DecimalCodec implements HeadroomCodec<BigDecimal> {
  @Override
  public String id() {
    return "decimal";
  }

  @Override
  public byte[] encode(BigDecimal value, int headroom) {
    byte[] unscaled = value.unscaledValue().toByteArray();
    byte[] out = new byte[headroom + Integer.BYTES + unscaled.length];
    BigEndian.putInt(out, headroom, value.scale());
    System.arraycopy(unscaled, 0, out, headroom + Integer.BYTES, unscaled.length);
    return out;
  }

  @Override
  public BigDecimal decode(byte[] bytes, int offset, int length) {
    if (length <= Integer.BYTES) {
      throw Undecodable.damaged(id(), "only " + length + " bytes", null);
    }
    return new BigDecimal(
        new BigInteger(bytes, offset + Integer.BYTES, length - Integer.BYTES),
        BigEndian.getInt(bytes, offset));
  }

  @Override
  public boolean immutable() {
    return true;
  }
}
