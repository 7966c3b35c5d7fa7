package io.rockpool.engine.memory;

import io.rockpool.engine.TransactionNotes;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The calls that run in an engine, and the transactions over several rows. Calls don't wait for
 * each other; only closing waits for them. It also tells a call made from inside another one on the
 * same thread, that is from a row transaction or a record reader.
 */
final class RunningCalls {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Thread, MemoryTransaction> transactions = new ConcurrentHashMap<>();
  private final String engine;
  private volatile boolean closed;

  RunningCalls(String engine) {
    this.engine = engine;
  }

  /** The transaction that the calling thread is in, or null. */
  @Nullable MemoryTransaction transaction() {
    return transactions.get(Thread.currentThread());
  }

  /** Begins a call; whoever called this calls {@link #end} when it is over. */
  void begin() {
    MemoryTransaction transaction = transaction();
    if (transaction == null) {
      enter();
    } else {
      checkNotInCall(transaction);
      transaction.beginCall();
    }
  }

  void end() {
    MemoryTransaction transaction = transaction();
    if (transaction == null) {
      lock.readLock().unlock();
    } else {
      transaction.endCall();
    }
  }

  /** Begins a run of a transaction; whoever called this calls {@link #endTransaction}. */
  MemoryTransaction beginTransaction(Catalog catalog, InstantSource clock, TransactionNotes notes) {
    notes.begin();
    try {
      enter();
    } catch (RuntimeException e) {
      notes.end(false);
      throw e;
    }
    MemoryTransaction transaction = new MemoryTransaction(catalog, clock.millis(), notes);
    transactions.put(Thread.currentThread(), transaction);
    return transaction;
  }

  void endTransaction() {
    Objects.requireNonNull(transactions.remove(Thread.currentThread())).end();
    lock.readLock().unlock();
  }

  private void enter() {
    checkNotInside();
    lock.readLock().lock();
    try {
      checkOpen();
    } catch (IllegalStateException e) {
      lock.readLock().unlock();
      throw e;
    }
  }

  /** Refuses to go on from inside a call that is part of a transaction. */
  void checkNotInCall(MemoryTransaction transaction) {
    if (transaction.isInCall()) {
      throw insideACall();
    }
  }

  /** Refuses to go on once the engine is closed. */
  void checkOpen() {
    if (closed) {
      throw new IllegalStateException(engine + " is closed; open it again to go on.");
    }
  }

  /** Refuses what cannot be part of a transaction over several rows. */
  void refuseInTransaction(String what) {
    if (transaction() != null) {
      throw new IllegalStateException(
          what
              + " concerns more than the rows a transaction holds and cannot be part of one; do it before or after"
              + " atomically.");
    }
  }

  /** Waits until no call runs, and refuses every later one. */
  void close() {
    refuseInTransaction("Closing");
    checkNotInside();
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void checkNotInside() {
    if (lock.getReadHoldCount() > 0) {
      throw insideACall();
    }
  }

  private IllegalStateException insideACall() {
    return new IllegalStateException(
        engine
            + " was called from inside a transaction or a record reader; these may use what they are given and"
            + " nothing else of the engine. Call it before or after.");
  }
}
