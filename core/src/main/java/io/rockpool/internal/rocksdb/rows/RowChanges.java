package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction changes in a row, and what it knows of the records that are stored there.
 *
 * <p>To keep the row's count true, a change must know whether the <i>stored</i> record is counted,
 * be it expired or not: an expired one that was not swept yet is still in the count. What a read or
 * a scan saw is remembered for that; where records were put without a look, that must be made up
 * for before the count is asked for. What is known of a record tells its place in the index of what
 * expires too.
 */
final class RowChanges {
  static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private final Cells cells = new Cells();
  private final List<Cell> unseen = new ArrayList<>();
  private int size;
  private long countDelta;

  /**
   * What lies at a sort key in the store.
   *
   * @param expiryMillis under which it is in the index; of an entry, which is in none, never
   * @param bytes the length of the record
   */
  record Stored(boolean exists, boolean counted, long expiryMillis, int bytes) {
    static final Stored NOTHING = new Stored(false, false, Expiry.NEVER, 0);
  }

  /** What shall lie at a sort key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(byte @Nullable [] value, long expiryMillis, boolean counted) {
    static final Change DELETE = new Change(null, Expiry.NEVER, false);
  }

  /** A sort key, what is known to be stored there, and what shall be. */
  static final class Cell {
    private final byte[] sortKey;
    private @Nullable Stored stored;
    private @Nullable Change change;

    Cell(byte[] sortKey) {
      this.sortKey = sortKey;
    }

    byte[] sortKey() {
      return sortKey;
    }

    /** What is stored, or null if nobody looked. */
    @Nullable Stored stored() {
      return stored;
    }

    /** What shall be stored, or null if it shall stay as it is. */
    @Nullable Change change() {
      return change;
    }

    /** What the change adds to the count, as far as is known what is stored. */
    private int effect() {
      if (change == null) {
        return 0;
      }
      return (change.counted() ? 1 : 0) - (stored != null && stored.counted() ? 1 : 0);
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** What there is at a sort key; the array must stay as it is. */
  Cell at(byte[] sortKey) {
    return cells.at(sortKey);
  }

  /** Notes what is stored. */
  void see(Cell cell, Stored stored) {
    int before = cell.effect();
    cell.stored = stored;
    countDelta += cell.effect() - before;
  }

  /** Makes a change, or none, in the place of what it returns. */
  @Nullable Change change(Cell cell, @Nullable Change change) {
    Change old = cell.change;
    int before = cell.effect();
    cell.change = change;
    countDelta += cell.effect() - before;
    size += (change == null ? 0 : 1) - (old == null ? 0 : 1);
    if (cell.stored == null && old == null) {
      unseen.add(cell);
    }
    return old;
  }

  /** What was changed without a look; whoever takes it, looks. */
  List<Cell> takeUnseen() {
    List<Cell> taken =
        unseen.stream().filter(cell -> cell.stored == null && cell.change != null).toList();
    unseen.clear();
    return taken;
  }

  /**
   * What the changes add to the count, where nothing is unseen: the count of their records without
   * that of what is stored where they are.
   */
  long countDelta() {
    return countDelta;
  }

  /** The changes in a range, one after the other, also while more is seen there. */
  Iterator<Cell> within(SortRange range, boolean forward) {
    byte[] to = range.to();
    NavigableMap<byte[], Cell> tail = cells.tree().tailMap(range.from(), true);
    NavigableMap<byte[], Cell> inRange = to == null ? tail : tail.headMap(to, false);
    NavigableMap<byte[], Cell> inOrder = forward ? inRange : inRange.descendingMap();
    return Stream.iterate(
            inOrder.firstEntry(), Objects::nonNull, last -> inOrder.higherEntry(last.getKey()))
        .map(Map.Entry::getValue)
        .filter(cell -> cell.change != null)
        .iterator();
  }

  /** The sort keys of all changes, in order. */
  Stream<byte[]> changedKeys() {
    return changed().map(Cell::sortKey);
  }

  /** Shows all changes, in the order of their sort keys. */
  void forEach(Consumer<Cell> action) {
    changed().forEach(action);
  }

  private Stream<Cell> changed() {
    return cells.stream().filter(cell -> cell.change != null);
  }
}
