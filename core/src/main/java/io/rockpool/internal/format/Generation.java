package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * The numbers of spaces in the keys of their records: every record key starts with the eight-byte
 * generation of its space. A store counts generations up from {@link #FIRST} and never reuses one.
 * So clearing a space gives its name a new number, and dropping it gives the name none.
 */
public final class Generation {
  /** The length of a generation at the start of a key. */
  public static final int BYTES = Long.BYTES;

  /** The first generation of a store. */
  public static final long FIRST = 1;

  private Generation() {}

  /** The shortest and lowest key of a generation. */
  public static byte[] prefix(long generation) {
    byte[] prefix = new byte[BYTES];
    BigEndian.putLong(prefix, 0, generation);
    return prefix;
  }

  /**
   * The generation at the start of a key.
   *
   * @throws CorruptStoreException if the key is too short to contain one
   */
  public static long of(byte[] key) {
    if (key.length < BYTES) {
      throw new CorruptStoreException(
          "a key of " + key.length + " bytes is too short for a generation of " + BYTES, null);
    }
    return BigEndian.getLong(key, 0);
  }
}
