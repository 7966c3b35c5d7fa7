package io.rockpool.engine.rocksdb;

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
 */
final class CloseGuard {
  private static final int COUNTS = 64;
  private static final int STRIDE = 16;

  /**
   * How long closing sleeps between two looks at the counts: too short to notice, too long to be
   * felt by a core.
   */
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final AtomicLongArray counts = new AtomicLongArray(COUNTS * STRIDE);
  private final String closedMessage;
  private volatile boolean closed;

  CloseGuard(String closedMessage) {
    this.closedMessage = closedMessage;
  }

  /**
   * Enters; {@link #leave} must follow, on the same thread.
   *
   * @throws IllegalStateException if it is closed
   */
  void enter() {
    if (!tryEnter()) {
      throw new IllegalStateException(closedMessage);
    }
  }

  /**
   * Asks without entering.
   *
   * @throws IllegalStateException if it is closed
   */
  void check() {
    if (closed) {
      throw new IllegalStateException(closedMessage);
    }
  }

  /** Enters if it is open, and says whether it is. */
  boolean tryEnter() {
    counts.getAndIncrement(place());
    if (closed) {
      leave();
      return false;
    }
    return true;
  }

  void leave() {
    counts.getAndDecrement(place());
  }

  /** Refuses whoever comes from now on, and waits until all who are inside have left. */
  void close() {
    closed = true;
    boolean interrupted = false;
    for (int i = 0; i < counts.length(); i += STRIDE) {
      while (counts.get(i) != 0) {
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(this, LOOK_NANOS);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static int place() {
    return Stripes.ofCurrentThread(COUNTS) * STRIDE;
  }
}
