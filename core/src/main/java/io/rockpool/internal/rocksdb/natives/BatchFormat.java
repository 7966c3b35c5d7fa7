package io.rockpool.internal.rocksdb.natives;

/**
 * RocksDB's format of batches:
 *
 * <pre>
 * sequence   8 bytes, 0; filled in by RocksDB
 * count      4 bytes, little-endian
 * per change: 1 byte type (4 delete, 5 put, 6 merge, 14 delete a range), column family as unsigned
 *       LEB128, then key and, except for a delete, value, each after its length as unsigned
 *       LEB128; the value of a range is its exclusive upper bound
 * </pre>
 */
final class BatchFormat {
  static final int HEADER_BYTES = 12;
  static final byte DELETE = 4;
  static final byte PUT = 5;
  static final byte MERGE = 6;
  static final byte DELETE_RANGE = 14;

  /** The most bytes of a change besides its key and value. */
  static final int MAX_FRAME_BYTES = 1 + 3 * 5;

  private static final int COUNT_OFFSET = 8;

  private BatchFormat() {}

  /** Writes the number of changes into the header of a batch. */
  static void putCount(byte[] batch, int count) {
    for (int i = 0; i < Integer.BYTES; i++) {
      batch[COUNT_OFFSET + i] = (byte) (count >>> (i * Byte.SIZE));
    }
  }

  /** A batch with {@code count} changes. */
  static byte[] encode(int count, byte[] changes) {
    byte[] batch = new byte[HEADER_BYTES + changes.length];
    putCount(batch, count);
    System.arraycopy(changes, 0, batch, HEADER_BYTES, changes.length);
    return batch;
  }
}
