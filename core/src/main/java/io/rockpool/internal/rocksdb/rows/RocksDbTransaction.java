package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.Moment;
import io.rockpool.internal.engine.Patience;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.DiskToll;
import io.rockpool.store.Durability;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code atomically}: its changes, and the locks of the rows that it has touched, which
 * it holds until it ends. Belongs to one thread, which is inside the {@link CloseGuard}.
 *
 * <p>Transactions of one store cannot deadlock. A transaction waits for a lock only if it comes
 * after all locks it holds; all threads use this order. It acquires an earlier lock only if that is
 * free. Otherwise the run is rolled back. The next run starts with all locks that this run held or
 * requested, acquired in ascending order. So each further run holds more locks from its start, and
 * finally no conflict is possible.
 *
 * <p>The locks that order messages about commits ({@link TransactionNotes}) come before row locks.
 * At the commit they are acquired if they are free; otherwise the run is rolled back, and the next
 * run waits for them first.
 *
 * <p>A {@link BoundTransaction} has one run. It waits a bounded time for an earlier lock, and then
 * fails with the exception of its {@link BoundRules}. Locks of suspended transactions of its thread
 * count as held by another one.
 *
 * <p>In each space the run uses the generation from its first access to a row there. If the space
 * is cleared before the commit, the run is rolled back too, because what it read no longer exists.
 */
public final class RocksDbTransaction {
  private static final BitSet NO_LOCKS = new BitSet(0);

  private final StoreParts store;
  private final BitSet held;
  private final BitSet suspended;
  private final TransactionNotes notes;
  private final Moment moment;
  private final @Nullable BoundRules rules;
  private final Map<SpaceState, Rows> spaces = new HashMap<>();
  private final Thread thread = Thread.currentThread();
  private Durability durability = Durability.BUFFERED;
  private int awaited = -1;
  private boolean gaveWay;
  private volatile boolean ended;

  /** The touched rows of one generation of a space. */
  private record Rows(long generation, Map<byte[], TransactionRow> byHashKey) {}

  /** Starts a run and acquires {@code locks}. */
  RocksDbTransaction(StoreParts store, BitSet locks, TransactionNotes notes) {
    this.store = store;
    this.notes = notes;
    this.moment = new Moment(store.clock());
    this.rules = null;
    this.suspended = NO_LOCKS;
    store.locks().lockAll(locks);
    this.held = locks;
  }

  /**
   * Starts the only run of a bound transaction.
   *
   * @param suspended the locks of its thread's suspended transactions
   */
  RocksDbTransaction(StoreParts store, BitSet suspended, TransactionNotes notes, BoundRules rules) {
    this.store = store;
    this.notes = notes;
    this.moment = new Moment(store.clock());
    this.rules = rules;
    this.suspended = suspended;
    this.held = new BitSet(RowLocks.COUNT);
  }

  TransactionNotes notes() {
    return notes;
  }

  /** Whether the run was rolled back, or must be, because of a conflict. */
  boolean gaveWay() {
    return gaveWay;
  }

  /** The locks for the next run to start with. */
  BitSet locks() {
    BitSet locks = (BitSet) held.clone();
    if (awaited >= 0) {
      locks.set(awaited);
    }
    return locks;
  }

  /** The operations of a space that join. */
  JoinedSpace space(SpaceState space) {
    return new JoinedSpace(hashKey -> row(space, hashKey), notes, this::checkRunning);
  }

  /** Like {@link #space(SpaceState)}, for changes through a handle of that durability. */
  JoinedSpace space(SpaceState space, Durability level) {
    if (level.compareTo(durability) > 0) {
      durability = level;
    }
    return space(space);
  }

  private TransactionRow row(SpaceState space, byte[] hashKey) {
    if (rules != null) {
      rules.checkTime();
    }
    if (gaveWay) {
      throw conflict();
    }
    int index = RowLocks.indexOf(space, hashKey);
    lock(index);
    Rows rows = spaces.get(space);
    if (rows == null) {
      rows = new Rows(space.generationToWrite(), new TreeMap<>(Arrays::compareUnsigned));
      spaces.put(space, rows);
    }
    TransactionRow row = rows.byHashKey().get(hashKey);
    if (row == null) {
      byte[] key = hashKey.clone();
      row = new TransactionRow(store, space, index, rows.generation(), key, moment, notes);
      rows.byHashKey().put(key, row);
    }
    return row;
  }

  private void lock(int index) {
    if (held.get(index)) {
      return;
    }
    if (suspended.get(index)) {
      throw giveWay(index);
    }
    if (index >= Math.max(held.length(), suspended.length())) {
      store.locks().lock(index);
    } else if (!tryLock(index)) {
      throw giveWay(index);
    }
    held.set(index);
  }

  private boolean tryLock(int index) {
    RowLocks locks = store.locks();
    return rules == null ? locks.tryLock(index) : Patience.tryFor(() -> locks.tryLock(index));
  }

  private RuntimeException giveWay(int index) {
    awaited = index;
    gaveWay = true;
    return conflict();
  }

  private RuntimeException conflict() {
    return rules == null
        ? new GaveWayException()
        : rules.conflict(
            "Another transaction holds a row that this one needs, and may wait for this one. This"
                + " one can only be rolled back; run it again.");
  }

  /** Writes all changes in one batch, unless there was a conflict; returns whether it committed. */
  boolean commit() {
    spaces.forEach((space, rows) -> gaveWay |= space.generation() != rows.generation());
    gaveWay = gaveWay || !lockToCommit();
    if (!gaveWay) {
      write();
    }
    return !gaveWay;
  }

  private boolean lockToCommit() {
    return rules == null ? notes.lockToCommit() : Patience.tryFor(notes::lockToCommit);
  }

  private void write() {
    Batch batch = new Batch(store.database().familyIds(), 0);
    spaces.values().forEach(rows -> rows.byHashKey().values().forEach(row -> row.addTo(batch)));
    if (!batch.isEmpty()) {
      store.writePath().write(batch, store.durabilities().inForce(durability));
      if (batch.adds() && suspended.isEmpty()) {
        DiskToll toll = store.writePath().toll();
        String[] names = spaces.keySet().stream().map(SpaceState::name).toArray(String[]::new);
        notes.afterCommit(() -> toll.pay(names));
      }
    }
    spaces.values().forEach(rows -> rows.byHashKey().values().forEach(TransactionRow::committed));
  }

  /** Ends the run: releases its locks, and makes every later use of its rows an error. */
  void end() {
    ended = true;
    try {
      spaces.values().forEach(rows -> rows.byHashKey().values().forEach(TransactionRow::end));
    } finally {
      store.locks().unlockAll(held);
    }
  }

  private void checkRunning() {
    if (ended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A cursor was used after the transaction it was opened in, or by another thread; use it inside only.");
    }
  }
}
