package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.concurrent.Stripes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Prevents native calls on a closed database: using a closed native handle crashes the process.
 *
 * <p>Every operation enters and leaves. Closing rejects new operations and waits for running ones.
 * To enter, a thread increments its count and then reads the state. To close, a thread sets the
 * state and then reads the counts. So of an entering and a closing thread, at least one sees the
 * other. The counts are spread over cache lines by thread: an operation costs two uncontended
 * atomic additions.
 *
 * <p>A thread may also {@link #runAlone run alone}; threads that enter during that time wait.
 */
public final class CloseGuard {
  private static final int COUNTS = 64;
  private static final int STRIDE = 16;

  /**
   * The sleep between two checks while closing: short for the caller, long enough to spare the
   * processor.
   */
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private enum State {
    OPEN,
    PAUSED,
    CLOSED
  }

  private final AtomicLongArray counts = new AtomicLongArray(COUNTS * STRIDE);
  private final String closedMessage;
  private volatile State state = State.OPEN;

  public CloseGuard(String closedMessage) {
    this.closedMessage = closedMessage;
  }

  /**
   * Enters; {@link #leave} must follow, on the same thread.
   *
   * @throws IllegalStateException if it is closed
   */
  public void enter() {
    if (!tryEnter()) {
      throw new StoreClosedException(closedMessage);
    }
  }

  /** Whether {@link #close} was called; it may still wait for running operations. */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  /**
   * Checks without entering.
   *
   * @throws IllegalStateException if it is closed
   */
  public void check() {
    if (state == State.CLOSED) {
      throw new StoreClosedException(closedMessage);
    }
  }

  /** Enters unless closed; returns whether it entered. */
  public boolean tryEnter() {
    counts.getAndIncrement(place());
    if (state == State.OPEN) {
      return true;
    }
    leave();
    return tryEnterAfterPause();
  }

  private boolean tryEnterAfterPause() {
    boolean interrupted = false;
    while (state == State.PAUSED) {
      interrupted |= Thread.interrupted();
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state == State.OPEN && tryEnter();
  }

  public void leave() {
    counts.getAndDecrement(place());
  }

  /** Rejects new operations, and waits until all running ones have left. */
  public synchronized void close() {
    state = State.CLOSED;
    awaitNobodyInside(Long.MAX_VALUE);
  }

  /**
   * Runs {@code action} while no thread is inside; entering threads wait. Does nothing if it is
   * closed, or if the threads inside do not leave in time.
   *
   * @param limitNanos how long to wait for the threads inside; keep it short, because a thread
   *     inside that enters again waits for it too
   * @return whether the action ran
   */
  public synchronized boolean runAlone(Runnable action, long limitNanos) {
    if (state == State.CLOSED) {
      return false;
    }
    state = State.PAUSED;
    try {
      boolean alone = awaitNobodyInside(limitNanos);
      if (alone) {
        action.run();
      }
      return alone;
    } finally {
      state = State.OPEN;
    }
  }

  private boolean awaitNobodyInside(long limitNanos) {
    long start = System.nanoTime();
    boolean interrupted = false;
    boolean nobody = true;
    for (int i = 0; i < counts.length() && nobody; i += STRIDE) {
      while (counts.get(i) != 0 && nobody) {
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(this, LOOK_NANOS);
        nobody = System.nanoTime() - start < limitNanos;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return nobody;
  }

  private static int place() {
    return Stripes.ofCurrentThread(COUNTS) * STRIDE;
  }
}
