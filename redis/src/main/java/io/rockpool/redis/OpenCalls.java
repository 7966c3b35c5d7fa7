package io.rockpool.redis;

import io.rockpool.error.StoreClosedException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The running calls of an engine. Only its close waits for them. Thread-safe. */
final class OpenCalls {
  /** For each thread in a call: whether that has waited for a connection until its timeout. */
  private static final ThreadLocal<boolean[]> WAITED = new ThreadLocal<>();

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final ThreadLocal<Boolean> inTransaction = new ThreadLocal<>();
  private final String engine;
  private volatile boolean closed;

  OpenCalls(String engine) {
    this.engine = engine;
  }

  /** Runs a call, if the engine is open and the thread is in no row transaction. */
  <R extends @Nullable Object> R run(Supplier<R> call) {
    checkNotInTransaction();
    boolean isOutermost = WAITED.get() == null;
    lock.readLock().lock();
    try {
      checkOpen();
      if (isOutermost) {
        WAITED.set(new boolean[1]);
      }
      return call.get();
    } finally {
      if (isOutermost) {
        WAITED.remove();
      }
      lock.readLock().unlock();
    }
  }

  /** Whether the call of this thread has waited for a connection until its timeout. */
  static boolean hasWaited() {
    boolean[] waited = WAITED.get();
    return waited != null && waited[0];
  }

  /** Notes that the call of this thread, if it is in one, shall not wait for a connection again. */
  static void waited() {
    boolean[] waited = WAITED.get();
    if (waited != null) {
      waited[0] = true;
    }
  }

  /** Runs user code of a row transaction, which may not call the engine. */
  <R extends @Nullable Object> R inTransaction(Supplier<R> code) {
    inTransaction.set(true);
    try {
      return code.get();
    } finally {
      inTransaction.remove();
    }
  }

  void checkOpen() {
    if (closed) {
      throw new StoreClosedException(engine + " is closed; open it again to go on.");
    }
  }

  /** Waits for all running calls, and rejects later ones. */
  void close() {
    checkNotInTransaction();
    if (lock.getReadHoldCount() > 0) {
      throw insideACall();
    }
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void checkNotInTransaction() {
    if (inTransaction.get() != null) {
      throw insideACall();
    }
  }

  private IllegalStateException insideACall() {
    return new IllegalStateException(
        engine
            + " was called from inside a row transaction or a record reader, which may use only"
            + " what it is given. Call it before or after.");
  }
}
