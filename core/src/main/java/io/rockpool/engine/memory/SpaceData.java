package io.rockpool.engine.memory;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Lease;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.error.StoreClosedException;
import java.time.InstantSource;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The data of one space: a reference to an immutable tree of immutable rows. A read takes the
 * reference; a change replaces it under the {@link #lock} of all changes. So each is atomic, and no
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

  /** Creates an empty space. Its changes hold {@code lock}. */
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

  /** Replaces the information about the space. The catalog calls it from one thread at a time. */
  void setInfo(SpaceInfo info) {
    this.info = info;
  }

  String name() {
    return info.name();
  }

  Layout layout() {
    return info.layout();
  }

  /** Ends the space. {@code how} completes "The space x was". */
  void end(String how) {
    end = how;
  }

  /**
   * Moves the records and their expiry to a new space, and ends this one. A change of this one that
   * runs meanwhile is included, or throws.
   */
  void moveTo(SpaceData next, String how) {
    synchronized (lock) {
      endExpired();
      next.rows = rows;
      next.rowsBeforeLastChange = rows;
      next.expiryMillis = expiryMillis;
      end(how);
    }
  }

  /** Whether another space is in the same store, so that one change can include both. */
  boolean isInStoreOf(SpaceData other) {
    return lock == other.lock;
  }

  /** Replaces the records of a space of the same store by those of this one. */
  void copyTo(SpaceData target) {
    synchronized (lock) {
      checkThere();
      target.checkThere();
      target.replace(rows());
    }
  }

  /** Throws if the space has ended. */
  void checkThere() {
    String how = end;
    if (how != null) {
      throw new StoreClosedException(
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

  /** Like {@link #rows}, but never during the commit of a transaction over several rows. */
  SortedTree<RowState> wholeRows() {
    synchronized (lock) {
      return rows();
    }
  }

  RowState row(byte[] hashKey) {
    return rowOf(rows(), hashKey);
  }

  /** The row before the last change of the space, as a slow reader would see it. */
  RowState staleRow(byte[] hashKey) {
    return rowOf(rowsBeforeLastChange, hashKey);
  }

  /** Changes a row unconditionally. */
  void update(byte[] hashKey, UnaryOperator<RowState> change) {
    synchronized (lock) {
      checkThere();
      endExpired();
      replace(hashKey, change.apply(rowOf(rows, hashKey)));
    }
  }

  /** Applies a transaction if everything it read is unchanged; returns whether it did. */
  boolean commit(byte[] hashKey, RowView view) {
    synchronized (lock) {
      checkThere();
      endExpired();
      RowState row = rowOf(rows, hashKey);
      boolean holds = view.holdsFor(row);
      if (holds) {
        replace(hashKey, view.applyTo(row));
      }
      return holds;
    }
  }

  /** The live record of a row's only key; if there is none, the lease in its place. */
  StoredRecord lease(byte[] hashKey) {
    long nowMillis = clock.millis();
    synchronized (lock) {
      checkThere();
      endExpired();
      RowState row = rowOf(rows, hashKey);
      StoredRecord there = row.stored(Space.NO_SORT_KEY);
      if (there != null
          && (there.isLive(nowMillis) || Lease.isShared(there.leasedUntilMillis(), nowMillis))) {
        return there;
      }
      StoredRecord lease = StoredRecord.lease(Lease.endMillis(nowMillis));
      replace(hashKey, row.with(Space.NO_SORT_KEY, lease));
      return lease;
    }
  }

  void clear() {
    synchronized (lock) {
      checkThere();
      endExpired();
      replace(SortedTree.empty());
    }
  }

  /**
   * Makes all records expire at an instant, immediately if it is past, if a condition on the
   * present expiry holds; returns whether it did.
   */
  boolean expireAt(long millis, LongPredicate condition) {
    synchronized (lock) {
      checkThere();
      endExpired();
      boolean holds = condition.test(expiryMillis);
      if (holds) {
        expiryMillis = millis;
        endExpired();
      }
      return holds;
    }
  }

  /** Removes expired records; returns how many had their own expiry. */
  long sweep() {
    synchronized (lock) {
      endExpired();
      long nowMillis = clock.millis();
      long removed = 0;
      for (var row : rows) {
        long expired = row.value.expired(nowMillis);
        if (expired > 0) {
          replace(row.key, row.value.swept(nowMillis));
          removed += expired;
        }
      }
      return removed;
    }
  }

  private boolean hasExpired() {
    return Expiry.isPast(expiryMillis, clock);
  }

  /**
   * Each change calls this first, so that it never restores records that have expired as a whole.
   */
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

  /** A row of a space. */
  static RowState rowOf(SortedTree<RowState> rows, byte[] hashKey) {
    RowState row = rows.get(hashKey);
    return row == null ? RowState.EMPTY : row;
  }
}
