package io.rockpool.internal.format;

import io.rockpool.internal.bytes.BigEndian;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The point up to which a store's writes are known to be on disk; the content of a small file that
 * is overwritten in place.
 *
 * <pre>
 * version        1 byte     2
 * state          1 byte     0: the store is open, or was not closed; 1: it was closed
 * sequence       8 bytes    the last one forced to the disk; every change of a record takes one
 * manifest       8 bytes    the number of RocksDB's MANIFEST
 * manifestBytes  8 bytes    the length of that file
 * checksum       4 bytes    CRC-32C of all bytes before
 * </pre>
 *
 * @param closed whether the store was closed, so that no write follows {@code sequence}
 * @param sequence the last sequence number forced to disk
 * @param manifest the number of RocksDB's MANIFEST
 * @param manifestBytes the length of that file
 */
public record RecoveryPoint(boolean closed, long sequence, long manifest, long manifestBytes) {
  /** The length of the file. */
  public static final int BYTES = 30;

  private static final byte VERSION = 2;
  private static final int SEQUENCE_OFFSET = 2;
  private static final int MANIFEST_OFFSET = 10;
  private static final int MANIFEST_BYTES_OFFSET = 18;
  private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

  /** Encodes the file. */
  public byte[] encode() {
    byte[] file = new byte[BYTES];
    file[0] = VERSION;
    file[1] = (byte) (closed ? 1 : 0);
    BigEndian.putLong(file, SEQUENCE_OFFSET, sequence);
    BigEndian.putLong(file, MANIFEST_OFFSET, manifest);
    BigEndian.putLong(file, MANIFEST_BYTES_OFFSET, manifestBytes);
    BigEndian.putInt(file, CHECKED_BYTES, checksum(file));
    return file;
  }

  /** Decodes the file; null if it is invalid, because a power loss can leave any bytes in it. */
  public static @Nullable RecoveryPoint decode(byte[] file) {
    if (file.length != BYTES
        || file[0] != VERSION
        || BigEndian.getInt(file, CHECKED_BYTES) != checksum(file)) {
      return null;
    }
    return new RecoveryPoint(
        file[1] == 1,
        BigEndian.getLong(file, SEQUENCE_OFFSET),
        BigEndian.getLong(file, MANIFEST_OFFSET),
        BigEndian.getLong(file, MANIFEST_BYTES_OFFSET));
  }

  private static int checksum(byte[] file) {
    CRC32C checksum = new CRC32C();
    checksum.update(file, 0, CHECKED_BYTES);
    return (int) checksum.getValue();
  }
}
