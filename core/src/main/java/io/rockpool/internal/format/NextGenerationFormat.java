package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/** The next unused generation of a store, in eight bytes; the value of its catalog record. */
public final class NextGenerationFormat {
  private NextGenerationFormat() {}

  /** Encodes the record. */
  public static byte[] encode(long generation) {
    return Generation.prefix(generation);
  }

  /**
   * Decodes the record.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static long decode(byte[] bytes) {
    if (bytes.length != Generation.BYTES || BigEndian.getLong(bytes, 0) < Generation.FIRST) {
      throw new CorruptStoreException(
          "the next generation has "
              + bytes.length
              + " bytes or is not positive; expected a positive number in "
              + Generation.BYTES,
          null);
    }
    return BigEndian.getLong(bytes, 0);
  }
}
