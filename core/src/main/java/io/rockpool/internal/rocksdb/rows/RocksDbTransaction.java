package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Durability;
import io.rockpool.engine.JoinedSpace;
import io.rockpool.engine.TransactionNotes;
import io.rockpool.internal.rocksdb.natives.Batch;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * One run of {@code atomically}: the locks of the rows it has touched, held until it ends, and what
 * it changes in them. Belongs to one thread, which is inside the {@link CloseGuard}.
 *
 * <p>No two wait for each other: a lock is waited for only if it comes after all that are held, as
 * everyone takes them. Another is taken if it is free. If it isn't, the run gives way: it ends
 * without effect, and the next one begins with all locks that this one had or wanted, taken in
 * ascending order. So each run that gives way holds more from its beginning, and at last nothing
 * can stop it.
 *
 * <p>The locks that order messages about commits ({@link TransactionNotes}) come before those of
 * rows: at the commit they are taken if they are free, and otherwise waited for before the next
 * run.
 *
 * <p>In each space it sees the generation that the space had when it first touched a row there. If
 * the space is cleared before the commit, the run gives way too: what it read there is no more.
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

  /** The rows touched in one space, in one generation of it. */
  private record Rows(long generation, Map<byte[], TransactionRow> byHashKey) {}

  /** A run that begins with some locks, which it takes here. */
  RocksDbTransaction(StoreParts store, BitSet locks, TransactionNotes notes) {
    this.store = store;
    this.notes = notes;
    store.locks().lockAll(locks);
    this.held = locks;
  }

  TransactionNotes notes() {
    return notes;
  }

  /** Whether it ended, or has to end, because it met another transaction. */
  boolean gaveWay() {
    return gaveWay;
  }

  /** The locks to begin the next run with. */
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

  /** As {@link #space}, for changes through a handle of that durability. */
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

  /** Makes all changes in one write, unless it gave way, and says whether it did not. */
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

  /** Ends the run: lets go of its locks, and makes every later use of its rows an error. */
  void end() {
    ended = true;
    spaces.values().forEach(rows -> rows.byHashKey().values().forEach(TransactionRow::end));
    store.locks().unlockAll(held);
  }

  private void checkRunning() {
    if (ended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A cursor was used after the transaction it was opened in, or by another thread; use it inside only.");
    }
  }
}
