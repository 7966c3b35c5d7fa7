package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import java.util.Arrays;

/**
 * The key of an index record, one for each put of a row record with an expiry; its value is empty.
 *
 * <pre>
 * expiry       8 bytes    milliseconds since the epoch
 * record key              see {@link RowKeyFormat}, to the end
 * </pre>
 *
 * <p>So the index is sorted by expiry over all spaces. It is a hint: a record that was deleted or
 * put again since leaves its index record behind, and whoever follows one must look at the record
 * itself.
 */
public final class ExpiryIndexFormat {
  private ExpiryIndexFormat() {}

  /** An index key. */
  public static byte[] encode(long expiryMillis, byte[] recordKey) {
    byte[] key = new byte[Long.BYTES + recordKey.length];
    BigEndian.putLong(key, 0, expiryMillis);
    System.arraycopy(recordKey, 0, key, Long.BYTES, recordKey.length);
    return key;
  }

  /** The lowest key behind all that are due at an instant or before. */
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
