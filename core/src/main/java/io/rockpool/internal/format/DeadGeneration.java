package io.rockpool.internal.format;

import io.rockpool.engine.Layout;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;

/**
 * A generation that no name uses any longer, kept until the disk space of its records is reclaimed;
 * the value of its catalog record.
 *
 * <pre>
 * version      1 byte     1
 * layout       1 byte     of its records, see {@link LayoutFormat}
 * died         8 bytes    milliseconds since the epoch
 * </pre>
 *
 * @param layout the layout of its records
 * @param diedMillis when its name gave it up
 */
public record DeadGeneration(Layout layout, long diedMillis) {
  private static final byte VERSION = 1;
  private static final int BYTES = 2 + Long.BYTES;

  /** Encodes the record. */
  public byte[] encode() {
    byte[] record = new byte[BYTES];
    record[0] = VERSION;
    record[1] = LayoutFormat.encode(layout);
    BigEndian.putLong(record, 2, diedMillis);
    return record;
  }

  /**
   * Decodes the record.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static DeadGeneration decode(byte[] bytes) {
    if (bytes.length != BYTES || bytes[0] != VERSION) {
      throw new CorruptStoreException(
          "a dead generation has "
              + bytes.length
              + " bytes; expected "
              + BYTES
              + " of version "
              + VERSION,
          null);
    }
    return new DeadGeneration(LayoutFormat.decode(bytes[1]), BigEndian.getLong(bytes, 2));
  }
}
