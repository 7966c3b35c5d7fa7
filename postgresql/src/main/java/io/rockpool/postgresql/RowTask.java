package io.rockpool.postgresql;

import io.rockpool.engine.RowTransaction;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.Upkeep;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on one row, and how its last run ended. One thread runs it, not always the one that
 * made it and waits for it.
 *
 * @param <R> the type of the result
 */
final class RowTask<R extends @Nullable Object> {
  private final long space;
  private final byte[] hashKey;
  private final RowTransaction<R> transaction;
  private @Nullable R result;
  private @Nullable Throwable failure;
  private final Thread thread = Thread.currentThread();
  private volatile boolean done;

  RowTask(long space, byte[] hashKey, RowTransaction<R> transaction) {
    this.space = space;
    this.hashKey = hashKey;
    this.transaction = transaction;
  }

  byte[] hashKey() {
    return hashKey;
  }

  boolean hasRowOf(RowTask<?> other) {
    return space == other.space && Arrays.equals(hashKey, other.hashKey);
  }

  int hash() {
    return Arrays.hashCode(hashKey) * 31 + Long.hashCode(space);
  }

  /** Runs it. If it throws, its changes are undone, and the exception is kept. */
  void run(JoinedSpace row) {
    result = null;
    failure = null;
    try {
      result = row.transact(hashKey, transaction);
    } catch (NoGeneration e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (Thread.currentThread() != thread && SqlErrors.isOfThisThread(e)) {
        throw e;
      }
      failure = e;
    }
  }

  /** Throws the exception of the last run if it says that the server is away. */
  void throwIfServerIsAway() {
    if (failure instanceof ServerUnavailableException e) {
      throw e;
    }
  }

  void failed(Throwable e) {
    failure = e;
  }

  /** Ends it, and wakes the thread that waits for it. */
  void done() {
    done = true;
    wake();
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  boolean isDone() {
    return done;
  }

  /** The result of the last run, or its exception. */
  @SuppressWarnings("NullAway") // null only where R allows it
  R result() {
    Upkeep.rethrow(failure);
    return result;
  }
}
