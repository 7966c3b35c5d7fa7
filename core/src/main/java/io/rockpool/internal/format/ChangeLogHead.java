package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * The head of a change log: a record with the hash key 00 and no sort key, written with each
 * change.
 *
 * <pre>
 * version      1 byte     1
 * pending      1 byte     0 nothing, 2 the space is being cleared, 3 its expiry is being set
 * next         8 bytes    the position of the next change
 * first        8 bytes    the position of the oldest change
 * bytes        8 bytes    the length of all changes, with 8 bytes for each position
 * time         8 bytes    the time of the last change
 * expiry       8 bytes    the expiry that is being set
 * </pre>
 *
 * <p>Without this record the log is empty, and its first position is 1,000 times the time at which
 * its space was created, in milliseconds since the epoch. So a log that is created again does not
 * repeat positions.
 *
 * @param pending 0, {@link LoggedChange#CLEAR} or {@link LoggedChange#EXPIRY}: set before the space
 *     is changed and unset with the logged change, so that a crash in between is noticed
 */
public record ChangeLogHead(
    byte pending, long next, long first, long bytes, long timeMillis, long pendingExpiryMillis) {
  /** Nothing is pending. */
  public static final byte NOTHING = 0;

  private static final byte VERSION = 1;
  private static final int NUMBERS_AT = 2;
  private static final int LENGTH = NUMBERS_AT + 5 * Long.BYTES;
  private static final long POSITIONS_PER_MILLI = 1_000;

  /** The head of an empty log whose space was created at that time. */
  public static ChangeLogHead empty(long createdMillis) {
    long start = Math.max(0, createdMillis) * POSITIONS_PER_MILLI + 1;
    return new ChangeLogHead(NOTHING, start, start, 0, 0, 0);
  }

  /** Returns the head with another pending change of the space. */
  public ChangeLogHead withPending(byte newPending, long expiryMillis) {
    return new ChangeLogHead(newPending, next, first, bytes, timeMillis, expiryMillis);
  }

  /** Encodes the head. */
  public byte[] encode() {
    byte[] encoded = new byte[LENGTH];
    encoded[0] = VERSION;
    encoded[1] = pending;
    long[] numbers = {next, first, bytes, timeMillis, pendingExpiryMillis};
    for (int i = 0; i < numbers.length; i++) {
      BigEndian.putLong(encoded, NUMBERS_AT + i * Long.BYTES, numbers[i]);
    }
    return encoded;
  }

  /**
   * Decodes a head.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static ChangeLogHead decode(byte[] encoded) {
    if (encoded.length != LENGTH || encoded[0] != VERSION) {
      throw new CorruptStoreException(
          "the head of a change log has " + encoded.length + " bytes that are not a version 1",
          null);
    }
    return new ChangeLogHead(
        encoded[1],
        number(encoded, 0),
        number(encoded, 1),
        number(encoded, 2),
        number(encoded, 3),
        number(encoded, 4));
  }

  private static long number(byte[] encoded, int index) {
    return BigEndian.getLong(encoded, NUMBERS_AT + index * Long.BYTES);
  }
}
