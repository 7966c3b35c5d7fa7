package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.Leb128;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value of a cache entry: one flags byte, an idle deadline if flag 0x01 is set, a refresh time
 * if flag 0x02 is set (8 bytes each, big-endian, milliseconds since the epoch), tags if flag 0x04
 * is set (their length in LEB128, and as {@link EntryTagsFormat} writes them), and the encoded
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
  private static final byte WITH_TAGS = 0x04;
  private static final byte TIMES = WITH_DEADLINE | WITH_REFRESH_TIME;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private CacheValueFormat() {}

  /**
   * Encodes the value of an entry.
   *
   * @param deadlineMillis its idle deadline; {@link Expiry#NEVER} for none
   * @param refreshMillis its refresh time; {@link #NO_REFRESH_TIME} for none
   * @param tags its tags as {@link EntryTagsFormat} writes them; null for none
   */
  public static byte[] encode(
      byte[] payload, long deadlineMillis, long refreshMillis, byte @Nullable [] tags) {
    int flags =
        (deadlineMillis == Expiry.NEVER ? PLAIN : WITH_DEADLINE)
            | (refreshMillis == NO_REFRESH_TIME ? PLAIN : WITH_REFRESH_TIME)
            | (tags == null ? PLAIN : WITH_TAGS);
    int times = timesBytes((byte) flags);
    int header = times + (tags == null ? 0 : Leb128.length(tags.length) + tags.length);
    byte[] bytes = new byte[header + payload.length];
    bytes[0] = (byte) flags;
    if (deadlineMillis != Expiry.NEVER) {
      LONG.set(bytes, PLAIN_BYTES, deadlineMillis);
    }
    if (refreshMillis != NO_REFRESH_TIME) {
      LONG.set(bytes, times - Long.BYTES, refreshMillis);
    }
    if (tags != null) {
      int at = Leb128.put(bytes, times, tags.length);
      System.arraycopy(tags, 0, bytes, at, tags.length);
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
    int times = timesBytes(flags);
    if ((flags & ~(TIMES | WITH_TAGS)) == 0 && times <= length) {
      if ((flags & WITH_TAGS) == 0) {
        return times;
      }
      int tags = Leb128.get(bytes, offset + times, offset + length);
      long header = (long) times + Leb128.length(tags) + tags;
      if (header <= length) {
        return (int) header;
      }
    }
    throw new CorruptStoreException(
        "A cache entry of "
            + length
            + " bytes begins with "
            + flags
            + " where 0, or 1 to 7 and its times and tags, was expected.",
        null);
  }

  private static int timesBytes(byte flags) {
    return PLAIN_BYTES + Integer.bitCount(flags & TIMES) * Long.BYTES;
  }

  /** The tags of an entry with a valid header, see {@link EntryTagsFormat}; null for none. */
  public static byte @Nullable [] tags(byte[] bytes, int offset, int length) {
    byte flags = bytes[offset];
    if ((flags & WITH_TAGS) == 0) {
      return null;
    }
    int from = offset + timesBytes(flags);
    int tags = Leb128.get(bytes, from, offset + length);
    int at = from + Leb128.length(tags);
    return Arrays.copyOfRange(bytes, at, at + tags);
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
