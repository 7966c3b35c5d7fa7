package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A change of a record in the change log of a name; the value of a record in a hidden space.
 *
 * <pre>
 * version      1 byte     1
 * kind         1 byte     0 removal, 1 put, 2 the whole space was cleared, 3 its expiry was set
 * time         8 bytes    when the change was made, in milliseconds since the epoch
 * expiry       8 bytes    of the record for a put, of the space for kind 3; else never
 * offset       LEB128     how many positions before this one its transaction starts
 * hash key     LEB128     the length of the record's hash key; 0 for kinds 2 and 3
 *              bytes      the hash key
 * sort key     LEB128     the length of the record's sort key; 0 for kinds 2 and 3
 *              bytes      the sort key
 * value        the rest   the record's value; empty unless it is a put
 * </pre>
 *
 * <p>The record's hash key is 00, and its sort key is the position in 8 bytes.
 *
 * @param value the value; empty unless it is a put
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LoggedChange(
    byte kind,
    long timeMillis,
    long expiryMillis,
    int offset,
    byte[] hashKey,
    byte[] sortKey,
    byte[] value) {
  /** A record was removed. */
  public static final byte REMOVAL = 0;

  /** A record was put. */
  public static final byte PUT = 1;

  /** All records were removed. */
  public static final byte CLEAR = 2;

  /** The expiry of all records was set. */
  public static final byte EXPIRY = 3;

  private static final byte VERSION = 1;
  private static final int TIME_AT = 2;
  private static final int EXPIRY_AT = TIME_AT + Long.BYTES;
  private static final int OFFSET_AT = EXPIRY_AT + Long.BYTES;

  /** A change that is not logged yet. */
  public static LoggedChange of(
      byte kind, byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis) {
    return new LoggedChange(kind, 0, expiryMillis, 0, hashKey, sortKey, value);
  }

  /** The change with a time and an offset. */
  public LoggedChange at(long newTimeMillis, int newOffset) {
    return new LoggedChange(kind, newTimeMillis, expiryMillis, newOffset, hashKey, sortKey, value);
  }

  /** The sort key of a position. */
  public static byte[] key(long position) {
    byte[] key = new byte[Long.BYTES];
    BigEndian.putLong(key, 0, position);
    return key;
  }

  /**
   * The position of a sort key.
   *
   * @throws CorruptStoreException if it is not a position
   */
  public static long position(byte[] key) {
    if (key.length != Long.BYTES || key[0] < 0) {
      throw new CorruptStoreException(
          "a position of a change has " + key.length + " bytes, or is negative", null);
    }
    return BigEndian.getLong(key, 0);
  }

  /** Encodes the change. */
  public byte[] encode() {
    int hashKeyAt = OFFSET_AT + Leb128.length(offset) + Leb128.length(hashKey.length);
    int sortKeyAt = hashKeyAt + hashKey.length + Leb128.length(sortKey.length);
    byte[] bytes = new byte[sortKeyAt + sortKey.length + value.length];
    bytes[0] = VERSION;
    bytes[1] = kind;
    BigEndian.putLong(bytes, TIME_AT, timeMillis);
    BigEndian.putLong(bytes, EXPIRY_AT, expiryMillis);
    Leb128.put(bytes, OFFSET_AT, offset);
    Leb128.put(bytes, OFFSET_AT + Leb128.length(offset), hashKey.length);
    System.arraycopy(hashKey, 0, bytes, hashKeyAt, hashKey.length);
    Leb128.put(bytes, hashKeyAt + hashKey.length, sortKey.length);
    System.arraycopy(sortKey, 0, bytes, sortKeyAt, sortKey.length);
    System.arraycopy(value, 0, bytes, sortKeyAt + sortKey.length, value.length);
    return bytes;
  }

  /**
   * Decodes a change.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static LoggedChange decode(byte[] bytes) {
    if (bytes.length <= OFFSET_AT || bytes[0] != VERSION || bytes[1] < 0 || bytes[1] > EXPIRY) {
      throw corrupt(bytes);
    }
    int offset = Leb128.get(bytes, OFFSET_AT, bytes.length);
    int lengthAt = OFFSET_AT + Leb128.length(offset);
    byte[] hashKey = part(bytes, lengthAt);
    byte[] sortKey = hashKey == null ? null : part(bytes, end(lengthAt, hashKey));
    if (hashKey == null || sortKey == null) {
      throw corrupt(bytes);
    }
    return new LoggedChange(
        bytes[1],
        BigEndian.getLong(bytes, TIME_AT),
        BigEndian.getLong(bytes, EXPIRY_AT),
        offset,
        hashKey,
        sortKey,
        Arrays.copyOfRange(bytes, end(end(lengthAt, hashKey), sortKey), bytes.length));
  }

  private static byte @Nullable [] part(byte[] bytes, int lengthAt) {
    int length = lengthAt < bytes.length ? Leb128.get(bytes, lengthAt, bytes.length) : -1;
    int from = lengthAt + Leb128.length(Math.max(0, length));
    return length < 0 || length > bytes.length - from
        ? null
        : Arrays.copyOfRange(bytes, from, from + length);
  }

  private static int end(int lengthAt, byte[] part) {
    return lengthAt + Leb128.length(part.length) + part.length;
  }

  private static CorruptStoreException corrupt(byte[] bytes) {
    return new CorruptStoreException(
        "a logged change has " + bytes.length + " bytes that are not a version 1 and its fields",
        null);
  }
}
