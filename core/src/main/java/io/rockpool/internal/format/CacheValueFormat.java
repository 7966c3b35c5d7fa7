package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The value of a cache entry: one flags byte, an idle deadline if flag 0x01 is set, a refresh time
 * if flag 0x02 is set (8 bytes each, big-endian, milliseconds since the epoch), and the encoded
 * value with its codec's tag.
 *
 * <p>An entry has an idle deadline if reads extend its life, or if listeners must be notified of
 * its expiry. The expiry of its record is then later than the deadline. So a read that moves the
 * deadline in memory need not write immediately, and the record still exists when listeners are
 * notified.
 *
 * <p>An entry has a refresh time if its cache refreshes entries: a read after that time reloads the
 * value.
 */
public final class CacheValueFormat {
  /** The header length of an entry without deadline and refresh time. */
  public static final int PLAIN_BYTES = 1;

  /** The refresh time of an entry without one. */
  public static final long NO_REFRESH_TIME = 0;

  private static final byte PLAIN = 0x00;
  private static final byte WITH_DEADLINE = 0x01;
  private static final byte WITH_REFRESH_TIME = 0x02;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private CacheValueFormat() {}

  /**
   * Encodes the value of an entry.
   *
   * @param deadlineMillis its idle deadline; {@link Expiry#NEVER} for none
   * @param refreshMillis its refresh time; {@link #NO_REFRESH_TIME} for none
   */
  public static byte[] encode(byte[] payload, long deadlineMillis, long refreshMillis) {
    boolean hasDeadline = deadlineMillis != Expiry.NEVER;
    boolean hasRefreshTime = refreshMillis != NO_REFRESH_TIME;
    int times = (hasDeadline ? 1 : 0) + (hasRefreshTime ? 1 : 0);
    int header = PLAIN_BYTES + times * Long.BYTES;
    byte[] bytes = new byte[header + payload.length];
    bytes[0] =
        (byte)
            ((hasDeadline ? WITH_DEADLINE : PLAIN) | (hasRefreshTime ? WITH_REFRESH_TIME : PLAIN));
    if (hasDeadline) {
      LONG.set(bytes, PLAIN_BYTES, deadlineMillis);
    }
    if (hasRefreshTime) {
      LONG.set(bytes, header - Long.BYTES, refreshMillis);
    }
    System.arraycopy(payload, 0, bytes, header, payload.length);
    return bytes;
  }

  /**
   * Turns {@code room}, a payload after {@link #PLAIN_BYTES} free bytes, into the value of an entry
   * without deadline and refresh time. Returns {@code room}.
   */
  public static byte[] encodeInPlace(byte[] room) {
    room[0] = PLAIN;
    return room;
  }

  /** The length of the header before the payload. */
  public static int headerBytes(byte[] bytes, int offset, int length) {
    byte flags = length == 0 ? -1 : bytes[offset];
    if (flags == PLAIN) {
      return PLAIN_BYTES;
    }
    int header = PLAIN_BYTES + Integer.bitCount(flags) * Long.BYTES;
    if ((flags & ~(WITH_DEADLINE | WITH_REFRESH_TIME)) == 0 && header <= length) {
      return header;
    }
    throw new CorruptStoreException(
        "A cache entry of "
            + length
            + " bytes begins with "
            + flags
            + " where 0, or 1 to 3 and its times, was expected.",
        null);
  }

  /** The idle deadline of an entry with a valid header, or {@link Expiry#NEVER}. */
  public static long deadlineMillis(byte[] bytes, int offset) {
    return (bytes[offset] & WITH_DEADLINE) == 0
        ? Expiry.NEVER
        : (long) LONG.get(bytes, offset + PLAIN_BYTES);
  }

  /** The refresh time of an entry with a valid header, or {@link #NO_REFRESH_TIME}. */
  public static long refreshMillis(byte[] bytes, int offset) {
    byte flags = bytes[offset];
    if ((flags & WITH_REFRESH_TIME) == 0) {
      return NO_REFRESH_TIME;
    }
    int before = (flags & WITH_DEADLINE) == 0 ? PLAIN_BYTES : PLAIN_BYTES + Long.BYTES;
    return (long) LONG.get(bytes, offset + before);
  }
}
