package io.rockpool.postgresql;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queues the transactions of a contended row inside this process: only one of them runs at a time,
 * so they do not make each other run again. A row counts as contended while one of its transactions
 * that met a conflict runs. Rows share stripes. Thread-safe.
 */
final class HotRows {
  private static final int STRIPES = 1_024;

  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  HotRows() {
    // Fair: an unfair lock lets one thread take it again and again, and had a quarter of the speed.
    Arrays.setAll(stripes, i -> new ReentrantLock(true));
  }

  /** Begins a transaction of a row; the caller ends it. */
  Turn begin(long space, byte[] hashKey) {
    int hash = Arrays.hashCode(hashKey) * 31 + Long.hashCode(space);
    return new Turn(stripes[(hash ^ hash >>> 16) & STRIPES - 1]);
  }

  /** The part of one transaction. For one thread. */
  static final class Turn {
    private final ReentrantLock lock;
    private boolean queued;
    private int conflicts;

    private Turn(ReentrantLock lock) {
      this.lock = lock;
      this.queued = lock.isLocked();
    }

    /** Waits for the transactions of this process in front, if the row is contended. */
    void await() {
      if (queued && !lock.isHeldByCurrentThread()) {
        lock.lock();
      }
    }

    /** Notes that a run was in vain. */
    void conflicted() {
      queued = true;
      conflicts++;
      if (conflicts > 1) {
        Database.pause(conflicts);
      }
    }

    void end() {
      if (lock.isHeldByCurrentThread()) {
        lock.unlock();
      }
    }
  }
}
