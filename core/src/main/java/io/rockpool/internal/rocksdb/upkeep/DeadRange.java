package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Generations one after the other, all of them dead, so that one deletion does for all.
 *
 * @param first the first
 * @param last the last
 */
record DeadRange(long first, long last) {
  /** Where their records may lie. Keys of the index of what expires do not begin with them. */
  static final List<ColumnFamily> FAMILIES =
      List.of(ColumnFamily.ROWS, ColumnFamily.ENTRIES, ColumnFamily.COUNTS);

  /**
   * The ranges that make up {@code generations}. No other is in them, so that it matters to no one
   * which there are.
   */
  static List<DeadRange> of(SortedSet<Long> generations) {
    List<DeadRange> ranges = new ArrayList<>();
    for (long generation : generations) {
      DeadRange before = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
      if (before != null && before.last == generation - 1) {
        ranges.set(ranges.size() - 1, new DeadRange(before.first, generation));
      } else {
        ranges.add(new DeadRange(generation, generation));
      }
    }
    return ranges;
  }

  /** The lowest key. */
  byte[] from() {
    return Generation.prefix(first);
  }

  /** The key past all. */
  byte[] to() {
    return Generation.prefix(last + 1);
  }
}
