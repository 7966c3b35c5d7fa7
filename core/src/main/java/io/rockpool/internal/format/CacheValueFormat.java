package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The value of a cache entry: one flags byte, an idle deadline if flag 0x01 is set (8 bytes,
 * big-endian, milliseconds since the epoch), and the encoded value with its codec's tag.
 *
 * <p>An entry has an idle deadline if reading it makes it live longer, or if somebody is to be told
 * when it has ended. Its record's own expiry then lies later than the deadline, so that a read
 * which moves the deadline in memory need not write at once, and that there is something to tell
 * of.
 */
public final class CacheValueFormat {
  /** How many bytes an entry without an idle deadline has before its payload. */
  public static final int PLAIN_BYTES = 1;

  private static final byte PLAIN = 0x00;
  private static final byte WITH_DEADLINE = 0x01;
  private static final int DEADLINE_BYTES = 1 + Long.BYTES;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private CacheValueFormat() {}

  /** The value of an entry without an idle deadline. */
  public static byte[] encode(byte[] payload) {
    byte[] bytes = new byte[PLAIN_BYTES + payload.length];
    bytes[0] = PLAIN;
    System.arraycopy(payload, 0, bytes, PLAIN_BYTES, payload.length);
    return bytes;
  }

  /**
   * Makes {@code room}, which has a payload after {@link #PLAIN_BYTES} free bytes, the value of an
   * entry without an idle deadline.
   */
  public static byte[] encodeInPlace(byte[] room) {
    room[0] = PLAIN;
    return room;
  }

  /** The value of an entry with an idle deadline. */
  public static byte[] encode(byte[] payload, long deadlineMillis) {
    byte[] bytes = new byte[DEADLINE_BYTES + payload.length];
    bytes[0] = WITH_DEADLINE;
    LONG.set(bytes, 1, deadlineMillis);
    System.arraycopy(payload, 0, bytes, DEADLINE_BYTES, payload.length);
    return bytes;
  }

  /** The length of what stands before the payload. */
  public static int headerBytes(byte[] bytes, int offset, int length) {
    byte flags = length == 0 ? -1 : bytes[offset];
    if (flags == PLAIN) {
      return PLAIN_BYTES;
    }
    if (flags == WITH_DEADLINE && length >= DEADLINE_BYTES) {
      return DEADLINE_BYTES;
    }
    throw new CorruptStoreException(
        "A cache entry of "
            + length
            + " bytes begins with "
            + flags
            + " where 0, or 1 and a deadline, was expected.",
        null);
  }

  /** The idle deadline, or {@link Expiry#NEVER} if the entry has none. */
  public static long deadlineMillis(byte[] bytes, int offset, int headerBytes) {
    return headerBytes == DEADLINE_BYTES ? (long) LONG.get(bytes, offset + 1) : Expiry.NEVER;
  }
}
