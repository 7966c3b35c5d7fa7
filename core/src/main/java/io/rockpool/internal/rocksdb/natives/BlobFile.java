package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.rocksdb.files.MaskedChecksum;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The frame of a file of large values: a fixed header, and a footer with its checksum. RocksDB
 * reads both when it opens the file. If they are damaged, it can read none of the values. It does
 * not notice damage while it has the file open. Each value has its own checksum, which every read
 * checks.
 */
public final class BlobFile {
  private static final int HEADER_BYTES = 30;
  private static final int FOOTER_BYTES = 32;
  private static final int MAGIC = 0x248f37;
  private static final int VERSION = 1;

  private BlobFile() {}

  /** Whether RocksDB can open it again. */
  public static boolean canBeOpened(Path path, int familyId) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long footer = file.length() - FOOTER_BYTES;
      return footer >= HEADER_BYTES
          && Arrays.equals(read(file, 0, HEADER_BYTES), header(familyId))
          && hasItsChecksum(read(file, footer, FOOTER_BYTES));
    }
  }

  private static byte[] read(RandomAccessFile file, long from, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.seek(from);
    file.readFully(bytes);
    return bytes;
  }

  /** The last bytes, a flag and a range of times, are 0: the files have no expiry. */
  private static byte[] header(int familyId) {
    byte[] header = new byte[HEADER_BYTES];
    ByteBuffer.wrap(header)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .putInt(VERSION)
        .putInt(familyId)
        .put((byte) 0)
        .put(NativeOptions.BLOB_COMPRESSION.getValue());
    return header;
  }

  private static boolean hasItsChecksum(byte[] footer) {
    int end = FOOTER_BYTES - MaskedChecksum.BYTES;
    return MaskedChecksum.isAt(end, footer, 0, end);
  }
}
