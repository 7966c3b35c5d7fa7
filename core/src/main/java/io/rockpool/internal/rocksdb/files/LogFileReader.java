package io.rockpool.internal.rocksdb.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of RocksDB's write-ahead log while RocksDB writes to it, or after RocksDB has
 * deleted it. Not thread-safe.
 *
 * <p>The file consists of blocks of 32 KiB. A record has parts, none of which spans two blocks:
 * checksum (4 bytes), length (2), type (1: the whole record; 2, 3, 4: its first, a middle, its last
 * part), data. Bytes at the end of a block that are too few for a header are zeros.
 */
final class LogFileReader implements AutoCloseable {
  private static final int BLOCK_BYTES = 32 << 10;
  private static final int HEADER_BYTES = 7;
  private static final int LENGTH_OFFSET = 4;
  private static final int TYPE_OFFSET = 6;
  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;

  /** Readers may skip parts of unknown types from here on. */
  private static final int MAY_SKIP = 128;

  private final RandomAccessFile file;

  /** Where the next record begins. */
  private long next;

  /** The block that was read last, and where it begins. */
  private byte[] block = {};

  private long blockAt = -1;

  LogFileReader(Path path) throws IOException {
    this.file = new RandomAccessFile(path.toFile(), "r");
  }

  /** The bytes that were not read yet. */
  long unreadBytes() throws IOException {
    return file.length() - next;
  }

  /** The next record; null if it is not complete, or damaged: then it stays the next one. */
  @Nullable LogRecord read() throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    long at = next;
    boolean begun = false;
    while (true) {
      int rest = BLOCK_BYTES - (int) (at % BLOCK_BYTES);
      if (rest < HEADER_BYTES) {
        at += rest;
        continue;
      }
      int start = (int) (at % BLOCK_BYTES);
      if (!load(at - start, start)) {
        return null;
      }
      int end = start + HEADER_BYTES + length(start + LENGTH_OFFSET);
      int type = block[start + TYPE_OFFSET] & 0xFF;
      at += end - start;
      if (type >= MAY_SKIP) {
        next = begun ? next : at;
        continue;
      }
      if (begun != (type == MIDDLE || type == LAST) || type < WHOLE || type > LAST) {
        return null;
      }
      parts.write(block, start + HEADER_BYTES, end - start - HEADER_BYTES);
      begun = type == FIRST || type == MIDDLE;
      if (!begun) {
        if (parts.size() < LogRecord.HEADER_BYTES) {
          return null;
        }
        next = at;
        return new LogRecord(parts.toByteArray());
      }
    }
  }

  /** Whether there is a sound part at an offset of the block that begins at {@code from}. */
  private boolean load(long from, int start) throws IOException {
    if (blockAt == from && isSound(start)) {
      return true;
    }
    byte[] bytes = new byte[(int) Math.max(0, Math.min(BLOCK_BYTES, file.length() - from))];
    file.seek(from);
    file.readFully(bytes);
    block = bytes;
    blockAt = from;
    return isSound(start);
  }

  private boolean isSound(int start) {
    if (block.length - start < HEADER_BYTES) {
      return false;
    }
    int end = start + HEADER_BYTES + length(start + LENGTH_OFFSET);
    return end <= block.length && MaskedChecksum.isAt(start, block, start + TYPE_OFFSET, end);
  }

  private int length(int at) {
    return (block[at] & 0xFF) | (block[at + 1] & 0xFF) << Byte.SIZE;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
