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
 * One row at one instant, immutable. Expired records stay in it, invisible, until a write replaces
 * them. Otherwise a blind write over an expired counted record would look harmless.
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

  /** The stored record at {@code sortKey}, expired or not, or null. */
  @Nullable StoredRecord stored(byte[] sortKey) {
    return records.get(sortKey);
  }

  /** The live record at {@code sortKey}, or null. */
  @Nullable StoredRecord live(byte[] sortKey, long nowMillis) {
    StoredRecord stored = records.get(sortKey);
    return stored != null && stored.isLive(nowMillis) ? stored : null;
  }

  /** The row with {@code record} at {@code sortKey}, or without a record there if it is null. */
  RowState with(byte[] sortKey, @Nullable StoredRecord record) {
    StoredRecord old = records.get(sortKey);
    return new RowState(
        record == null ? records.without(sortKey) : records.with(sortKey, record),
        counted + one(isCounted(record)) - one(isCounted(old)),
        countedThatExpire + one(isCountedAndExpires(record)) - one(isCountedAndExpires(old)));
  }

  /**
   * The number of live counted records. O(1) if none of them can expire, else it reads all records.
   */
  long count(long nowMillis) {
    if (countedThatExpire == 0) {
      return counted;
    }
    long live = 0;
    for (var node : records) {
      live += one(node.value.isCounted() && node.value.isLive(nowMillis));
    }
    return live;
  }

  /** The first {@code limit} live records of {@code range}. */
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

  /** Passes all stored records to {@code action}, expired or not, in the order of sort keys. */
  void forEach(BiConsumer<byte[], StoredRecord> action) {
    records.forEach(
        node -> {
          if (node.value.leasedUntilMillis() == 0) {
            action.accept(node.key, node.value);
          }
        });
  }

  /** The first live record of {@code range}, or null. */
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

  /** The number of expired records. */
  long expired(long nowMillis) {
    return expiredKeys(nowMillis).size();
  }

  /** The row without its expired records. */
  RowState swept(long nowMillis) {
    RowState swept = this;
    for (byte[] sortKey : expiredKeys(nowMillis)) {
      swept = swept.with(sortKey, null);
    }
    return swept;
  }

  private List<byte[]> expiredKeys(long nowMillis) {
    List<byte[]> expired = new ArrayList<>();
    for (var node : records) {
      if (node.value.isOver(nowMillis)) {
        expired.add(node.key);
      }
    }
    return expired;
  }

  /** Whether this row and {@code other} store identical records in {@code range}. */
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
