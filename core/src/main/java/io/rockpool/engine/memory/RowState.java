package io.rockpool.engine.memory;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One row at one moment, immutable. Expired records stay in it, unseen, until something is written
 * in their place: only so can a blind write over a counted record that has expired be told from a
 * harmless one.
 */
final class RowState {
  static final RowState EMPTY = new RowState(SortedTree.empty(), 0, 0);

  private final SortedTree<StoredRecord> records;
  private final long counted;
  private final long countedThatExpire;

  private RowState(SortedTree<StoredRecord> records, long counted, long countedThatExpire) {
    this.records = records;
    this.counted = counted;
    this.countedThatExpire = countedThatExpire;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** What is stored at {@code sortKey}, expired or not, or null. */
  @Nullable StoredRecord stored(byte[] sortKey) {
    return records.get(sortKey);
  }

  /** What can be seen at {@code sortKey}, or null. */
  @Nullable StoredRecord live(byte[] sortKey, long nowMillis) {
    StoredRecord stored = records.get(sortKey);
    return stored != null && stored.isLive(nowMillis) ? stored : null;
  }

  /** The row with {@code record} at {@code sortKey}, or with nothing there if it is null. */
  RowState with(byte[] sortKey, @Nullable StoredRecord record) {
    StoredRecord old = records.get(sortKey);
    return new RowState(
        record == null ? records.without(sortKey) : records.with(sortKey, record),
        counted + one(isCounted(record)) - one(isCounted(old)),
        countedThatExpire + one(isCountedAndExpires(record)) - one(isCountedAndExpires(old)));
  }

  /**
   * The number of counted records that can be seen: O(1) where none of them can expire, else it
   * looks at each.
   */
  long count(long nowMillis) {
    if (countedThatExpire == 0) {
      return counted;
    }
    long live = 0;
    SortRange rest = SortRange.all();
    for (var node = first(rest); node != null; node = first(rest)) {
      live += one(node.value.isCounted() && node.value.isLive(nowMillis));
      rest = SortedTree.past(node.key, rest, Direction.FORWARD);
    }
    return live;
  }

  /** The first {@code limit} records of {@code range} that can be seen. */
  List<RowRecord> scan(
      byte[] hashKey, SortRange range, Direction direction, int limit, long nowMillis) {
    List<RowRecord> found = new ArrayList<>();
    SortRange rest = range;
    while (found.size() < limit) {
      var node = firstLive(rest, direction, nowMillis);
      if (node == null) {
        break;
      }
      found.add(node.value.at(hashKey, node.key));
      rest = SortedTree.past(node.key, rest, direction);
    }
    return found;
  }

  /** Shows all that is stored, expired or not, in the order of sort keys. */
  void forEach(BiConsumer<byte[], StoredRecord> action) {
    SortRange rest = SortRange.all();
    for (var node = first(rest); node != null; node = first(rest)) {
      action.accept(node.key, node.value);
      rest = SortedTree.past(node.key, rest, Direction.FORWARD);
    }
  }

  /** The first record of {@code range} that can be seen, or null. */
  SortedTree.@Nullable Node<StoredRecord> firstLive(
      SortRange range, Direction direction, long nowMillis) {
    SortRange rest = range;
    var node = records.first(rest, direction);
    while (node != null && !node.value.isLive(nowMillis)) {
      rest = SortedTree.past(node.key, rest, direction);
      node = records.first(rest, direction);
    }
    return node;
  }

  /** How many records have expired. */
  long expired(long nowMillis) {
    return expiredKeys(nowMillis).size();
  }

  /** The row without the records that have expired. */
  RowState swept(long nowMillis) {
    RowState swept = this;
    for (byte[] sortKey : expiredKeys(nowMillis)) {
      swept = swept.with(sortKey, null);
    }
    return swept;
  }

  private List<byte[]> expiredKeys(long nowMillis) {
    List<byte[]> expired = new ArrayList<>();
    SortRange rest = SortRange.all();
    for (var node = first(rest); node != null; node = first(rest)) {
      if (!node.value.isLive(nowMillis)) {
        expired.add(node.key);
      }
      rest = SortedTree.past(node.key, rest, Direction.FORWARD);
    }
    return expired;
  }

  /** Whether this row and {@code other} store the very same records in {@code range}. */
  boolean isSameWithin(SortRange range, RowState other) {
    SortRange rest = range;
    while (true) {
      var mine = first(rest);
      var theirs = other.first(rest);
      if (mine == null || theirs == null) {
        return mine == theirs;
      }
      if (mine.value != theirs.value || !Arrays.equals(mine.key, theirs.key)) {
        return false;
      }
      rest = SortedTree.past(mine.key, rest, Direction.FORWARD);
    }
  }

  private SortedTree.@Nullable Node<StoredRecord> first(SortRange range) {
    return records.first(range, Direction.FORWARD);
  }

  private static boolean isCounted(@Nullable StoredRecord record) {
    return record != null && record.isCounted();
  }

  private static boolean isCountedAndExpires(@Nullable StoredRecord record) {
    return record != null && record.isCounted() && record.canExpire();
  }

  private static int one(boolean yes) {
    return yes ? 1 : 0;
  }
}
