package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.store.Durability;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

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
 * <p>In each space the run uses the generation from its first access to a row there. If the space
 * is cleared before the commit, the run is rolled back too, because what it read no longer exists.
 */
public final class RocksDbTransaction {
  private final StoreParts store;
  private final BitSet held;
  private final TransactionNotes notes;
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
    store.locks().lockAll(locks);
    this.held = locks;
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
    if (gaveWay) {
      throw new GaveWayException();
    }
    lock(RowLocks.indexOf(space, hashKey));
    Rows rows = spaces.get(space);
    if (rows == null) {
      rows = new Rows(space.generationToWrite(), new TreeMap<>(Arrays::compareUnsigned));
      spaces.put(space, rows);
    }
    TransactionRow row = rows.byHashKey().get(hashKey);
    if (row == null) {
      byte[] key = hashKey.clone();
      row = new TransactionRow(store, space, rows.generation(), key, notes);
      rows.byHashKey().put(key, row);
    }
    return row;
  }

  private void lock(int index) {
    if (held.get(index)) {
      return;
    }
    if (index >= held.length()) {
      store.locks().lock(index);
    } else if (!store.locks().tryLock(index)) {
      awaited = index;
      gaveWay = true;
      throw new GaveWayException();
    }
    held.set(index);
  }

  /** Writes all changes in one batch, unless there was a conflict; returns whether it committed. */
  boolean commit() {
    spaces.forEach((space, rows) -> gaveWay |= space.generation() != rows.generation());
    gaveWay = gaveWay || !notes.lockToCommit();
    if (!gaveWay) {
      write();
    }
    return !gaveWay;
  }

  private void write() {
    Batch batch = new Batch(store.database().familyIds(), 0);
    spaces.values().forEach(rows -> rows.byHashKey().values().forEach(row -> row.addTo(batch)));
    if (!batch.isEmpty()) {
      store.writePath().write(batch, store.durabilities().inForce(durability));
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
