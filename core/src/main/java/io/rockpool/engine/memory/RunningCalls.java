package io.rockpool.engine.memory;

import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.engine.TransactionNotes;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The running calls of an engine, and its transactions over several rows. Calls don't wait for each
 * other; only close waits for them. It also rejects a call inside another one on the same thread,
 * from a row transaction or a record reader.
 */
final class RunningCalls {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Thread, MemoryTransaction> transactions = new ConcurrentHashMap<>();
  private final String engine;
  private volatile boolean closed;

  RunningCalls(String engine) {
    this.engine = engine;
  }

  /** The transaction of the calling thread, or null. */
  @Nullable MemoryTransaction transaction() {
    return transactions.get(Thread.currentThread());
  }

  /** Starts a call. The caller must call {@link #end} afterwards. */
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

  /** Starts a run of a transaction. The caller must call {@link #endTransaction} afterwards. */
  MemoryTransaction beginTransaction(
      MemoryCatalog catalog, InstantSource clock, TransactionNotes notes) {
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

  /** Detaches the transaction of the calling thread. The engine may be closed meanwhile. */
  void suspend() {
    Objects.requireNonNull(transactions.remove(Thread.currentThread()));
    lock.readLock().unlock();
  }

  /** Attaches a transaction to the calling thread again. */
  void resume(MemoryTransaction transaction) {
    enter();
    transactions.put(Thread.currentThread(), transaction);
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

  /** Throws if a call of the transaction is running. */
  void checkNotInCall(MemoryTransaction transaction) {
    if (transaction.isInCall()) {
      throw insideACall();
    }
  }

  /** Throws if the engine is closed. */
  void checkOpen() {
    if (closed) {
      throw new StoreClosedException(engine + " is closed; open it again to go on.");
    }
  }

  /** Throws if the thread is in a transaction over several rows. */
  void refuseInTransaction(String what) {
    if (transaction() != null) {
      throw new IllegalStateException(
          what
              + " concerns more than the rows a transaction holds and cannot be part of one; do it before or after"
              + " atomically.");
    }
  }

  /** Waits for all running calls, and rejects later ones. */
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
