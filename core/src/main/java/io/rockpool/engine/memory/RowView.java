package io.rockpool.engine.memory;

import io.rockpool.engine.Direction;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Lease;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.TransactionNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A row in one run of a transaction: a snapshot with the run's changes on top. It records what the
 * run reads from the snapshot, so that the commit can check that all of it is unchanged. It holds
 * no lock.
 */
final class RowView implements Row {
  private final byte[] hashKey;
  private final String space;
  private final Layout layout;
  private final RowState snapshot;
  private final long nowMillis;
  private final Map<byte[], @Nullable StoredRecord> changes =
      new TreeMap<>(Arrays::compareUnsigned);
  private final List<byte[]> keysRead = new ArrayList<>();
  private final List<SortRange> rangesRead = new ArrayList<>();
  private boolean countRead;
  private RowState current;
  private final @Nullable TransactionNotes notes;
  private boolean ended;

  /** A single row, or with {@code notes} one of several rows in a transaction. */
  RowView(
      byte[] hashKey,
      SpaceData space,
      RowState snapshot,
      long nowMillis,
      @Nullable TransactionNotes notes) {
    this.hashKey = hashKey;
    this.space = space.name();
    this.layout = space.layout();
    this.snapshot = snapshot;
    this.nowMillis = nowMillis;
    this.notes = notes;
    this.current = snapshot;
  }

  @Override
  public long nowMillis() {
    checkRunning();
    return nowMillis;
  }

  @Override
  public @Nullable RowRecord get(byte[] sortKey) {
    check(sortKey);
    byte[] key = sortKey.clone();
    keysRead.add(key);
    StoredRecord found = current.live(key, nowMillis);
    return found == null ? null : found.at(hashKey, key);
  }

  @Override
  public boolean holds(Lease lease) {
    check(Space.NO_SORT_KEY);
    keysRead.add(Space.NO_SORT_KEY);
    StoredRecord there = current.stored(Space.NO_SORT_KEY);
    return there != null && there == ((MemoryLease) lease).record();
  }

  @Override
  public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
    checkRunning();
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(direction, "direction");
    Arguments.checkScanLimit(limit);
    List<RowRecord> found = current.scan(hashKey, range, direction, limit, nowMillis);
    rangesRead.add(seen(range, direction, limit, found));
    return found;
  }

  @Override
  public long count() {
    checkRunning();
    Arguments.checkCounts(space, layout);
    countRead = true;
    return current.count(nowMillis);
  }

  @Override
  public void put(byte[] sortKey, byte[] value, long expiryMillis) {
    change(sortKey, value, expiryMillis, false);
  }

  @Override
  public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
    Arguments.checkCounts(space, layout);
    change(sortKey, value, expiryMillis, true);
  }

  @Override
  public void delete(byte[] sortKey) {
    check(sortKey);
    change(sortKey.clone(), null);
  }

  /** Ends the run: the view rejects later use. */
  void end() {
    ended = true;
  }

  boolean hasChanges() {
    return !changes.isEmpty();
  }

  /** Whether a run on {@code row} would have read the same. */
  boolean holdsFor(RowState row) {
    if (row == snapshot) {
      return true;
    }
    return keysRead.stream().allMatch(key -> row.stored(key) == snapshot.stored(key))
        && rangesRead.stream().allMatch(range -> row.isSameWithin(range, snapshot))
        && (!countRead || row.count(nowMillis) == snapshot.count(nowMillis));
  }

  /** {@code row} with the run's changes. */
  RowState applyTo(RowState row) {
    RowState changed = row;
    for (var change : changes.entrySet()) {
      changed = changed.with(change.getKey(), change.getValue());
    }
    return changed;
  }

  /** Whether both runs made the same changes. */
  boolean changesSameAs(RowView other) {
    if (changes.size() != other.changes.size()) {
      return false;
    }
    Iterator<Map.Entry<byte[], @Nullable StoredRecord>> theirs =
        other.changes.entrySet().iterator();
    for (var mine : changes.entrySet()) {
      var their = theirs.next();
      if (!Arrays.equals(mine.getKey(), their.getKey())
          || !isSame(mine.getValue(), their.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(@Nullable StoredRecord one, @Nullable StoredRecord other) {
    if (one == null || other == null) {
      return one == other;
    }
    return one.hasSameContentAs(other);
  }

  /**
   * The part of {@code range} that determined the result: up to the last record if the limit ended
   * the scan.
   */
  private static SortRange seen(
      SortRange range, Direction direction, int limit, List<RowRecord> found) {
    if (limit == 0 || found.size() < limit) {
      return range;
    }
    byte[] last = found.get(found.size() - 1).sortKey();
    return direction == Direction.FORWARD ? range.to(last, true) : range.from(last, true);
  }

  private void change(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    check(sortKey);
    EngineLimits.OF_CONTRACT.checkValue(value);
    change(sortKey.clone(), new StoredRecord(value, expiryMillis, counted));
  }

  private void change(byte[] sortKey, @Nullable StoredRecord record) {
    if (notes != null) {
      notes.changed(undoing(sortKey));
    }
    changes.put(sortKey, record);
    current = current.with(sortKey, record);
  }

  private Runnable undoing(byte[] sortKey) {
    RowState before = current;
    boolean wasChanged = changes.containsKey(sortKey);
    StoredRecord earlier = changes.get(sortKey);
    return () -> {
      current = before;
      if (wasChanged) {
        changes.put(sortKey, earlier);
      } else {
        changes.remove(sortKey);
      }
    };
  }

  private void check(byte[] sortKey) {
    checkRunning();
    Arguments.checkSortKey(sortKey, layout);
  }

  private void checkRunning() {
    if (ended) {
      throw new IllegalStateException(
          "A row was used after the run of the transaction it was given to had ended; use it inside the transaction"
              + " only.");
    }
  }
}
