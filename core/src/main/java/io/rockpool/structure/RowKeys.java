package io.rockpool.structure;

import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The hash keys of records, each once. The records of a row come together. */
final class RowKeys implements Iterator<byte[]> {
  /** No sort key is above it. */
  static final byte[] LAST_SORT_KEY = lastSortKey();

  private final Iterator<RowRecord> records;
  private byte @Nullable [] last;
  private byte @Nullable [] next;

  RowKeys(Iterator<RowRecord> records) {
    this.records = records;
  }

  private static byte[] lastSortKey() {
    byte[] key = new byte[Limits.MAX_SORT_KEY_BYTES];
    Arrays.fill(key, (byte) 0xFF);
    return key;
  }

  @Override
  public boolean hasNext() {
    while (next == null && records.hasNext()) {
      byte[] hashKey = records.next().hashKey();
      next = Arrays.equals(hashKey, last) ? null : hashKey;
    }
    return next != null;
  }

  @Override
  public byte[] next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    byte[] key = next;
    last = key;
    next = null;
    return key;
  }
}
