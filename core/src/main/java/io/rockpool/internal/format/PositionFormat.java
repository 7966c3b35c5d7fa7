package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * The position of an element of a deque, a signed 64-bit number. Its sort key is the eight bytes
 * with the sign bit flipped, so that unsigned byte order is the order of positions.
 *
 * <p>Elements added at an end are on the grid, {@link #SPACING} apart. An element inserted between
 * two others gets the middle of the gap, off the grid if the gap contains no grid point.
 */
public final class PositionFormat {
  /**
   * The distance between elements that were added at an end. It allows 16 insertions at the worst
   * place before other elements must move, and 2^46 additions at each end.
   */
  public static final long SPACING = 1L << 16;

  /** The maximum distance of a position from 0. The sum of two positions fits in 64 bits. */
  public static final long MAX_POSITION = 1L << 62;

  private PositionFormat() {}

  /** The sort key of a position. */
  public static byte[] encode(long position) {
    byte[] sortKey = new byte[Long.BYTES];
    BigEndian.putLong(sortKey, 0, position ^ Long.MIN_VALUE);
    return sortKey;
  }

  /**
   * The position of a sort key.
   *
   * @throws CorruptStoreException if it is not a position
   */
  public static long decode(byte[] sortKey) {
    if (sortKey.length != Long.BYTES) {
      throw new CorruptStoreException(
          "a position has " + sortKey.length + " bytes; expected " + Long.BYTES, null);
    }
    return BigEndian.getLong(sortKey, 0) ^ Long.MIN_VALUE;
  }

  /** The last grid point at or below a position. */
  public static long gridAtOrBelow(long position) {
    return position & -SPACING;
  }

  /** The first grid point at or above a position. */
  public static long gridAtOrAbove(long position) {
    return gridAtOrBelow(position + SPACING - 1);
  }

  /** Whether a position is a grid point. */
  public static boolean isOnGrid(long position) {
    return gridAtOrBelow(position) == position;
  }
}
