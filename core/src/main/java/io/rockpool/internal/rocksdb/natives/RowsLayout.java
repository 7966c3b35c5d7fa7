package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import java.util.Objects;

/** Rows of many records: {@link RowKeyFormat} and {@link RowRecordFormat}. */
public final class RowsLayout implements RecordLayout {
  public static final RowsLayout INSTANCE = new RowsLayout();

  private RowsLayout() {}

  @Override
  public ColumnFamily family() {
    return ColumnFamily.ROWS;
  }

  @Override
  public boolean hasRows() {
    return true;
  }

  @Override
  public void checkSortKey(byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkSortKey(sortKey);
  }

  @Override
  public void checkKey(byte[] hashKey, byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    checkSortKey(sortKey);
  }

  @Override
  public int keyLength(byte[] hashKey, byte[] sortKey) {
    return RowKeyFormat.length(hashKey, sortKey);
  }

  @Override
  public void writeKey(long generation, byte[] hashKey, byte[] sortKey, byte[] target) {
    RowKeyFormat.write(generation, hashKey, sortKey, target);
  }

  @Override
  public byte[] key(long generation, byte[] hashKey, byte[] sortKey) {
    return RowKeyFormat.encode(generation, hashKey, sortKey);
  }

  @Override
  public byte[] hashKey(byte[] key) {
    return RowKeyFormat.hashKey(key);
  }

  @Override
  public byte[] sortKey(byte[] key) {
    return RowKeyFormat.sortKey(key);
  }

  @Override
  public byte[] lowerBound(long generation, byte[] hashKey, SortRange range) {
    return RowKeyFormat.encode(generation, hashKey, range.from());
  }

  @Override
  public byte[] upperBound(long generation, byte[] hashKey, SortRange range) {
    byte[] to = range.to();
    if (to != null) {
      return RowKeyFormat.encode(generation, hashKey, to);
    }
    byte[] prefix = RowKeyFormat.encode(generation, hashKey, Space.NO_SORT_KEY);
    // The length before the hash key is never all ones, so the successor has the same generation.
    return Objects.requireNonNull(SortRange.successorOfPrefix(prefix));
  }

  @Override
  public int recordLength(int valueLength, long expiryMillis) {
    return RowRecordFormat.headerLength(expiryMillis) + valueLength;
  }

  @Override
  public void writeRecord(byte[] value, long expiryMillis, boolean counted, byte[] target, int at) {
    RowRecordFormat.write(value, expiryMillis, counted, target, at);
  }

  @Override
  public long expiryMillis(byte[] record, int length) {
    return RowRecordFormat.expiryMillis(record, length);
  }

  @Override
  public int valueOffset(long expiryMillis) {
    return RowRecordFormat.headerLength(expiryMillis);
  }

  @Override
  public int valueLength(byte[] record, int length, long expiryMillis) {
    return length - RowRecordFormat.headerLength(expiryMillis);
  }
}
