package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/** Consecutive dead generations, which one range deletion can delete. */
record DeadRange(long first, long last) {
  /**
   * The column families that may have their records. Keys of the expiry index do not begin with a
   * generation.
   */
  static final List<ColumnFamily> FAMILIES =
      List.of(ColumnFamily.ROWS, ColumnFamily.ENTRIES, ColumnFamily.COUNTS);

  /** The ranges that contain exactly {@code generations}. */
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

  /** The exclusive upper bound. */
  byte[] to() {
    return Generation.prefix(last + 1);
  }
}
