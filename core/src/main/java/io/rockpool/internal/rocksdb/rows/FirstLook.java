package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a read without the row's lock: what it need not look at, as that is known to be
 * empty, and what it learns from its first step. All puts of others count, and those alone: records
 * that have expired and are still stored are found like any.
 *
 * <ul>
 *   <li>If it began behind an {@linkplain EmptyStretches empty stretch}, that is extended up to
 *       what it found, unless something was put into the row since before its iterator was made, or
 *       may have been about to be.
 *   <li>If it looked for long, and did not learn, it looks again, under the lock, and learns if
 *       that took long as well: so a disk or another thread that was the cause teaches nothing.
 *       Where the lock is not free, the next read that takes long does so.
 * </ul>
 */
public final class FirstLook {
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

  /** Before its iterator is made. */
  FirstLook(RocksDbView view, long generation, byte[] hashKey, SortRange range, boolean forward) {
    this.view = view;
    this.generation = generation;
    this.hashKey = hashKey;
    this.range = range;
    this.forward = forward;
    this.known = stretches().of(generation, hashKey);
    this.puts = known == null ? 0 : known.puts();
    // After the puts were read: of those that are counted, none is still to be written then.
    this.nobodyPuts = known != null && !view.store.locks().isLocked(view.state, hashKey);
    this.version = known == null ? 0 : known.version();
    this.toScan = known == null ? range : known.without(range, forward);
  }

  private EmptyStretches stretches() {
    return view.store.emptyStretches();
  }

  /** The part of the range to look at. */
  SortRange toScan() {
    return toScan;
  }

  /** Whether that part was all that mattered when the iterator was made, which is before. */
  boolean holds() {
    return known == null || stretches().isUnchanged(generation, hashKey, known, version);
  }

  /** After the first step. The caller is inside the {@link CloseGuard}. */
  void ended(NativeScan scan, boolean found) {
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
      // What was to be read is read; whoever needs what this could not read will say so.
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
