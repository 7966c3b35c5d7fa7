package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A row in memory, in which nothing expires, that counts what is done to it. */
final class CountingRow implements Row {
  private static final byte[] HASH_KEY = {0};

  private final NavigableMap<byte[], RowRecord> records = new TreeMap<>(Arrays::compareUnsigned);
  long puts;
  long gets;
  long scans;
  final List<byte[]> scannedFrom = new ArrayList<>();
  private long counted;
  long nowMillis;

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public RowRecord get(byte[] sortKey) {
    gets++;
    return records.get(sortKey);
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    scans++;
    scannedFrom.add(range.from());
    NavigableMap<byte[], RowRecord> found = records.tailMap(range.from(), true);
    if (range.to() != null) {
      found = found.headMap(range.to(), false);
    }
    if (direction == Direction.BACKWARD) {
      found = found.descendingMap();
    }
    List<RowRecord> all = new ArrayList<>();
    Iterator<RowRecord> left = found.values().iterator();
    while (all.size() < limit && left.hasNext()) {
      all.add(left.next());
    }
    return all;
  }

  @Override
  public long count() {
    return counted;
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    records.put(sortKey, new RowRecord(HASH_KEY, sortKey, value, expiryMillis));
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    puts++;
    if (records.put(sortKey, new RowRecord(HASH_KEY, sortKey, value, expiryMillis)) == null) {
      counted++;
    }
  }

  @Override
  public void delete(byte[] sortKey) {
    if (records.remove(sortKey) != null) {
      counted--;
    }
  }
}
