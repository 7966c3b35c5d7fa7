package io.rockpool.internal.format;

import static io.rockpool.internal.format.PositionFormat.gridAtOrAbove;
import static io.rockpool.internal.format.PositionFormat.gridAtOrBelow;
import static io.rockpool.internal.format.PositionFormat.isOnGrid;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * Bounds on the elements of a deque: the record at the empty sort key of its row, written with each
 * change of an end. Without it, each operation at an end would be a seek over the tombstones of all
 * elements that were removed there.
 *
 * <pre>
 * from         8 bytes    no element is below this position
 * to           8 bytes    no element is at or above this position
 * offGrid      8 bytes    maximum number of elements off the grid
 * nextExpiry   8 bytes    no element expires before this; milliseconds since the epoch
 * </pre>
 *
 * <p>Each number is a valid bound, but not always the tightest: the record does not change when
 * elements expire.
 *
 * @param from no element is below this position
 * @param to no element is at or above this position
 * @param offGrid the maximum number of elements that are off the grid
 * @param nextExpiryMillis no element expires before this; {@link Expiry#NEVER} if none can expire
 */
public record DequeEnds(long from, long to, long offGrid, long nextExpiryMillis) {
  /** The ends of a new deque. */
  public static final DequeEnds NEW = new DequeEnds(0, 0, 0, Expiry.NEVER);

  private static final int BYTES = 4 * Long.BYTES;

  /** Encodes the record's value. */
  public byte[] encode() {
    byte[] value = new byte[BYTES];
    BigEndian.putLong(value, 0, from);
    BigEndian.putLong(value, 8, to);
    BigEndian.putLong(value, 16, offGrid);
    BigEndian.putLong(value, 24, nextExpiryMillis);
    return value;
  }

  /**
   * Decodes the record's value.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static DequeEnds decode(byte[] value) {
    if (value.length != BYTES) {
      throw new CorruptStoreException(
          "the ends of a deque have " + value.length + " bytes; expected " + BYTES, null);
    }
    DequeEnds ends =
        new DequeEnds(
            BigEndian.getLong(value, 0),
            BigEndian.getLong(value, 8),
            BigEndian.getLong(value, 16),
            BigEndian.getLong(value, 24));
    if (ends.from > ends.to || ends.offGrid < 0) {
      throw new CorruptStoreException("the ends of a deque contradict each other: " + ends, null);
    }
    return ends;
  }

  /** Whether the bounds prove that there is no element. Expired elements can hide that. */
  public boolean isEmpty() {
    return firstGuess() >= to;
  }

  /** The position of the first element, unless it has expired. */
  public long firstGuess() {
    return offGrid == 0 ? gridAtOrAbove(from) : from;
  }

  /** The position of the last element, unless it has expired. */
  public long lastGuess() {
    return offGrid == 0 ? gridAtOrBelow(to - 1) : to - 1;
  }

  /** The position for a new first element. */
  public long beforeFirst() {
    return gridAtOrBelow(from - 1);
  }

  /** The position for a new last element. */
  public long behindLast() {
    return gridAtOrAbove(to);
  }

  /** The number of elements if every grid point has one and none is off the grid. */
  public long gridPoints() {
    return isEmpty() ? 0 : (lastGuess() - firstGuess()) / PositionFormat.SPACING + 1;
  }

  /** These ends after an element was added at a free position. */
  public DequeEnds with(long position, long expiryMillis) {
    return new DequeEnds(
        Math.min(from, position),
        Math.max(to, position + 1),
        offGrid + (isOnGrid(position) ? 0 : 1),
        Math.min(nextExpiryMillis, expiryMillis));
  }

  /** These ends after the element at a position was removed. */
  public DequeEnds without(long position) {
    long offGridLeft = isOnGrid(position) ? offGrid : Math.max(0, offGrid - 1);
    if (position == firstGuess()) {
      return new DequeEnds(position + 1, Math.max(to, position + 1), offGridLeft, nextExpiryMillis);
    }
    if (position == lastGuess()) {
      return new DequeEnds(from, position, offGridLeft, nextExpiryMillis);
    }
    return new DequeEnds(from, to, offGridLeft, nextExpiryMillis);
  }

  /** These ends with the first element at {@code position}. */
  public DequeEnds startingAt(long position) {
    return new DequeEnds(position, to, offGrid, nextExpiryMillis);
  }

  /** These ends with the last element at {@code position}. */
  public DequeEnds endingAt(long position) {
    return new DequeEnds(from, position + 1, offGrid, nextExpiryMillis);
  }

  /** These ends without elements. */
  public DequeEnds emptied() {
    return new DequeEnds(to, to, 0, nextExpiryMillis);
  }

  /** These ends if no element expires before {@code millis}. */
  public DequeEnds expiringFrom(long millis) {
    return new DequeEnds(from, to, offGrid, millis);
  }
}
