package io.rockpool.internal.format;

import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * How far a store's writes are known to be on the disk; the whole of a small file that is written
 * over in place.
 *
 * <pre>
 * version      1 byte     1
 * state        1 byte     0: the store is open, or was not closed; 1: it was closed
 * sequence     8 bytes    the last one forced to the disk; every change of a record takes one
 * checksum     4 bytes    CRC-32C of what goes before
 * </pre>
 *
 * @param closed whether the store was closed, so that no write follows {@code sequence}
 * @param sequence the last sequence number forced to the disk
 */
public record RecoveryPoint(boolean closed, long sequence) {
  /** How many bytes one takes. */
  public static final int BYTES = 14;

  private static final byte VERSION = 1;
  private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

  /** The file. */
  public byte[] encode() {
    byte[] file = new byte[BYTES];
    file[0] = VERSION;
    file[1] = (byte) (closed ? 1 : 0);
    BigEndian.putLong(file, 2, sequence);
    BigEndian.putInt(file, CHECKED_BYTES, checksum(file));
    return file;
  }

  /** The point in a file, or null if it holds none: a power loss may leave any bytes there. */
  public static @Nullable RecoveryPoint decode(byte[] file) {
    if (file.length != BYTES
        || file[0] != VERSION
        || BigEndian.getInt(file, CHECKED_BYTES) != checksum(file)) {
      return null;
    }
    return new RecoveryPoint(file[1] == 1, BigEndian.getLong(file, 2));
  }

  private static int checksum(byte[] file) {
    CRC32C checksum = new CRC32C();
    checksum.update(file, 0, CHECKED_BYTES);
    return (int) checksum.getValue();
  }
}
