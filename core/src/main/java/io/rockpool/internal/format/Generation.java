package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;

/**
 * Generations: the numbers that stand for spaces in the keys of their records. Each key of a record
 * begins with one, in eight bytes. A store counts them up from {@link #FIRST} and never uses one
 * again, so that clearing or dropping a space is giving its name another number, or none.
 */
public final class Generation {
  /** How many bytes a generation takes at the start of a key. */
  public static final int BYTES = Long.BYTES;

  /** The first generation a store gives away. */
  public static final long FIRST = 1;

  private Generation() {}

  /** The shortest key of a generation, which is below all its others. */
  public static byte[] prefix(long generation) {
    byte[] prefix = new byte[BYTES];
    BigEndian.putLong(prefix, 0, generation);
    return prefix;
  }

  /**
   * The generation a key begins with.
   *
   * @throws CorruptStoreException if the key is too short to hold one
   */
  public static long of(byte[] key) {
    if (key.length < BYTES) {
      throw new CorruptStoreException(
          "a key of " + key.length + " bytes is too short for a generation of " + BYTES, null);
    }
    return BigEndian.getLong(key, 0);
  }
}
