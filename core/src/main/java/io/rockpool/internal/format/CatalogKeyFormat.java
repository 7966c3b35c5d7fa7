package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.nio.charset.StandardCharsets;

/**
 * The keys of the catalog. Their first byte is the kind.
 *
 * <pre>
 * 'd' generation   8 bytes  a dead generation, see {@link DeadGeneration}
 * 'g'                       the next generation, 8 bytes
 * 'n' name         UTF-8    what a name stands for, see {@link Descriptor}
 * </pre>
 *
 * <p>A key contains the whole name, so all names below a level are adjacent.
 */
public final class CatalogKeyFormat {
  private static final byte DEAD_GENERATION = 'd';
  private static final byte NEXT_GENERATION = 'g';
  private static final byte NAME = 'n';

  private CatalogKeyFormat() {}

  /** The key of a name, and the prefix of the keys of all names that start with {@code name}. */
  public static byte[] name(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    byte[] key = new byte[1 + utf8.length];
    key[0] = NAME;
    System.arraycopy(utf8, 0, key, 1, utf8.length);
    return key;
  }

  /** Whether a key is the key of a name. */
  public static boolean isName(byte[] key) {
    return key.length > 1 && key[0] == NAME;
  }

  /** Whether a key is the key of a dead generation. */
  public static boolean isDeadGeneration(byte[] key) {
    return key.length == 1 + Generation.BYTES && key[0] == DEAD_GENERATION;
  }

  /**
   * The name in a key.
   *
   * @throws CorruptStoreException if it is not the key of a name
   */
  public static String nameOf(byte[] key) {
    if (!isName(key)) {
      throw corrupt(key, "a name");
    }
    return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
  }

  /** The key of the next generation. */
  public static byte[] nextGeneration() {
    return new byte[] {NEXT_GENERATION};
  }

  /** The key of a dead generation. */
  public static byte[] deadGeneration(long generation) {
    byte[] key = new byte[1 + Generation.BYTES];
    key[0] = DEAD_GENERATION;
    BigEndian.putLong(key, 1, generation);
    return key;
  }

  /**
   * The generation in the key of a dead generation.
   *
   * @throws CorruptStoreException if it is not such a key
   */
  public static long deadGenerationOf(byte[] key) {
    if (!isDeadGeneration(key)) {
      throw corrupt(key, "a dead generation");
    }
    return BigEndian.getLong(key, 1);
  }

  /** The prefix of the keys of all dead generations. */
  public static byte[] deadGenerations() {
    return new byte[] {DEAD_GENERATION};
  }

  private static CorruptStoreException corrupt(byte[] key, String expected) {
    return new CorruptStoreException(
        "a key of the catalog has " + key.length + " bytes that are not those of " + expected,
        null);
  }
}
