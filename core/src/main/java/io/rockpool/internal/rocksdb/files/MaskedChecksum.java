package io.rockpool.internal.rocksdb.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** RocksDB's checksum: a masked CRC-32C in four little-endian bytes. */
public final class MaskedChecksum {
  public static final int BYTES = Integer.BYTES;

  private static final int ROTATION = 15;
  private static final int MASK = 0xa282ead8;

  private MaskedChecksum() {}

  /**
   * Whether the four bytes at {@code at} are the checksum of the bytes from {@code from} to {@code
   * to}.
   */
  public static boolean isAt(int at, byte[] bytes, int from, int to) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at) == of(bytes, from, to);
  }

  /** The checksum of the bytes from {@code from} to {@code to}. */
  static int of(byte[] bytes, int from, int to) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, to - from);
    return Integer.rotateRight((int) checksum.getValue(), ROTATION) + MASK;
  }
}
