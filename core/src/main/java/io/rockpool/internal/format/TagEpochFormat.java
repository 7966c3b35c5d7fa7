package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * The epoch of a cache's tags, the value of the record with an empty hash key in a hidden space: 8
 * bytes with the current epoch, 8 bytes with the first one, big-endian. An invalidation sets a
 * greater epoch. It is about the time in milliseconds since 1970, times 65,536.
 *
 * <p>The record of a tag has the UTF-8 bytes of the tag as its hash key, and as its value the epoch
 * of its last invalidation in 8 bytes.
 */
public final class TagEpochFormat {
  private static final int MILLIS_SHIFT = 16;

  private TagEpochFormat() {}

  /** The least epoch of a time. */
  public static long ofMillis(long millis) {
    return Math.max(1, millis) << MILLIS_SHIFT;
  }

  /** About when an epoch began; later if there were many in a millisecond. */
  public static long millis(long epoch) {
    return epoch >> MILLIS_SHIFT;
  }

  /** Encodes the current and the first epoch. */
  public static byte[] encode(long epoch, long first) {
    byte[] bytes = new byte[2 * Long.BYTES];
    BigEndian.putLong(bytes, 0, epoch);
    BigEndian.putLong(bytes, Long.BYTES, first);
    return bytes;
  }

  /** The current epoch. */
  public static long epoch(byte[] bytes) {
    return BigEndian.getLong(checked(bytes, 2 * Long.BYTES), 0);
  }

  /** The first epoch. Entries of earlier ones belong to another space of tags. */
  public static long first(byte[] bytes) {
    return BigEndian.getLong(checked(bytes, 2 * Long.BYTES), Long.BYTES);
  }

  /** Encodes the epoch of a tag's last invalidation. */
  public static byte[] encodeMark(long epoch) {
    byte[] bytes = new byte[Long.BYTES];
    BigEndian.putLong(bytes, 0, epoch);
    return bytes;
  }

  /** The epoch of a tag's last invalidation. */
  public static long mark(byte[] bytes) {
    return BigEndian.getLong(checked(bytes, Long.BYTES), 0);
  }

  private static byte[] checked(byte[] bytes, int length) {
    if (bytes.length != length) {
      throw new CorruptStoreException(
          "A record of a cache's tags has "
              + bytes.length
              + " bytes; it should have "
              + length
              + ".",
          null);
    }
    return bytes;
  }
}
