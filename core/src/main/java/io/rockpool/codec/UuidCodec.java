package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.util.UUID;

/**
 * UUIDs as 16 bytes in the order of {@link UUID#compareTo}, which compares the two halves as
 * <em>signed</em> numbers: hence the sign bit of each half is flipped.
 */
final class UuidCodec extends FixedWidthCodec<UUID> {
  static final UuidCodec INSTANCE = new UuidCodec();

  private UuidCodec() {
    super("ordered:uuid", 2 * Long.BYTES);
  }

  @Override
  void write(byte[] out, int at, UUID value) {
    BigEndian.putOrderedLong(out, at, value.getMostSignificantBits());
    BigEndian.putOrderedLong(out, at + Long.BYTES, value.getLeastSignificantBits());
  }

  @Override
  UUID read(byte[] in, int at) {
    return new UUID(
        BigEndian.getOrderedLong(in, at), BigEndian.getOrderedLong(in, at + Long.BYTES));
  }
}
