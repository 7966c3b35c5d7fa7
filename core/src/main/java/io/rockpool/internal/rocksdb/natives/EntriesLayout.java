package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import java.util.Objects;

/** Rows of one record: {@link EntryKeyFormat} and {@link EntryFormat}. */
public final class EntriesLayout implements RecordLayout {
  public static final EntriesLayout INSTANCE = new EntriesLayout();

  private EntriesLayout() {}

  @Override
  public ColumnFamily family() {
    return ColumnFamily.ENTRIES;
  }

  @Override
  public boolean hasRows() {
    return false;
  }

  @Override
  public void checkSortKey(byte[] sortKey) {
    if (Objects.requireNonNull(sortKey, "sortKey").length != 0) {
      throw new IllegalArgumentException(
          "A sort key of "
              + sortKey.length
              + " bytes in a space of entries; pass Space.NO_SORT_KEY.");
    }
  }

  @Override
  public void checkKey(byte[] hashKey, byte[] sortKey) {
    EngineLimits.OF_CONTRACT.checkHashKey(hashKey);
    checkSortKey(sortKey);
  }

  @Override
  public int keyLength(byte[] hashKey, byte[] sortKey) {
    return EntryKeyFormat.length(hashKey);
  }

  @Override
  public void writeKey(long generation, byte[] hashKey, byte[] sortKey, byte[] target) {
    EntryKeyFormat.write(generation, hashKey, target);
  }

  @Override
  public byte[] key(long generation, byte[] hashKey, byte[] sortKey) {
    return EntryKeyFormat.encode(generation, hashKey);
  }

  @Override
  public byte[] hashKey(byte[] key) {
    return EntryKeyFormat.hashKey(key);
  }

  @Override
  public byte[] sortKey(byte[] key) {
    return Space.NO_SORT_KEY;
  }

  @Override
  public byte[] lowerBound(long generation, byte[] hashKey, SortRange range) {
    return range.contains(Space.NO_SORT_KEY)
        ? EntryKeyFormat.encode(generation, hashKey)
        : upperBound(generation, hashKey, range);
  }

  @Override
  public byte[] upperBound(long generation, byte[] hashKey, SortRange range) {
    return successor(generation, hashKey, Space.NO_SORT_KEY);
  }

  @Override
  public int recordLength(int valueLength, long expiryMillis) {
    return EntryFormat.length(valueLength, expiryMillis);
  }

  @Override
  public void writeRecord(byte[] value, long expiryMillis, boolean counted, byte[] target, int at) {
    EntryFormat.write(value, expiryMillis, target, at);
  }

  @Override
  public long expiryMillis(byte[] record, int length) {
    return EntryFormat.expiryMillis(record, length);
  }

  @Override
  public int valueOffset(long expiryMillis) {
    return EntryFormat.HEADER_BYTES;
  }

  @Override
  public int valueLength(byte[] record, int length, long expiryMillis) {
    return EntryFormat.valueLength(record, length);
  }
}
