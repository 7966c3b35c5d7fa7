package io.rockpool.internal.engine;

import io.rockpool.error.StoreClosedException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running calls of an engine, and its transactions over several rows. Calls don't wait for each
 * other; only close waits for them. It also rejects a call inside another one on the same thread,
 * from a row transaction or a record reader. For engines. Thread-safe.
 *
 * @param <T> what an engine keeps of a run of a transaction
 */
public final class RunningCalls<T extends RunningCalls.Run> {
  /** One run of a transaction over several rows. */
  public interface Run {
    /** Ends the run: its rows and cursors reject later use. */
    void end();
  }

  /** A run, and whether a call of the engine runs in it: a row transaction or a record reader. */
  private static final class Entered<T> {
    private final T run;
    private boolean inCall;

    Entered(T run) {
      this.run = run;
    }
  }

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Thread, Entered<T>> transactions = new ConcurrentHashMap<>();

  /** At least the number of transactions, so that calls outside of them need no look-up. */
  private final AtomicInteger transactionCount = new AtomicInteger();

  private final String engine;
  private volatile boolean closed;

  /**
   * Starts without calls.
   *
   * @param engine what the engine is called in messages
   */
  public RunningCalls(String engine) {
    this.engine = engine;
  }

  /** The transaction of the calling thread, or null. */
  public @Nullable T transaction() {
    Entered<T> entered = entered();
    return entered == null ? null : entered.run;
  }

  private @Nullable Entered<T> entered() {
    return transactionCount.get() == 0 ? null : transactions.get(Thread.currentThread());
  }

  /** Starts a call. The caller must call {@link #end} afterwards. */
  public void begin() {
    Entered<T> transaction = entered();
    if (transaction == null) {
      enter();
    } else {
      checkNotInCall(transaction);
      transaction.inCall = true;
    }
  }

  /** Ends the call of the last {@link #begin} of this thread. */
  public void end() {
    Entered<T> transaction = entered();
    if (transaction == null) {
      lock.readLock().unlock();
    } else {
      transaction.inCall = false;
    }
  }

  /** Runs one call. */
  public <R extends @Nullable Object> R call(Supplier<R> operation) {
    begin();
    try {
      return operation.get();
    } finally {
      end();
    }
  }

  /**
   * Starts a run of a transaction. The caller must call {@link #endTransaction} afterwards.
   *
   * @param start creates the run
   */
  public T beginTransaction(TransactionNotes notes, Supplier<T> start) {
    notes.begin();
    boolean begun = false;
    try {
      enter();
      try {
        T run = start.get();
        attach(run);
        begun = true;
        return run;
      } finally {
        if (!begun) {
          lock.readLock().unlock();
        }
      }
    } finally {
      if (!begun) {
        notes.end(false);
      }
    }
  }

  /** Ends the run of this thread's transaction. */
  public void endTransaction() {
    detach().run.end();
    lock.readLock().unlock();
  }

  /** Detaches the transaction of the calling thread. The engine may be closed meanwhile. */
  public void suspend() {
    Entered<T> unused = detach();
    lock.readLock().unlock();
  }

  /**
   * Attaches a run to the calling thread again.
   *
   * @throws StoreClosedException if the engine was closed meanwhile; the run has ended then
   */
  public void resume(T run) {
    try {
      enter();
    } catch (StoreClosedException e) {
      run.end();
      throw e;
    }
    attach(run);
  }

  private void attach(T run) {
    transactionCount.incrementAndGet();
    transactions.put(Thread.currentThread(), new Entered<>(run));
  }

  private Entered<T> detach() {
    Entered<T> entered = Objects.requireNonNull(transactions.remove(Thread.currentThread()));
    transactionCount.decrementAndGet();
    return entered;
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

  /** Throws if a call of this thread's transaction is running. */
  public void checkNotInCall() {
    Entered<T> entered = entered();
    if (entered != null) {
      checkNotInCall(entered);
    }
  }

  private void checkNotInCall(Entered<T> transaction) {
    if (transaction.inCall) {
      throw insideACall();
    }
  }

  /** Throws if the engine is closed. */
  public void checkOpen() {
    if (closed) {
      throw new StoreClosedException(engine + " is closed; open it again to go on.");
    }
  }

  /** Throws if the thread is in a transaction over several rows. */
  public void refuseInTransaction(String what) {
    if (transaction() != null) {
      throw new IllegalStateException(
          what
              + " concerns more than the rows a transaction holds and cannot be part of one; do it before or after"
              + " atomically.");
    }
  }

  /** Waits for all running calls, and rejects later ones. */
  public void close() {
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
