package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.concurrent.AfterLocks;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.TransactionNotes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads inside a transaction: over any rows, of one row, or of one row inside the other.
 * While no thread is inside one over any rows, a lookup is one volatile read.
 *
 * <p>Inside the function of a row transaction, a thread must not write in another way or begin
 * another transaction: it could wait for a lock whose owner waits for the lock it holds. Such calls
 * throw an exception.
 */
public final class RunningTransactions {
  private final Set<Thread> inRow = ConcurrentHashMap.newKeySet();
  private final Map<Thread, RocksDbTransaction> open = new ConcurrentHashMap<>();
  private final Map<Thread, List<RocksDbTransaction>> suspended = new ConcurrentHashMap<>();
  private final AtomicInteger openCount = new AtomicInteger();

  /** Begins a row transaction; returns the larger one that it is part of, or null. */
  @Nullable RocksDbTransaction enterRow() {
    if (!inRow.add(Thread.currentThread())) {
      throw refusal();
    }
    return current();
  }

  void leaveRow() {
    inRow.remove(Thread.currentThread());
  }

  /** Throws if the calling thread is inside a row transaction. */
  void refuseInRow() {
    if (inRow.contains(Thread.currentThread())) {
      throw refusal();
    }
  }

  /** Throws if the calling thread is inside any transaction, which {@code what} cannot join. */
  public void refuseInside(String what) {
    refuseInRow();
    if (current() != null || isSuspended()) {
      throw new IllegalStateException(
          what
              + " concerns more than the rows a transaction holds and cannot be part of one; do it before or after"
              + " atomically.");
    }
  }

  /** The calling thread's transaction over any rows, or null. */
  public @Nullable RocksDbTransaction current() {
    return openCount.get() == 0 ? null : open.get(Thread.currentThread());
  }

  /**
   * Like {@link #current}, for an operation that would join; throws inside a row transaction that
   * is part of it.
   */
  @Nullable RocksDbTransaction toJoin() {
    RocksDbTransaction transaction = current();
    if (transaction != null) {
      refuseInRow();
    }
    return transaction;
  }

  /** Registers an action with {@code how}; outside a transaction, runs it. */
  public void note(Runnable action, BiConsumer<TransactionNotes, Runnable> how) {
    Objects.requireNonNull(action, "action");
    RocksDbTransaction transaction = current();
    if (transaction == null) {
      action.run();
    } else {
      how.accept(transaction.notes(), action);
    }
  }

  /** Runs {@code work} as one transaction over any rows of the store. */
  public <R extends @Nullable Object> R atomically(StoreParts store, Supplier<R> work) {
    refuseInRow();
    RocksDbTransaction outer = current();
    if (outer != null) {
      return outer.notes().part(work);
    }
    if (isSuspended()) {
      throw new IllegalStateException(
          "atomically was called while a transaction of this thread is suspended; begin another"
              + " transaction, as REQUIRES_NEW does.");
    }
    BitSet locks = new BitSet(RowLocks.COUNT);
    TransactionNotes notes = new TransactionNotes();
    while (true) {
      boolean committed = false;
      RocksDbTransaction transaction = begin(store, locks, notes, null);
      try {
        R result = work.get();
        committed = transaction.commit();
        if (committed) {
          return result;
        }
      } catch (Throwable e) {
        if (!transaction.gaveWay()) {
          throw e;
        }
      } finally {
        end(store, transaction);
        notes.end(committed);
      }
      locks = transaction.locks();
    }
  }

  /** Begins a transaction that the calling thread ends by a call. */
  RocksDbTransaction bind(StoreParts store, BoundRules rules) {
    refuseInRow();
    if (current() != null) {
      throw new IllegalStateException(
          "A transaction was to begin inside of another one, such as atomically; begin it around"
              + " that one.");
    }
    return begin(store, new BitSet(RowLocks.COUNT), new TransactionNotes(), rules);
  }

  private boolean isSuspended() {
    return openCount.get() > 0 && suspended.containsKey(Thread.currentThread());
  }

  /** The locks that the suspended transactions of the calling thread hold. */
  private BitSet suspendedLocks() {
    BitSet locks = new BitSet(RowLocks.COUNT);
    suspended
        .getOrDefault(Thread.currentThread(), List.of())
        .forEach(transaction -> locks.or(transaction.locks()));
    return locks;
  }

  /** Detaches the transaction of the calling thread; it keeps its locks. */
  void suspend(RocksDbTransaction transaction, RowLocks locks) {
    locks.suspended(true);
    suspended.computeIfAbsent(Thread.currentThread(), thread -> new ArrayList<>()).add(transaction);
    open.remove(Thread.currentThread());
  }

  /** Attaches a transaction to the calling thread again. */
  void resume(RocksDbTransaction transaction, RowLocks locks) {
    open.put(Thread.currentThread(), transaction);
    suspended.computeIfPresent(
        Thread.currentThread(),
        (thread, all) -> {
          all.remove(transaction);
          return all.isEmpty() ? null : all;
        });
    locks.suspended(false);
  }

  private RocksDbTransaction begin(
      StoreParts store, BitSet locks, TransactionNotes notes, @Nullable BoundRules rules) {
    notes.begin();
    boolean entered = false;
    try {
      store.guard().enter();
      entered = true;
      RocksDbTransaction transaction =
          rules == null
              ? new RocksDbTransaction(store, locks, notes)
              : new RocksDbTransaction(store, suspendedLocks(), notes, rules);
      open.put(Thread.currentThread(), transaction);
      openCount.incrementAndGet();
      AfterLocks.taken();
      return transaction;
    } catch (Throwable e) {
      if (entered) {
        store.guard().leave();
      }
      notes.end(false);
      throw e;
    }
  }

  void end(StoreParts store, RocksDbTransaction transaction) {
    open.remove(Thread.currentThread());
    openCount.decrementAndGet();
    try {
      transaction.end();
    } finally {
      store.guard().leave();
      AfterLocks.released();
    }
  }

  /**
   * Waits for evictions, if it must, after a write outside of transactions; a thread with a
   * suspended one, which holds rows, does not.
   */
  void pay(StoreParts store, SpaceState space) {
    if (store.writePath().isTollDue() && !isSuspended()) {
      store.writePath().toll().pay(space.name());
    }
  }

  private static IllegalStateException refusal() {
    return new IllegalStateException(
        "Inside a row transaction the same store was written to in another way; change the row that was passed in,"
            + " and do everything else after the transaction.");
  }
}
