package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * A record in a space of entries. It is a row in the format of RocksDB's Cassandra compaction
 * filter, with one column, so that compactions drop expired records.
 *
 * <pre>
 * local deletion time  4 bytes  0x7FFFFFFF         the row as a whole is not deleted
 * marked for delete at 8 bytes  0x8000000000000000
 * mask                 1 byte   0: live; 2: expiring
 * index                1 byte   0                  the only column
 * timestamp            8 bytes  the expiry in microseconds since the epoch; 0x7FFFFFFFFFFFFFFF: never
 * length               4 bytes  of the value
 * value
 * ttl                  4 bytes  0                  only in an expiring column
 * </pre>
 *
 * <p><b>The filter trusts its input.</b> For bytes in another format it deletes the record, or
 * reads out of bounds and crashes the process. So only this class writes and reads these records,
 * and their column family contains nothing else.
 *
 * <p>The filter drops an expiring column once timestamp + ttl has passed. It compares 64-bit
 * nanoseconds, in which an expiry after {@link #LAST_NATIVE_EXPIRY_MILLIS} would overflow and seem
 * to be past. A record with such an expiry is written as live, and the filter keeps it forever. Its
 * timestamp still has the expiry, and readers obey it.
 */
public final class EntryFormat {
  /**
   * The last expiry that the filter can compare, in the year 2262, minus a margin of one second.
   */
  public static final long LAST_NATIVE_EXPIRY_MILLIS = Long.MAX_VALUE / 1_000_000 - 1_000;

  /** Bytes before the value. */
  public static final int HEADER_BYTES = 26;

  private static final int NOT_DELETED_TIME = 0x7FFFFFFF;
  private static final long NOT_DELETED_AT = 0x8000000000000000L;
  private static final int DELETED_AT_OFFSET = 4;
  private static final int MASK_OFFSET = 12;
  private static final int INDEX_OFFSET = 13;
  private static final int TIMESTAMP_OFFSET = 14;
  private static final int LENGTH_OFFSET = 22;
  private static final byte LIVE = 0;
  private static final byte EXPIRING = 2;
  private static final int TTL_BYTES = 4;
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long NEVER_MICROS = Long.MAX_VALUE;

  private EntryFormat() {}

  /** The length of a record. */
  public static int length(int valueLength, long expiryMillis) {
    return HEADER_BYTES + valueLength + (isNative(expiryMillis) ? TTL_BYTES : 0);
  }

  /** Writes a record at offset {@code at}. */
  public static void write(byte[] value, long expiryMillis, byte[] target, int at) {
    boolean expiring = isNative(expiryMillis);
    BigEndian.putInt(target, at, NOT_DELETED_TIME);
    BigEndian.putLong(target, at + DELETED_AT_OFFSET, NOT_DELETED_AT);
    target[at + MASK_OFFSET] = expiring ? EXPIRING : LIVE;
    target[at + INDEX_OFFSET] = 0;
    BigEndian.putLong(
        target,
        at + TIMESTAMP_OFFSET,
        expiryMillis == Expiry.NEVER ? NEVER_MICROS : expiryMillis * MICROS_PER_MILLI);
    BigEndian.putInt(target, at + LENGTH_OFFSET, value.length);
    System.arraycopy(value, 0, target, at + HEADER_BYTES, value.length);
    if (expiring) {
      BigEndian.putInt(target, at + HEADER_BYTES + value.length, 0);
    }
  }

  /** Encodes a record. */
  public static byte[] encode(byte[] value, long expiryMillis) {
    byte[] record = new byte[length(value.length, expiryMillis)];
    write(value, expiryMillis, record, 0);
    return record;
  }

  /**
   * The expiry of the record in the first {@code length} bytes of {@code bytes}.
   *
   * @throws CorruptStoreException if it is not a record of this format
   */
  public static long expiryMillis(byte[] bytes, int length) {
    valueLength(bytes, length);
    long micros = BigEndian.getLong(bytes, TIMESTAMP_OFFSET);
    return micros == NEVER_MICROS ? Expiry.NEVER : micros / MICROS_PER_MILLI;
  }

  /**
   * The length of the value in the record of {@code length} bytes at the start of {@code bytes}.
   * The value starts after {@link #HEADER_BYTES}.
   *
   * @throws CorruptStoreException if it is not a record of this format
   */
  public static int valueLength(byte[] bytes, int length) {
    if (length < HEADER_BYTES
        || BigEndian.getInt(bytes, 0) != NOT_DELETED_TIME
        || BigEndian.getLong(bytes, DELETED_AT_OFFSET) != NOT_DELETED_AT
        || bytes[INDEX_OFFSET] != 0) {
      throw new CorruptStoreException(
          "an entry of " + length + " bytes does not begin as one", null);
    }
    long micros = BigEndian.getLong(bytes, TIMESTAMP_OFFSET);
    boolean expiring = bytes[MASK_OFFSET] == EXPIRING;
    int valueLength = BigEndian.getInt(bytes, LENGTH_OFFSET);
    int rest = expiring ? TTL_BYTES : 0;
    if ((bytes[MASK_OFFSET] != LIVE && !expiring)
        || micros < 0
        || valueLength != length - HEADER_BYTES - rest
        || (expiring && BigEndian.getInt(bytes, HEADER_BYTES + valueLength) != 0)) {
      throw new CorruptStoreException(
          "an entry of "
              + length
              + " bytes, with mask "
              + bytes[MASK_OFFSET]
              + ", timestamp "
              + micros
              + " and a value of "
              + valueLength
              + " bytes, contradicts itself",
          null);
    }
    return valueLength;
  }

  private static boolean isNative(long expiryMillis) {
    return expiryMillis <= LAST_NATIVE_EXPIRY_MILLIS;
  }
}
