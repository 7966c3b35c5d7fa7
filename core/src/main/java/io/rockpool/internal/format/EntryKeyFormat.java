package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Arrays;

/**
 * The key of a row in a space of entries, and of a row's count.
 *
 * <pre>
 * generation   8 bytes    of the space, see {@link Generation}
 * hash key                to the end
 * </pre>
 */
public final class EntryKeyFormat {
  private EntryKeyFormat() {}

  /** The length of a key. */
  public static int length(byte[] hashKey) {
    return Generation.BYTES + hashKey.length;
  }

  /** Writes a key at the start of {@code target}. */
  public static void write(long generation, byte[] hashKey, byte[] target) {
    BigEndian.putLong(target, 0, generation);
    System.arraycopy(hashKey, 0, target, Generation.BYTES, hashKey.length);
  }

  /** Encodes a key. */
  public static byte[] encode(long generation, byte[] hashKey) {
    byte[] key = new byte[length(hashKey)];
    write(generation, hashKey, key);
    return key;
  }

  /**
   * The hash key in a key.
   *
   * @throws CorruptStoreException if it is not a key of this format
   */
  public static byte[] hashKey(byte[] key) {
    Generation.of(key);
    return Arrays.copyOfRange(key, Generation.BYTES, key.length);
  }
}
