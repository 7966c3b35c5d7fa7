package io.rockpool.engine.memory;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceInfo;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one space: one reference to an immutable tree of immutable rows. A read takes the
 * reference, a change replaces it under the {@link #lock} of all changes; so each is atomic, and no
 * reader waits.
 */
final class SpaceData {
  private final Object lock;
  private final InstantSource clock;
  private volatile SortedTree<RowState> rows = SortedTree.empty();
  private volatile SortedTree<RowState> rowsBeforeLastChange = SortedTree.empty();
  private volatile SpaceInfo info;
  private volatile long expiryMillis = Expiry.NEVER;
  private volatile @Nullable String end;

  /** An empty space, whose changes are made under {@code lock}. */
  SpaceData(SpaceInfo info, Object lock, InstantSource clock) {
    this.info = info;
    this.lock = lock;
    this.clock = clock;
  }

  SpaceInfo info() {
    return new SpaceInfo(
        info.name(),
        info.layout(),
        info.attributes(),
        info.createdMillis(),
        info.openedMillis(),
        info.resets(),
        hasExpired() ? Expiry.NEVER : expiryMillis);
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
    return hasExpired() ? SortedTree.empty() : rows;
  }

  /** As {@link #rows}, but never in the midst of a transaction that changes several. */
  SortedTree<RowState> wholeRows() {
    synchronized (lock) {
      return rows();
    }
  }

  RowState row(byte[] hashKey) {
    return rowOf(rows(), hashKey);
  }

  /** The row as it was before the last change of the space: what a slow reader would still see. */
  RowState staleRow(byte[] hashKey) {
    return rowOf(rowsBeforeLastChange, hashKey);
  }

  /** Changes a row whatever it is. */
  void update(byte[] hashKey, UnaryOperator<RowState> change) {
    synchronized (lock) {
      endExpired();
      replace(hashKey, change.apply(rowOf(rows, hashKey)));
    }
  }

  /** Applies what a transaction did if all it read still holds, and says whether it did. */
  boolean commit(byte[] hashKey, RowView view) {
    synchronized (lock) {
      endExpired();
      RowState row = rowOf(rows, hashKey);
      boolean holds = view.holdsFor(row);
      if (holds) {
        replace(hashKey, view.applyTo(row));
      }
      return holds;
    }
  }

  void clear() {
    synchronized (lock) {
      endExpired();
      replace(SortedTree.empty());
    }
  }

  /** Lets all records end at an instant, or at once where it is past. */
  void expireAt(long millis) {
    synchronized (lock) {
      endExpired();
      expiryMillis = millis;
      endExpired();
    }
  }

  /** Removes the records that have expired; returns how many did so by themselves. */
  long sweep() {
    synchronized (lock) {
      endExpired();
      long nowMillis = clock.millis();
      long removed = 0;
      SortRange rest = SortRange.all();
      for (var row = rows.first(rest, Direction.FORWARD);
          row != null;
          row = rows.first(rest, Direction.FORWARD)) {
        long expired = row.value.expired(nowMillis);
        if (expired > 0) {
          replace(row.key, row.value.swept(nowMillis));
          removed += expired;
        }
        rest = SortedTree.past(row.key, rest, Direction.FORWARD);
      }
      return removed;
    }
  }

  private boolean hasExpired() {
    return Expiry.isPast(expiryMillis, clock);
  }

  /** What each change begins with, so that it never brings back what has expired meanwhile. */
  private void endExpired() {
    if (hasExpired()) {
      replace(SortedTree.empty());
      expiryMillis = Expiry.NEVER;
    }
  }

  private void replace(byte[] hashKey, RowState row) {
    replace(row.isEmpty() ? rows.without(hashKey) : rows.with(hashKey, row));
  }

  private void replace(SortedTree<RowState> changed) {
    rowsBeforeLastChange = rows;
    rows = changed;
  }

  /** A row among those of a space. */
  static RowState rowOf(SortedTree<RowState> rows, byte[] hashKey) {
    RowState row = rows.get(hashKey);
    return row == null ? RowState.EMPTY : row;
  }
}
