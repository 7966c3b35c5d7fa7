package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Arrays;

/**
 * The key of an index record. Each put of a row record with an expiry writes one, with an empty
 * value.
 *
 * <pre>
 * expiry       8 bytes    milliseconds since the epoch
 * record key              see {@link RowKeyFormat}, to the end
 * </pre>
 *
 * <p>So the index is sorted by expiry over all spaces. It is a hint: deleting or overwriting a
 * record leaves its index record in place, so readers of the index must check the record itself.
 */
public final class ExpiryIndexFormat {
  private ExpiryIndexFormat() {}

  /** Encodes an index key. */
  public static byte[] encode(long expiryMillis, byte[] recordKey) {
    byte[] key = new byte[Long.BYTES + recordKey.length];
    BigEndian.putLong(key, 0, expiryMillis);
    System.arraycopy(recordKey, 0, key, Long.BYTES, recordKey.length);
    return key;
  }

  /** The lowest key above all that are due at or before an instant. */
  public static byte[] behind(long expiryMillis) {
    byte[] key = new byte[Long.BYTES];
    BigEndian.putLong(key, 0, expiryMillis + 1);
    return key;
  }

  /**
   * The expiry in an index key.
   *
   * @throws CorruptStoreException if it is not a key of this format
   */
  public static long expiryMillis(byte[] key) {
    if (key.length < Long.BYTES + Generation.BYTES) {
      throw new CorruptStoreException(
          "an index key of " + key.length + " bytes is too short for an expiry and a generation",
          null);
    }
    return BigEndian.getLong(key, 0);
  }

  /**
   * The record key in an index key.
   *
   * @throws CorruptStoreException if it is not a key of this format
   */
  public static byte[] recordKey(byte[] key) {
    expiryMillis(key);
    return Arrays.copyOfRange(key, Long.BYTES, key.length);
  }
}
