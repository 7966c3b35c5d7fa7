package io.rockpool.internal.rocksdb.natives;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps native code from being entered once it is being taken down: using a closed native handle
 * ends the process.
 *
 * <p>Every operation enters and leaves; closing refuses those to come and waits for those inside.
 * To enter is to count oneself, then to look whether it is closed; to close is to say so, then to
 * look at the counts. Both in this order, so at least one of two that meet sees the other. The
 * counts are spread over cache lines by thread: an operation costs two uncontended atomic
 * additions.
 *
 * <p>One may also {@link #runAlone run alone}: meanwhile those who come wait.
 */
public final class CloseGuard {
  private static final int COUNTS = 64;
  private static final int STRIDE = 16;

  /**
   * How long closing sleeps between two looks at the counts: too short to notice, too long to be
   * felt by a core.
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
      throw new IllegalStateException(closedMessage);
    }
  }

  /** Whether {@link #close} was called; it may still wait for those inside. */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  /**
   * Asks without entering.
   *
   * @throws IllegalStateException if it is closed
   */
  public void check() {
    if (state == State.CLOSED) {
      throw new IllegalStateException(closedMessage);
    }
  }

  /** Enters if it is open, and says whether it is. */
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

  /** Refuses whoever comes from now on, and waits until all who are inside have left. */
  public synchronized void close() {
    state = State.CLOSED;
    awaitNobodyInside(Long.MAX_VALUE);
  }

  /**
   * Runs {@code action} while nobody is inside and those who come wait. Does nothing where it is
   * closed, or those inside do not leave in time.
   *
   * @param limitNanos how long it waits for those inside; not to be long, as whoever is inside and
   *     enters once more waits for it, too
   * @return whether it ran
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
