package io.rockpool.internal.format;

import static io.rockpool.internal.format.PositionFormat.gridAtOrAbove;
import static io.rockpool.internal.format.PositionFormat.gridAtOrBelow;
import static io.rockpool.internal.format.PositionFormat.isOnGrid;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;

/**
 * What a deque knows of itself without looking at its elements: the record at the empty sort key of
 * its row, written with each change of an end. Without it each use of an end would be a seek over
 * everything that was removed there.
 *
 * <pre>
 * from         8 bytes    no element lies below this position
 * to           8 bytes    no element lies at or above this position
 * offGrid      8 bytes    at most so many elements lie off the grid
 * nextExpiry   8 bytes    no element expires before this, or ever; milliseconds since the epoch
 * </pre>
 *
 * <p>Each number is a bound that holds, and need not be the best one: elements that expire leave
 * without a word.
 *
 * @param from no element lies below this position
 * @param to no element lies at or above this position
 * @param offGrid at most so many elements lie off the grid
 * @param nextExpiryMillis no element has expired before this; {@link Expiry#NEVER} if none can
 */
public record DequeEnds(long from, long to, long offGrid, long nextExpiryMillis) {
  /** Those of a deque that never held an element. */
  public static final DequeEnds NEW = new DequeEnds(0, 0, 0, Expiry.NEVER);

  private static final int BYTES = 4 * Long.BYTES;

  /** The record's value. */
  public byte[] encode() {
    byte[] value = new byte[BYTES];
    BigEndian.putLong(value, 0, from);
    BigEndian.putLong(value, 8, to);
    BigEndian.putLong(value, 16, offGrid);
    BigEndian.putLong(value, 24, nextExpiryMillis);
    return value;
  }

  /**
   * What a record's value says.
   *
   * @throws CorruptStoreException if it is not of this form
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

  /** Whether there is certainly no element; elements that have expired may hide that. */
  public boolean isEmpty() {
    return firstGuess() >= to;
  }

  /** Where the first element lies if it has not expired. */
  public long firstGuess() {
    return offGrid == 0 ? gridAtOrAbove(from) : from;
  }

  /** Where the last element lies if it has not expired. */
  public long lastGuess() {
    return offGrid == 0 ? gridAtOrBelow(to - 1) : to - 1;
  }

  /** Where an element is put in front of all. */
  public long beforeFirst() {
    return gridAtOrBelow(from - 1);
  }

  /** Where an element is put behind all. */
  public long behindLast() {
    return gridAtOrAbove(to);
  }

  /** How many elements there are if none is missing or off the grid. */
  public long gridPoints() {
    return isEmpty() ? 0 : (lastGuess() - firstGuess()) / PositionFormat.SPACING + 1;
  }

  /** With an element at a position where none was. */
  public DequeEnds with(long position, long expiryMillis) {
    return new DequeEnds(
        Math.min(from, position),
        Math.max(to, position + 1),
        offGrid + (isOnGrid(position) ? 0 : 1),
        Math.min(nextExpiryMillis, expiryMillis));
  }

  /** Without the element at a position. */
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

  /** With a first element at {@code position}. */
  public DequeEnds startingAt(long position) {
    return new DequeEnds(position, to, offGrid, nextExpiryMillis);
  }

  /** With a last element at {@code position}. */
  public DequeEnds endingAt(long position) {
    return new DequeEnds(from, position + 1, offGrid, nextExpiryMillis);
  }

  /** With no element at all. */
  public DequeEnds emptied() {
    return new DequeEnds(to, to, 0, nextExpiryMillis);
  }

  /** With no element that has expired before {@code millis}. */
  public DequeEnds expiringFrom(long millis) {
    return new DequeEnds(from, to, offGrid, millis);
  }
}
