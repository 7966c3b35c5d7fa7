package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.Leb128;
import java.util.Arrays;
import java.util.Set;

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

  /** Types of which each change has a value. */
  private static final Set<Byte> WITH_VALUE = Set.of(PUT, MERGE, DELETE_RANGE);

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

  /**
   * A batch with some of the changes of another one.
   *
   * @param skip how many changes to leave out at the beginning
   * @param count how many changes to keep
   * @throws CorruptStoreException if {@code batch} is malformed
   */
  static byte[] part(byte[] batch, int skip, int count) {
    int from = HEADER_BYTES;
    for (int change = 0; change < skip; change++) {
      from = skipChange(batch, from);
    }
    int to = from;
    for (int change = 0; change < count; change++) {
      to = skipChange(batch, to);
    }
    return encode(count, Arrays.copyOfRange(batch, from, to));
  }

  private static int skipChange(byte[] batch, int at) {
    if (at >= batch.length || !(batch[at] == DELETE || WITH_VALUE.contains(batch[at]))) {
      throw new CorruptStoreException("A batch of the log has an unknown change.", null);
    }
    int family = Leb128.get(batch, at + 1, batch.length);
    int end = skipBytes(batch, at + 1 + Leb128.length(family));
    return batch[at] == DELETE ? end : skipBytes(batch, end);
  }

  private static int skipBytes(byte[] batch, int at) {
    int length = Leb128.get(batch, at, batch.length);
    int from = at + Leb128.length(length);
    if (length > batch.length - from) {
      throw new CorruptStoreException("A batch of the log is cut short.", null);
    }
    return from + length;
  }
}
