package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a transaction to a row, and what it knows of the stored records.
 *
 * <p>To keep the row's count correct, a change must know whether the <i>stored</i> record is
 * counted, expired or not: an expired record that was not swept yet is still in the count. Reads
 * and scans provide this. Records that were put without a read must be read before the count is
 * needed. The stored record also has the key of its index record.
 */
final class RowChanges {
  static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  private final Cells cells = new Cells();
  private final List<Cell> unseen = new ArrayList<>();
  private int size;
  private long countDelta;

  /**
   * The stored record at a sort key.
   *
   * @param expiryMillis its expiry in the index; never for an entry, which has no index
   * @param bytes the length of the record
   */
  record Stored(boolean exists, boolean counted, long expiryMillis, int bytes) {
    static final Stored NOTHING = new Stored(false, false, Expiry.NEVER, 0);
  }

  /** The new record at a sort key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(byte @Nullable [] value, long expiryMillis, boolean counted) {
    static final Change DELETE = new Change(null, Expiry.NEVER, false);
  }

  /** A sort key, its stored record if known, and its change. */
  static final class Cell {
    private final byte[] sortKey;

    /** What the row makes of the sort key, once it needs it. */
    byte @Nullable [] key;

    private @Nullable Stored stored;
    private @Nullable Change change;

    Cell(byte[] sortKey) {
      this.sortKey = sortKey;
    }

    byte[] sortKey() {
      return sortKey;
    }

    /** The stored record, or null if it was not read. */
    @Nullable Stored stored() {
      return stored;
    }

    /** The change, or null for none. */
    @Nullable Change change() {
      return change;
    }

    /** What the change adds to the count, as far as the stored record is known. */
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

  /** The cell of a sort key; the array must not change. */
  Cell at(byte[] sortKey) {
    return cells.at(sortKey);
  }

  /** Records what is stored. */
  void see(Cell cell, Stored stored) {
    int before = cell.effect();
    cell.stored = stored;
    countDelta += cell.effect() - before;
  }

  /** Sets the change, or removes it with null; returns the previous one. */
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

  /** Returns and forgets the cells that were changed without a read; the caller must read them. */
  List<Cell> takeUnseen() {
    if (unseen.isEmpty()) {
      return List.of();
    }
    List<Cell> taken =
        unseen.stream().filter(cell -> cell.stored == null && cell.change != null).toList();
    unseen.clear();
    return taken;
  }

  /** What the changes add to the count; exact only if no changed cell is unread. */
  long countDelta() {
    return countDelta;
  }

  /** The changes in a range, one after the other; cells may be added during the iteration. */
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
    return cells.all().stream().filter(cell -> cell.change != null).map(Cell::sortKey);
  }

  /** Calls {@code action} with all changes, in the order of their sort keys. */
  void forEach(Consumer<Cell> action) {
    for (Cell cell : cells.all()) {
      if (cell.change != null) {
        action.accept(cell);
      }
    }
  }

  /**
   * Cells in the order of their sort keys. While they are added in order, as large batches do, this
   * is a list and takes one comparison per cell. The first cell out of order turns it into a tree.
   */
  static final class Cells {
    private static final Comparator<Cell> BY_SORT_KEY = Comparator.comparing(Cell::sortKey, ORDER);

    private List<Cell> inOrder = new ArrayList<>();

    /** The position in the list after the cell that was requested last. */
    private int next;

    private @Nullable NavigableMap<byte[], Cell> tree;

    /** The cell of a sort key; creates it if absent. */
    Cell at(byte[] sortKey) {
      if (tree == null) {
        int place = placeOf(sortKey);
        if (place == inOrder.size()) {
          inOrder.add(new Cell(sortKey));
        }
        if (place >= 0) {
          next = place + 1;
          return inOrder.get(place);
        }
      }
      return tree().computeIfAbsent(sortKey, Cell::new);
    }

    /**
     * The position of a sort key's cell in the list, or the end if it can be appended; otherwise
     * negative.
     */
    private int placeOf(byte[] sortKey) {
      int size = inOrder.size();
      if (next < size && Arrays.equals(sortKey, inOrder.get(next).sortKey())) {
        return next;
      }
      if (size == 0 || ORDER.compare(sortKey, inOrder.get(size - 1).sortKey()) > 0) {
        return size;
      }
      return Collections.binarySearch(inOrder, new Cell(sortKey), BY_SORT_KEY);
    }

    /** All cells, as a tree from now on. */
    NavigableMap<byte[], Cell> tree() {
      NavigableMap<byte[], Cell> sorted = tree;
      if (sorted == null) {
        sorted = new TreeMap<>(ORDER);
        for (Cell cell : inOrder) {
          sorted.put(cell.sortKey(), cell);
        }
        tree = sorted;
        inOrder = List.of();
      }
      return sorted;
    }

    /** All cells, in order. */
    Collection<Cell> all() {
      return tree == null ? inOrder : tree.values();
    }
  }
}
