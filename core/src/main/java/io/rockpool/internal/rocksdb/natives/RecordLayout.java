package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SortRange;
import java.util.Arrays;

/** How the records of one {@link Layout} become keys and values of a column family. */
public interface RecordLayout {
  static RecordLayout of(Layout layout) {
    return switch (layout) {
      case ROWS -> RowsLayout.INSTANCE;
      case ENTRIES -> EntriesLayout.INSTANCE;
    };
  }

  /** Where the records lie. */
  ColumnFamily family();

  /** Whether rows have many records, counts and an index of what expires. */
  boolean hasRows();

  /** Refuses a sort key that this layout does not have. */
  void checkSortKey(byte[] sortKey);

  int keyLength(byte[] hashKey, byte[] sortKey);

  void writeKey(long generation, byte[] hashKey, byte[] sortKey, byte[] target);

  /** A key of its own. */
  default byte[] key(long generation, byte[] hashKey, byte[] sortKey) {
    byte[] key = new byte[keyLength(hashKey, sortKey)];
    writeKey(generation, hashKey, sortKey, key);
    return key;
  }

  /** The lowest key above that of a record. */
  default byte[] successor(long generation, byte[] hashKey, byte[] sortKey) {
    return Arrays.copyOf(key(generation, hashKey, sortKey), keyLength(hashKey, sortKey) + 1);
  }

  byte[] hashKey(byte[] key);

  byte[] sortKey(byte[] key);

  /** The lowest key a range of a row may hold. */
  byte[] lowerBound(long generation, byte[] hashKey, SortRange range);

  /** The key past all that a range of a row may hold; of the same generation. */
  byte[] upperBound(long generation, byte[] hashKey, SortRange range);

  int recordLength(int valueLength, long expiryMillis);

  /** Writes a record from {@code at} on. */
  void writeRecord(byte[] value, long expiryMillis, boolean counted, byte[] target, int at);

  long expiryMillis(byte[] record, int length);

  int valueOffset(long expiryMillis);

  int valueLength(byte[] record, int length, long expiryMillis);
}
