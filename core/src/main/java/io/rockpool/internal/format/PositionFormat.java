package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;

/**
 * Where an element of a deque lies: a signed 64-bit position, whose sort key is its eight bytes
 * with the sign bit flipped, so that unsigned byte order is the order of positions.
 *
 * <p>Elements that are added at an end lie on the grid, {@link #SPACING} apart. What is inserted
 * between two lies in the middle of the gap, and off the grid where none of its points is in it.
 */
public final class PositionFormat {
  /**
   * The distance of elements that were added at an end. It leaves room for 16 insertions at the
   * worst place before others have to move, and for 2^46 additions at each end.
   */
  public static final long SPACING = 1L << 16;

  /** How far a position may lie from 0; leaves sums of two positions room in 64 bits. */
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
   * @throws CorruptStoreException if it is none
   */
  public static long decode(byte[] sortKey) {
    if (sortKey.length != Long.BYTES) {
      throw new CorruptStoreException(
          "a position has " + sortKey.length + " bytes; expected " + Long.BYTES, null);
    }
    return BigEndian.getLong(sortKey, 0) ^ Long.MIN_VALUE;
  }

  /** The last point of the grid that is not above a position. */
  public static long gridAtOrBelow(long position) {
    return position & -SPACING;
  }

  /** The first point of the grid that is not below a position. */
  public static long gridAtOrAbove(long position) {
    return gridAtOrBelow(position + SPACING - 1);
  }

  /** Whether a position is a point of the grid. */
  public static boolean isOnGrid(long position) {
    return gridAtOrBelow(position) == position;
  }
}
