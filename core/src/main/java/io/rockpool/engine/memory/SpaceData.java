package io.rockpool.engine.memory;

import io.rockpool.engine.Layout;
import io.rockpool.engine.SpaceInfo;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one space: one reference to an immutable tree of immutable rows. A read takes the
 * reference, a change replaces it, one change at a time; so each is atomic, and no reader waits.
 */
final class SpaceData {
  private volatile SortedTree<RowState> rows = SortedTree.empty();
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
    return rows;
  }

  RowState row(byte[] hashKey) {
    return rowOf(rows, hashKey);
  }

  /** The row as it was before the last change of the space: what a slow reader would still see. */
  RowState staleRow(byte[] hashKey) {
    return rowOf(rowsBeforeLastChange, hashKey);
  }

  /** Changes a row whatever it is. */
  synchronized void update(byte[] hashKey, UnaryOperator<RowState> change) {
    replace(hashKey, change.apply(row(hashKey)));
  }

  /** Applies what a transaction did if all it read still holds, and says whether it did. */
  synchronized boolean commit(byte[] hashKey, RowView view) {
    RowState row = row(hashKey);
    boolean holds = view.holdsFor(row);
    if (holds) {
      replace(hashKey, view.applyTo(row));
    }
    return holds;
  }

  synchronized void clear() {
    replace(SortedTree.empty());
  }

  private void replace(byte[] hashKey, RowState row) {
    replace(row.isEmpty() ? rows.without(hashKey) : rows.with(hashKey, row));
  }

  private void replace(SortedTree<RowState> changed) {
    rowsBeforeLastChange = rows;
    rows = changed;
  }

  private static RowState rowOf(SortedTree<RowState> rows, byte[] hashKey) {
    RowState row = rows.get(hashKey);
    return row == null ? RowState.EMPTY : row;
  }
}
