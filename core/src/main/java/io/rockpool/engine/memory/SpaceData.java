package io.rockpool.engine.memory;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one space: one reference to an immutable tree of immutable rows. A read takes the
 * reference, a write replaces it, a clear replaces it by an empty tree; so each is atomic, and
 * nobody waits for anybody.
 */
final class SpaceData {
  private final AtomicReference<SortedTree<RowState>> rows =
      new AtomicReference<>(SortedTree.empty());
  private volatile SortedTree<RowState> rowsBeforeLastChange = SortedTree.empty();
  private volatile SpaceInfo info;
  private volatile @Nullable String end;

  SpaceData(SpaceInfo info) {
    this.info = info;
  }

  SpaceInfo info() {
    return info;
  }

  /** Replaces what is known of the space; the catalog sees to it that one thread at a time does. */
  void setInfo(SpaceInfo info) {
    this.info = info;
  }

  Layout layout() {
    return info.layout();
  }

  /** Ends the space. {@code how} completes "The space x was". */
  void end(String how) {
    end = how;
  }

  /** Refuses to go on with a space that has ended. */
  void checkThere() {
    String how = end;
    if (how != null) {
      throw new IllegalStateException(
          "The space \""
              + info.name()
              + "\" was "
              + how
              + " after this handle was opened; open it again by its name.");
    }
  }

  SortedTree<RowState> rows() {
    return rows.get();
  }

  RowState row(byte[] hashKey) {
    return rowOf(rows.get(), hashKey);
  }

  /** The row as it was before the last change of the space: what a slow reader would still see. */
  RowState staleRow(byte[] hashKey) {
    return rowOf(rowsBeforeLastChange, hashKey);
  }

  /** Changes a row whatever it is. */
  void update(byte[] hashKey, UnaryOperator<RowState> change) {
    while (true) {
      SortedTree<RowState> before = rows.get();
      if (replace(before, hashKey, change.apply(rowOf(before, hashKey)))) {
        return;
      }
    }
  }

  /** Applies what a transaction did if all it read still holds, and says whether it did. */
  boolean commit(byte[] hashKey, RowView view) {
    while (true) {
      SortedTree<RowState> before = rows.get();
      RowState row = rowOf(before, hashKey);
      if (!view.holdsFor(row)) {
        return false;
      }
      if (replace(before, hashKey, view.applyTo(row))) {
        return true;
      }
    }
  }

  void clear() {
    rowsBeforeLastChange = rows.getAndSet(SortedTree.empty());
  }

  private boolean replace(SortedTree<RowState> before, byte[] hashKey, RowState row) {
    SortedTree<RowState> after =
        row.isEmpty() ? before.without(hashKey) : before.with(hashKey, row);
    if (!rows.compareAndSet(before, after)) {
      return false;
    }
    rowsBeforeLastChange = before;
    return true;
  }

  private static RowState rowOf(SortedTree<RowState> rows, byte[] hashKey) {
    RowState row = rows.get(hashKey);
    return row == null ? RowState.EMPTY : row;
  }
}
