package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.util.Arrays;

/**
 * The key of a record in a space of rows.
 *
 * <pre>
 * generation   8 bytes    of the space, see {@link Generation}
 * hash length  1-3 bytes  unsigned LEB128
 * hash key
 * sort key                to the end
 * </pre>
 *
 * <p>All records of a row share a unique prefix. After the prefix, they are in the order of their
 * sort keys as unsigned bytes.
 */
public final class RowKeyFormat {
  private RowKeyFormat() {}

  /** The length of a key. */
  public static int length(byte[] hashKey, byte[] sortKey) {
    return prefixLength(hashKey) + sortKey.length;
  }

  /** Writes a key at the start of {@code target}. */
  public static void write(long generation, byte[] hashKey, byte[] sortKey, byte[] target) {
    BigEndian.putLong(target, 0, generation);
    int at = Leb128.put(target, Generation.BYTES, hashKey.length);
    System.arraycopy(hashKey, 0, target, at, hashKey.length);
    System.arraycopy(sortKey, 0, target, at + hashKey.length, sortKey.length);
  }

  /** Encodes a key. */
  public static byte[] encode(long generation, byte[] hashKey, byte[] sortKey) {
    byte[] key = new byte[length(hashKey, sortKey)];
    write(generation, hashKey, sortKey, key);
    return key;
  }

  /** The length of the common prefix of a row's keys. */
  public static int prefixLength(byte[] hashKey) {
    return Generation.BYTES + Leb128.length(hashKey.length) + hashKey.length;
  }

  /**
   * The hash key in a key.
   *
   * @throws CorruptStoreException if it is not a key of this format
   */
  public static byte[] hashKey(byte[] key) {
    int from = hashKeyOffset(key);
    return Arrays.copyOfRange(key, from, sortKeyOffset(key));
  }

  /**
   * The sort key in a key.
   *
   * @throws CorruptStoreException if it is not a key of this format
   */
  public static byte[] sortKey(byte[] key) {
    return Arrays.copyOfRange(key, sortKeyOffset(key), key.length);
  }

  /** Whether two keys are of one generation and hash key. */
  public static boolean areOfOneRow(byte[] one, byte[] other) {
    int prefix = sortKeyOffset(one);
    return other.length >= prefix && Arrays.equals(one, 0, prefix, other, 0, prefix);
  }

  private static int hashKeyOffset(byte[] key) {
    Generation.of(key);
    return Generation.BYTES + Leb128.length(hashKeyLength(key));
  }

  private static int sortKeyOffset(byte[] key) {
    long offset = (long) hashKeyOffset(key) + hashKeyLength(key);
    if (offset > key.length) {
      throw new CorruptStoreException(
          "a row key of " + key.length + " bytes says that its hash key ends at byte " + offset,
          null);
    }
    return (int) offset;
  }

  private static int hashKeyLength(byte[] key) {
    return Leb128.get(key, Generation.BYTES, key.length);
  }
}
