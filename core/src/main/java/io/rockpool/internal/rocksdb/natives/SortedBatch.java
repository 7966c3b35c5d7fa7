package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.bytes.Leb128;
import java.util.Arrays;

/**
 * A batch with its changes about in the order of their keys: RocksDB's memtable takes neighbours
 * one after the other for half of the cost. Changes of one key stay in their order. The keys are
 * only compared in six bytes after what they have in common, so that sorting touches no keys.
 */
final class SortedBatch {
  private static final int INDEX_BITS = 15;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  /** Larger batches stay as they are. */
  static final int MAX_CHANGES = 1 << INDEX_BITS;

  private static final int COMPARED_BYTES = (Long.SIZE - 1 - INDEX_BITS) / Byte.SIZE;

  private final byte[] bytes;
  private final int[] changes;
  private final int[] keys;
  private final int[] keyEnds;

  private SortedBatch(byte[] bytes, int from, int to, int count) {
    this.bytes = bytes;
    this.changes = new int[count + 1];
    this.keys = new int[count];
    this.keyEnds = new int[count];
    int at = from;
    for (int i = 0; i < count; i++) {
      changes[i] = at;
      boolean hasValue = bytes[at++] != BatchFormat.DELETE;
      at += Leb128.length(Leb128.get(bytes, at, to));
      int keyLength = Leb128.get(bytes, at, to);
      keys[i] = at + Leb128.length(keyLength);
      at = keys[i] + keyLength;
      keyEnds[i] = at;
      if (hasValue) {
        int valueLength = Leb128.get(bytes, at, to);
        at += Leb128.length(valueLength) + valueLength;
      }
    }
    changes[count] = at;
  }

  /**
   * A batch of {@code count} changes of one family, in {@code bytes[from, to)} in {@link
   * BatchFormat}.
   */
  static byte[] of(byte[] bytes, int from, int to, int count) {
    byte[] batch = new byte[BatchFormat.HEADER_BYTES + to - from];
    BatchFormat.putCount(batch, count);
    if (count > MAX_CHANGES) {
      System.arraycopy(bytes, from, batch, BatchFormat.HEADER_BYTES, to - from);
      return batch;
    }
    new SortedBatch(bytes, from, to, count).write(batch);
    return batch;
  }

  private void write(byte[] batch) {
    int at = BatchFormat.HEADER_BYTES;
    for (long place : order()) {
      int change = (int) place & INDEX_MASK;
      int length = changes[change + 1] - changes[change];
      System.arraycopy(bytes, changes[change], batch, at, length);
      at += length;
    }
  }

  /** For each change, in their order, the bytes that are compared and its index. */
  private long[] order() {
    int common = common();
    long[] order = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      long compared = 0;
      for (int k = 0; k < COMPARED_BYTES; k++) {
        int at = keys[i] + common + k;
        compared = compared << Byte.SIZE | (at < keyEnds[i] ? bytes[at] & 0xFF : 0);
      }
      order[i] = compared << INDEX_BITS | i;
    }
    Arrays.sort(order);
    return order;
  }

  /** With how many equal bytes all keys begin. */
  private int common() {
    int common = keyEnds[0] - keys[0];
    for (int i = 1; i < keys.length; i++) {
      int length = Math.min(common, keyEnds[i] - keys[i]);
      int unequal =
          Arrays.mismatch(bytes, keys[0], keys[0] + length, bytes, keys[i], keys[i] + length);
      common = unequal < 0 ? length : unequal;
    }
    return common;
  }
}
