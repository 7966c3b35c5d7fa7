package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A change of a cache that a writer has yet to write; the value of a record in a hidden space.
 *
 * <pre>
 * version      1 byte     1
 * kind         1 byte     0 removal, 1 put
 * sequence     8 bytes    greater than that of every earlier change of the cache
 * time         8 bytes    when the change was made, in milliseconds since the epoch
 * attempts     4 bytes    how often the writer has failed with this change alone
 * cause        LEB128     0 if the change is to be written; else 1 + the length of the cause
 *              bytes      why the change was given up, in UTF-8
 * value        the rest   for a put, the value of the entry's record
 * </pre>
 *
 * <p>The hash key is the key of the entry, the sort key is empty.
 */
public final class PendingChangeFormat {
  private static final byte VERSION = 1;
  private static final byte REMOVAL = 0;
  private static final byte PUT = 1;
  private static final int SEQUENCE_AT = 2;
  private static final int TIME_AT = SEQUENCE_AT + Long.BYTES;
  private static final int ATTEMPTS_AT = TIME_AT + Long.BYTES;
  private static final int CAUSE_AT = ATTEMPTS_AT + Integer.BYTES;

  private PendingChangeFormat() {}

  /**
   * A pending change.
   *
   * @param cause why the change was given up; null if it is to be written
   * @param value the value of the entry's record; null for a removal
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Pending(
      long sequence,
      long timeMillis,
      int attempts,
      @Nullable String cause,
      byte @Nullable [] value) {
    /** The same change after this many failures; given up if there is a cause. */
    public Pending failed(int newAttempts, @Nullable String newCause) {
      return new Pending(sequence, timeMillis, newAttempts, newCause, value);
    }
  }

  /** Encodes a change. */
  public static byte[] encode(Pending pending) {
    byte[] value = pending.value;
    byte[] cause =
        pending.cause == null ? new byte[0] : pending.cause.getBytes(StandardCharsets.UTF_8);
    int causeLength = pending.cause == null ? 0 : 1 + cause.length;
    int valueAt = CAUSE_AT + Leb128.length(causeLength) + cause.length;
    byte[] bytes = new byte[valueAt + (value == null ? 0 : value.length)];
    bytes[0] = VERSION;
    bytes[1] = value == null ? REMOVAL : PUT;
    BigEndian.putLong(bytes, SEQUENCE_AT, pending.sequence);
    BigEndian.putLong(bytes, TIME_AT, pending.timeMillis);
    BigEndian.putInt(bytes, ATTEMPTS_AT, pending.attempts);
    Leb128.put(bytes, CAUSE_AT, causeLength);
    System.arraycopy(cause, 0, bytes, valueAt - cause.length, cause.length);
    if (value != null) {
      System.arraycopy(value, 0, bytes, valueAt, value.length);
    }
    return bytes;
  }

  /**
   * Decodes a change.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static Pending decode(byte[] bytes) {
    if (bytes.length <= CAUSE_AT
        || bytes[0] != VERSION
        || (bytes[1] != REMOVAL && bytes[1] != PUT)) {
      throw corrupt(bytes);
    }
    int causeLength = Leb128.get(bytes, CAUSE_AT, bytes.length);
    int causeAt = CAUSE_AT + Leb128.length(causeLength);
    int valueAt = causeAt + Math.max(0, causeLength - 1);
    if (causeLength < 0 || valueAt < causeAt || valueAt > bytes.length) {
      throw corrupt(bytes);
    }
    return new Pending(
        BigEndian.getLong(bytes, SEQUENCE_AT),
        BigEndian.getLong(bytes, TIME_AT),
        BigEndian.getInt(bytes, ATTEMPTS_AT),
        causeLength == 0
            ? null
            : new String(bytes, causeAt, causeLength - 1, StandardCharsets.UTF_8),
        bytes[1] == PUT ? Arrays.copyOfRange(bytes, valueAt, bytes.length) : null);
  }

  private static CorruptStoreException corrupt(byte[] bytes) {
    return new CorruptStoreException(
        "A pending change of a cache has "
            + bytes.length
            + " bytes that are not a version 1, its fields and a value.",
        null);
  }
}
