package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes a range of sorted entries, which are all in one row. */
final class RangeWrites<K, V> extends EntryWrites<K, V> {
  /**
   * Records that one transaction reads and removes, fewer if they are large. It bounds memory and
   * the wait of other writers.
   */
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

  /** Removes the range, one batch per transaction; returns how many records there were. */
  long removeRange() {
    return remove(range.sortRange(), Direction.FORWARD, KeyFilter.NONE, Long.MAX_VALUE);
  }

  /** Like {@link #removeRange()}, with another range. This must be the range of all keys. */
  long removeRange(Range<K> which) {
    KeyRange keys = which.removable().keys(codec);
    KeyFilter filter = which.filter(codec);
    SortRange filtered = filter.within(keys.sortRange());
    return remove(filtered, keys.direction(), filter, which.limit());
  }

  private long remove(SortRange all, Direction direction, KeyFilter filter, long limit) {
    SortRange left = all;
    long count = 0;
    boolean ended = false;
    while (!ended && count < limit) {
      int batch = (int) Math.min(REMOVED_AT_ONCE, limit - count);
      int page = filter.isRange() ? batch : REMOVED_AT_ONCE;
      UnaryOperator<List<RowRecord>> selector = found -> passing(found, filter, batch);
      Row.Page read = records().removeSelected(row, left, direction, page, selector);
      List<RowRecord> found = read.records();
      List<RowRecord> removed = selector.apply(found);
      removed.forEach(this::toldRemoved);
      count += removed.size();
      ended = read.isLast();
      if (!ended) {
        left = KeyRange.behind(left, direction, found.get(found.size() - 1).sortKey());
      }
    }
    return count;
  }

  private static List<RowRecord> passing(List<RowRecord> found, KeyFilter filter, int limit) {
    return found.stream().filter(record -> filter.passes(record.sortKey())).limit(limit).toList();
  }

  private void toldRemoved(RowRecord record) {
    toldRemoved(record.sortKey(), new Records.Outcome(record, RecordChange.remove()));
  }
}
