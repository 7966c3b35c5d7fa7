package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import org.jspecify.annotations.Nullable;

/**
 * The first step of a read without the row's lock. It skips an {@linkplain EmptyStretches empty
 * stretch}, and learns from what it finds. Only puts of other threads can invalidate a stretch: an
 * expired record that is still stored is found like any other.
 *
 * <ul>
 *   <li>If the read started after an empty stretch, the stretch is extended up to the first record
 *       found. This is skipped if there was a put into the row since before the iterator was
 *       created, or a put may have been in progress.
 *   <li>If the search was long and could not extend a stretch, it is repeated under the lock, and
 *       learned if it was long again. So a delay caused by the disk or another thread teaches
 *       nothing. If the lock is not free, the next long read does this.
 * </ul>
 */
public final class FirstLook implements RocksDbCursor.FirstStep {
  private final RocksDbView view;
  private final long generation;
  private final byte[] hashKey;
  private final SortRange range;
  private final boolean forward;
  private final EmptyStretches.@Nullable Stretches known;
  private final long puts;
  private final boolean nobodyPuts;
  private final long version;
  private final SortRange toScan;

  /** Create this before the iterator. */
  FirstLook(RocksDbView view, long generation, byte[] hashKey, SortRange range, boolean forward) {
    this.view = view;
    this.generation = generation;
    this.hashKey = hashKey;
    this.range = range;
    this.forward = forward;
    this.known = stretches().of(generation, hashKey);
    this.puts = known == null ? 0 : known.puts();
    // Read after the puts: if the lock is free now, every counted put has been written.
    this.nobodyPuts = known != null && !view.store.locks().isLocked(view.state, hashKey);
    this.version = known == null ? 0 : known.version();
    this.toScan = known == null ? range : known.without(range, forward);
  }

  private EmptyStretches stretches() {
    return view.store.emptyStretches();
  }

  /** The part of the range to scan. */
  SortRange toScan() {
    return toScan;
  }

  /**
   * Whether this part contains all records of the range. Call it after the iterator was created.
   */
  boolean holds() {
    return known == null || stretches().isUnchanged(generation, hashKey, known, version);
  }

  @Override
  public void ended(NativeScan scan, boolean found) {
    boolean tookLong = stretches().tookLong(scan);
    if (!tookLong && toScan == range) {
      return;
    }
    SortRange passed = passed(toScan, scan, found);
    if (!EmptyStretches.canBeKept(passed)) {
      return;
    }
    boolean learned = known != null && nobodyPuts && known.addUnlessPut(passed, puts);
    if (tookLong && !learned) {
      lookAgain();
    }
  }

  private SortRange passed(SortRange part, NativeScan scan, boolean found) {
    byte[] first = found ? view.layout.sortKey(scan.key()) : null;
    return EmptyStretches.passed(part, forward, first);
  }

  private void lookAgain() {
    RowLocks locks = view.store.locks();
    int lock = RowLocks.indexOf(view.state, hashKey);
    if (!locks.tryLock(lock)) {
      return;
    }
    try {
      SortRange unknown = stretches().toScan(generation, hashKey, range, forward);
      if (!unknown.isEmpty()) {
        learn(unknown);
      }
    } catch (RuntimeException e) {
      // The read itself has succeeded; a later read of the unreadable part reports it.
    } finally {
      locks.unlock(lock);
    }
  }

  private void learn(SortRange unknown) {
    try (NativeScan scan = view.nativeScan(generation, hashKey, unknown, forward)) {
      SortRange passed = passed(unknown, scan, scan.next());
      if (stretches().tookLong(scan) && EmptyStretches.canBeKept(passed)) {
        stretches().add(generation, hashKey, passed);
      }
    }
  }
}
