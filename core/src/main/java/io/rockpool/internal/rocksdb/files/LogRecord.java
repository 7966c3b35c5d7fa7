package io.rockpool.internal.rocksdb.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A record of RocksDB's write-ahead log: one or more batches of changes, each of them as a whole.
 *
 * @param batch in RocksDB's format, which begins with the sequence number of the first change and
 *     the number of changes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LogRecord(byte[] batch) {
  /** The length of what precedes the changes. */
  public static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

  /** The sequence number of the first change. */
  public long first() {
    return header().getLong(0);
  }

  /** The sequence number of the last change. */
  public long last() {
    return first() + header().getInt(Long.BYTES) - 1;
  }

  private ByteBuffer header() {
    return ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
  }
}
