package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The number of counted records of one row, or a change of it: eight bytes, little-endian, as
 * RocksDB's {@code UInt64AddOperator} requires. Addition wraps around, so adding a negative number
 * subtracts. The key is the row's, see {@link EntryKeyFormat}. A row that never had a counted
 * record has no count.
 */
public final class CountFormat {
  private CountFormat() {}

  /** Encodes a count, or a change of one. */
  public static byte[] encode(long count) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(count).array();
  }

  /**
   * The count in the first {@code length} bytes of {@code bytes}.
   *
   * @throws CorruptStoreException if it is not a count
   */
  public static long decode(byte[] bytes, int length) {
    if (length != Long.BYTES) {
      throw new CorruptStoreException(
          "a count has " + length + " bytes; expected " + Long.BYTES, null);
    }
    long count = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    if (count < 0) {
      throw new CorruptStoreException("a count is below zero: " + count, null);
    }
    return count;
  }
}
