package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes a range of sorted entries, which are all in one row. */
final class RangeWrites<K, V> extends EntryWrites<K, V> {
  /** Records that one transaction removes. It bounds memory and the wait of other writers. */
  private static final int REMOVED_AT_ONCE = 64;

  private final SortedCodec<K, V> codec;
  private final KeyRange range;
  private final byte[] row;

  RangeWrites(SortedCodec<K, V> codec, Records records) {
    this(codec, records, new StructureListeners<>(codec.space()));
  }

  RangeWrites(
      SortedCodec<K, V> codec,
      Records records,
      StructureListeners<EntryListener<? super K, ? super V>> listeners) {
    super(codec, records, listeners);
    this.codec = codec;
    this.range = codec.range();
    this.row = records.buckets().rows().get(0);
  }

  /** Writes to another range of the same structure. */
  RangeWrites<K, V> within(KeyRange other) {
    return new RangeWrites<>(codec.within(other), records(), listeners());
  }

  /** Removes and returns the first entry. Atomic. */
  Map.@Nullable Entry<K, V> pollFirst() {
    return poll(range.direction());
  }

  /** Removes and returns the last entry. Atomic. */
  Map.@Nullable Entry<K, V> pollLast() {
    return poll(range.backwards());
  }

  private Map.@Nullable Entry<K, V> poll(Direction direction) {
    List<RowRecord> removed =
        records().removeFirst(row, range.sortRange(), direction, 1, this::entry);
    if (removed.isEmpty()) {
      return null;
    }
    toldRemoved(removed.get(0));
    return entry(removed.get(0));
  }

  private Map.Entry<K, V> entry(RowRecord record) {
    return Map.entry(codec.decodeKey(record.sortKey()), codec.decodeValue(record));
  }

  @Override
  void clear() {
    if (range.isAll() && records().buckets().isWhole()) {
      super.clear();
    } else {
      removeRange();
    }
  }

  /** Removes the range, one batch per transaction; returns how many there were. */
  long removeRange() {
    long count = 0;
    SortRange left = range.sortRange();
    while (true) {
      List<RowRecord> removed =
          records().removeFirst(row, left, Direction.FORWARD, REMOVED_AT_ONCE, record -> {});
      removed.forEach(this::toldRemoved);
      count += removed.size();
      if (removed.size() < REMOVED_AT_ONCE) {
        return count;
      }
      left = left.from(removed.get(REMOVED_AT_ONCE - 1).sortKey(), false);
    }
  }

  private void toldRemoved(RowRecord record) {
    toldRemoved(record.sortKey(), new Records.Outcome(record, RecordChange.remove()));
  }
}
