package io.rockpool.internal.format;

import io.rockpool.engine.Expiry;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Locale;

/**
 * A record in a space of rows.
 *
 * <pre>
 * flags        1 byte     1: has an expiry; 2: is counted; all other bits must be zero
 * expiry       8 bytes    milliseconds since the epoch, not negative; only with the flag 1
 * value                   to the end
 * </pre>
 */
public final class RowRecordFormat {
  /** The maximum number of bytes before the value. */
  public static final int MAX_HEADER_BYTES = 1 + Long.BYTES;

  private static final int HAS_EXPIRY = 1;
  private static final int COUNTED = 2;
  private static final int KNOWN = HAS_EXPIRY | COUNTED;

  private RowRecordFormat() {}

  /** The number of bytes before the value of a record with this expiry. */
  public static int headerLength(long expiryMillis) {
    return expiryMillis == Expiry.NEVER ? 1 : MAX_HEADER_BYTES;
  }

  /** Writes a record at offset {@code at}. */
  public static void write(
      byte[] value, long expiryMillis, boolean counted, byte[] target, int at) {
    int flags = counted ? COUNTED : 0;
    if (expiryMillis == Expiry.NEVER) {
      target[at] = (byte) flags;
      System.arraycopy(value, 0, target, at + 1, value.length);
    } else {
      target[at] = (byte) (flags | HAS_EXPIRY);
      BigEndian.putLong(target, at + 1, expiryMillis);
      System.arraycopy(value, 0, target, at + MAX_HEADER_BYTES, value.length);
    }
  }

  /** Encodes a record. */
  public static byte[] encode(byte[] value, long expiryMillis, boolean counted) {
    byte[] record = new byte[headerLength(expiryMillis) + value.length];
    write(value, expiryMillis, counted, record, 0);
    return record;
  }

  /**
   * The expiry of the record in the first {@code length} bytes of {@code bytes}.
   *
   * @throws CorruptStoreException if it is not a record of this format
   */
  public static long expiryMillis(byte[] bytes, int length) {
    if ((flags(bytes, length) & HAS_EXPIRY) == 0) {
      return Expiry.NEVER;
    }
    if (length < MAX_HEADER_BYTES) {
      throw new CorruptStoreException(
          "a record of " + length + " bytes is too short for the expiry its flags promise", null);
    }
    long expiryMillis = BigEndian.getLong(bytes, 1);
    if (expiryMillis < 0 || expiryMillis > Expiry.MAX_MILLIS) {
      throw new CorruptStoreException("a record has the impossible expiry " + expiryMillis, null);
    }
    return expiryMillis;
  }

  /**
   * Whether the record of {@code length} bytes is counted. Its first byte is enough.
   *
   * @throws CorruptStoreException if it is not a record of this format
   */
  public static boolean isCounted(byte[] bytes, int length) {
    return (flags(bytes, length) & COUNTED) != 0;
  }

  private static int flags(byte[] bytes, int length) {
    if (length < 1) {
      throw new CorruptStoreException(
          "a record is empty; expected at least its byte of flags", null);
    }
    int flags = bytes[0];
    if ((flags & ~KNOWN) != 0) {
      throw new CorruptStoreException(
          String.format(
              Locale.ROOT,
              "a record has the flags 0x%02x; only those in 0x%02x are known",
              flags & 0xFF,
              KNOWN),
          null);
    }
    return flags;
  }
}
