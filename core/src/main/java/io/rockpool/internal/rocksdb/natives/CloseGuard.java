package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.concurrent.Stripes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Prevents native calls on a closed database: using a closed native handle crashes the process.
 *
 * <p>Every operation enters and leaves. Closing rejects new operations and waits for running ones.
 * To enter, a thread increments its count and then reads the state. To close, a thread sets the
 * state and then reads the counts. So of an entering and a closing thread, at least one sees the
 * other. The counts are spread over cache lines by thread: an operation costs two uncontended
 * atomic additions.
 *
 * <p>A thread may also {@link #runAlone run alone}; threads that enter during that time wait. A
 * thread inside that is {@link #idle} does not prevent this.
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

  /** The idle threads among {@link #counts}; seldom used, so not spread over cache lines. */
  private final AtomicLongArray idle = new AtomicLongArray(COUNTS);

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
    awaitUnpaused();
    return state == State.OPEN && tryEnter();
  }

  private void awaitUnpaused() {
    boolean interrupted = false;
    while (state == State.PAUSED) {
      interrupted |= Thread.interrupted();
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits, without preventing another thread from running alone. The calling thread has entered
   * once, and uses nothing of the database meanwhile but open scans and snapshots.
   *
   * @return whether {@code until} was true before the limit; false at once if the thread is
   *     interrupted, or it is closed
   */
  boolean idle(BooleanSupplier until, long limitNanos) {
    int place = place();
    idle.getAndIncrement(place / STRIDE);
    long start = System.nanoTime();
    boolean isMet = until.getAsBoolean();
    while (!isMet
        && state != State.CLOSED
        && !Thread.currentThread().isInterrupted()
        && System.nanoTime() - start < limitNanos) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      isMet = until.getAsBoolean();
    }
    idle.getAndDecrement(place / STRIDE);
    while (state == State.PAUSED) {
      idle.getAndIncrement(place / STRIDE);
      awaitUnpaused();
      idle.getAndDecrement(place / STRIDE);
    }
    return isMet;
  }

  public void leave() {
    counts.getAndDecrement(place());
  }

  /** Rejects new operations, and waits until all running ones have left. */
  public synchronized void close() {
    state = State.CLOSED;
    awaitNobodyInside(Long.MAX_VALUE, /* idleToo= */ true);
  }

  /**
   * Runs {@code action} while all threads inside are idle; entering threads wait. Does nothing if
   * it is closed, or if the other threads inside do not leave in time.
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
      boolean alone = awaitNobodyInside(limitNanos, /* idleToo= */ false);
      if (alone) {
        action.run();
      }
      return alone;
    } finally {
      state = State.OPEN;
    }
  }

  private boolean awaitNobodyInside(long limitNanos, boolean idleToo) {
    long start = System.nanoTime();
    boolean interrupted = false;
    boolean nobody = true;
    for (int i = 0; i < counts.length() && nobody; i += STRIDE) {
      while (counts.get(i) != (idleToo ? 0 : idle.get(i / STRIDE)) && nobody) {
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
