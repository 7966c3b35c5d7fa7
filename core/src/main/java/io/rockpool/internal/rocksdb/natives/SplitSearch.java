package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.format.Generation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds keys that divide a generation into parts of similar size, from RocksDB's estimates for
 * files and memtables. It uses eight bytes of each key, after the common prefix of all keys. Keys
 * that differ only later are not divided.
 */
public final class SplitSearch {
  /** More scanning threads are not faster, and each part takes some dozens of native calls. */
  private static final int MAX_PARTS = 256;

  private final Database database;
  private final ReadPoint point;
  private final ColumnFamily family;
  private final byte[] lower;
  private final byte[] upper;

  public SplitSearch(Database database, ReadPoint point, ColumnFamily family, long generation) {
    this.database = database;
    this.point = point;
    this.family = family;
    this.lower = Generation.prefix(generation);
    this.upper = Generation.prefix(generation + 1);
  }

  /** The keys of records, each the last of its part; fewer than {@code wanted}. */
  public List<byte[]> splits(int wanted) {
    int parts = Math.min(wanted, MAX_PARTS);
    byte[] first = key(lower, /* forward= */ true);
    byte[] last = key(lower, /* forward= */ false);
    List<byte[]> splits = new ArrayList<>();
    if (first == null || last == null || Arrays.equals(first, last)) {
      return splits;
    }
    byte[] alike = Arrays.copyOf(first, Arrays.mismatch(first, last));
    long from = number(first, alike.length);
    long to = number(last, alike.length);
    long bytes = database.measures().approximateBytes(family, lower, upper);
    for (int i = 1; i < parts; i++) {
      // Floating point, because the product may overflow a long.
      from = search(alike, from, to, (long) ((double) bytes * i / parts));
      byte[] split = key(key(alike, from), /* forward= */ true);
      boolean isNew = splits.isEmpty() || !Arrays.equals(split, splits.get(splits.size() - 1));
      if (split != null && isNew && !Arrays.equals(split, last)) {
        splits.add(split);
      }
    }
    return splits;
  }

  /**
   * The lowest number from {@code from} on whose key has about {@code bytesBefore} bytes before it.
   */
  private long search(byte[] alike, long from, long to, long bytesBefore) {
    long low = from;
    long high = to;
    while (Long.compareUnsigned(low, high) < 0) {
      long middle = low + ((high - low) >>> 1);
      if (database.measures().approximateBytes(family, lower, key(alike, middle)) < bytesBefore) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The first key from {@code from} on, or the last key of the generation; null if there is none.
   */
  private byte @Nullable [] key(byte[] from, boolean forward) {
    try (NativeScan scan = database.scan(point, family, from, upper, false, forward)) {
      return scan.next() ? scan.key() : null;
    }
  }

  /** Eight bytes of a key from {@code offset} on, padded with zeros. */
  private static long number(byte[] key, int offset) {
    return ByteBuffer.wrap(Arrays.copyOfRange(key, offset, offset + Long.BYTES)).getLong();
  }

  private static byte[] key(byte[] alike, long number) {
    return ByteBuffer.allocate(alike.length + Long.BYTES).put(alike).putLong(number).array();
  }
}
