package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.rocksdb.natives.RecordScan;

/**
 * The records of a scan that {@link RowMemory} has. The arrays are shared and must not be changed.
 */
final class RowSlice implements RecordScan {
  private final byte[][] keys;
  private final byte[][] records;
  private int size;
  private int at = -1;
  private boolean closed;

  /** An empty slice for at most {@code limit} records. */
  RowSlice(int limit) {
    this.keys = new byte[limit][];
    this.records = new byte[limit][];
  }

  /**
   * Adds the records of a page that are in a range; returns whether that is the last page: there
   * are enough, or the range ends in it.
   */
  boolean add(RowPage page, byte[] from, byte[] to, boolean forward) {
    int begin = page.below(from);
    int end = page.below(to);
    int more = Math.min(end - begin, keys.length - size);
    for (int i = 0; i < more; i++) {
      int next = forward ? begin + i : end - 1 - i;
      keys[size] = page.key(next);
      records[size++] = page.record(next);
    }
    return size == keys.length || (forward ? page.reaches(to) : page.beginsBy(from));
  }

  int size() {
    return size;
  }

  @Override
  public boolean next() {
    return ++at < size;
  }

  @Override
  public byte[] key() {
    return keys[at];
  }

  @Override
  public int readValue() {
    return records[at].length;
  }

  @Override
  public byte[] value() {
    return records[at];
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
