package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.rocksdb.rows.RowChanges.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cells in the order of their sort keys. While they are added in order, as large batches do, this
 * is a list and takes one comparison per cell. The first cell out of order turns it into a tree.
 */
final class Cells {
  private static final Comparator<byte[]> ORDER = RowChanges.ORDER;
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
