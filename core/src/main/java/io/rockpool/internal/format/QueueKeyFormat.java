package io.rockpool.internal.format;

import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Arrays;

/**
 * The sort keys in the row of a queue. A lane is 9 minus the priority, so that lanes sort as they
 * are served. Ids, numbers and times have eight bytes each and are not negative.
 *
 * <pre>
 * (empty)                       the head, see {@link QueueHead}
 * 01 lane(1) id                 a message that was ready when it was sent, or a turn of a group
 * 02 lane(1) id                 a message that was sent with a delay
 * 03 length(1) group id         a message of a group
 * 04 lane(1) due id             a message waits until it is due, see {@link QueueAttempts}
 * 05 number                     a lease, see {@link QueueAttempts}
 * 06 due number                 the end of a lease that is not in the order of the numbers; no value
 * 07 deduplication id           the id of the message with it; expires with its window
 * 07 ff                         a timer's newest firing, see {@link NewestFiring}
 * 08 group                      a group that has messages; no value
 * 09 id                         a message on its way to the dead letters, see {@link QueueAttempts}
 * </pre>
 */
public final class QueueKeyFormat {
  /** The area of messages that were ready when they were sent, and of turns. */
  public static final byte FRESH = 1;

  /** The area of messages that were sent with a delay. */
  public static final byte DELAYED = 2;

  /** The area of messages of groups. */
  public static final byte GROUPED = 3;

  /** The area of what waits until it is due. */
  public static final byte WAITING = 4;

  /** The area of leases. */
  public static final byte LEASE = 5;

  /** The area of the ends of extended leases. */
  public static final byte EXTENDED = 6;

  /** The area of deduplication ids. */
  public static final byte SEEN = 7;

  /** The area of the groups that have messages. */
  public static final byte GROUP = 8;

  /** The area of messages on their way to the dead letters. */
  public static final byte DYING = 9;

  /** The highest priority. */
  public static final int MAX_PRIORITY = 9;

  /** The longest name of a group, in bytes of UTF-8: its length is one byte. */
  public static final int MAX_GROUP_BYTES = 255;

  private static final byte NEWEST_FIRING = (byte) 0xFF;
  private static final int TIMED_KEY_BYTES = 2 + 2 * Long.BYTES;

  private QueueKeyFormat() {}

  /** The sort key of the head. */
  public static byte[] head() {
    return new byte[0];
  }

  /** The lane of a priority. */
  public static int lane(int priority) {
    return MAX_PRIORITY - priority;
  }

  /** The key of a message, or of a turn, in the area {@link #FRESH} or {@link #DELAYED}. */
  public static byte[] message(byte area, int lane, long id) {
    byte[] key = new byte[2 + Long.BYTES];
    key[0] = area;
    key[1] = (byte) lane;
    BigEndian.putLong(key, 2, id);
    return key;
  }

  /** The key of a message of a group. */
  public static byte[] grouped(byte[] group, long id) {
    byte[] key = Arrays.copyOf(groupPrefix(group), 2 + group.length + Long.BYTES);
    BigEndian.putLong(key, key.length - Long.BYTES, id);
    return key;
  }

  /** The range of a group's messages from an id on. */
  public static SortRange groupRange(byte[] group, long fromId) {
    return SortRange.prefix(groupPrefix(group)).from(grouped(group, fromId), true);
  }

  private static byte[] groupPrefix(byte[] group) {
    byte[] prefix = new byte[2 + group.length];
    prefix[0] = GROUPED;
    prefix[1] = (byte) group.length;
    System.arraycopy(group, 0, prefix, 2, group.length);
    return prefix;
  }

  /** The key of what waits until a time. */
  public static byte[] waiting(int lane, long dueMillis, long id) {
    byte[] key = new byte[TIMED_KEY_BYTES];
    key[0] = WAITING;
    key[1] = (byte) lane;
    BigEndian.putLong(key, 2, dueMillis);
    BigEndian.putLong(key, 2 + Long.BYTES, id);
    return key;
  }

  /** The time in the key of what waits. */
  public static long dueOfWaiting(byte[] key) {
    checkLength(key, TIMED_KEY_BYTES);
    return BigEndian.getLong(key, 2);
  }

  /** The key of a lease. */
  public static byte[] lease(long number) {
    return number(LEASE, number);
  }

  /** The key of a message on its way to the dead letters. */
  public static byte[] dying(long id) {
    return number(DYING, id);
  }

  private static byte[] number(byte area, long number) {
    byte[] key = new byte[1 + Long.BYTES];
    key[0] = area;
    BigEndian.putLong(key, 1, number);
    return key;
  }

  /** The key of the end of an extended lease. */
  public static byte[] extended(long dueMillis, long number) {
    byte[] key = new byte[1 + 2 * Long.BYTES];
    key[0] = EXTENDED;
    BigEndian.putLong(key, 1, dueMillis);
    BigEndian.putLong(key, 1 + Long.BYTES, number);
    return key;
  }

  /** The time in the key of the end of an extended lease. */
  public static long dueOfExtended(byte[] key) {
    checkLength(key, 1 + 2 * Long.BYTES);
    return BigEndian.getLong(key, 1);
  }

  /** The key of a deduplication id. */
  public static byte[] seen(byte[] id) {
    return named(SEEN, id);
  }

  /** The key of a timer's newest firing: no deduplication id, which are UTF-8. */
  public static byte[] newestFiring() {
    return named(SEEN, new byte[] {NEWEST_FIRING});
  }

  /** The key of a group that has messages. */
  public static byte[] group(byte[] group) {
    return named(GROUP, group);
  }

  private static byte[] named(byte area, byte[] name) {
    byte[] key = new byte[1 + name.length];
    key[0] = area;
    System.arraycopy(name, 0, key, 1, name.length);
    return key;
  }

  /** The id or number at the end of a key. */
  public static long idOf(byte[] key) {
    if (key.length <= Long.BYTES) {
      throw new CorruptStoreException("a key of a queue has " + key.length + " bytes", null);
    }
    return BigEndian.getLong(key, key.length - Long.BYTES);
  }

  /** Whether the key of a message is that of a message of a group. */
  public static boolean isGrouped(byte[] messageKey) {
    return messageKey[0] == GROUPED;
  }

  /** The lane of a message. Messages of groups are in the lane of priority 0. */
  public static int laneOf(byte[] messageKey) {
    return isGrouped(messageKey) ? lane(0) : messageKey[1];
  }

  /** The group of a message of a group. */
  public static byte[] groupOf(byte[] messageKey) {
    return Arrays.copyOfRange(messageKey, 2, messageKey.length - Long.BYTES);
  }

  private static void checkLength(byte[] key, int length) {
    if (key.length != length) {
      throw new CorruptStoreException(
          "a key of a queue has " + key.length + " bytes; expected " + length, null);
    }
  }
}
