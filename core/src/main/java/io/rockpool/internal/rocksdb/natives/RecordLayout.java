package io.rockpool.internal.rocksdb.natives;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SortRange;
import java.util.Arrays;

/** Encodes the records of one {@link Layout} as keys and values of a column family. */
public interface RecordLayout {
  static RecordLayout of(Layout layout) {
    return switch (layout) {
      case ROWS -> RowsLayout.INSTANCE;
      case ENTRIES -> EntriesLayout.INSTANCE;
    };
  }

  /** The column family of the records. */
  ColumnFamily family();

  /** Whether rows have many records, counts and an expiry index. */
  boolean hasRows();

  /** Rejects a sort key that this layout does not allow. */
  void checkSortKey(byte[] sortKey);

  /** Rejects a hash key or sort key that records of this layout cannot have. */
  void checkKey(byte[] hashKey, byte[] sortKey);

  int keyLength(byte[] hashKey, byte[] sortKey);

  void writeKey(long generation, byte[] hashKey, byte[] sortKey, byte[] target);

  /** A new array with the key of a record. */
  byte[] key(long generation, byte[] hashKey, byte[] sortKey);

  /** The lowest key above that of a record. */
  default byte[] successor(long generation, byte[] hashKey, byte[] sortKey) {
    return Arrays.copyOf(key(generation, hashKey, sortKey), keyLength(hashKey, sortKey) + 1);
  }

  byte[] hashKey(byte[] key);

  byte[] sortKey(byte[] key);

  /** The lowest key of a range of a row. */
  byte[] lowerBound(long generation, byte[] hashKey, SortRange range);

  /** The exclusive upper bound of a range of a row; of the same generation. */
  byte[] upperBound(long generation, byte[] hashKey, SortRange range);

  /** Opens a scan over the records in a range of a row. */
  default NativeScan scan(
      Database database,
      ReadPoint point,
      long generation,
      byte[] hashKey,
      SortRange range,
      boolean forward) {
    byte[] lower = lowerBound(generation, hashKey, range);
    byte[] upper = upperBound(generation, hashKey, range);
    return database.scan(point, family(), lower, upper, true, forward);
  }

  int recordLength(int valueLength, long expiryMillis);

  /** Writes a record into {@code target} at {@code at}. */
  void writeRecord(byte[] value, long expiryMillis, boolean counted, byte[] target, int at);

  long expiryMillis(byte[] record, int length);

  int valueOffset(long expiryMillis);

  int valueLength(byte[] record, int length, long expiryMillis);
}
