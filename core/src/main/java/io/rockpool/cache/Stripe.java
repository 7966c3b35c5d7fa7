package io.rockpool.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the hot tier true for a share of the keys, without a lock across any read or write of the
 * store.
 *
 * <p>A write calls {@link #begin} before it reaches the store and {@link #end} after; a read takes
 * a {@link #ticket} before it asks the store and shows it to {@link #admit}. What a write wrote may
 * enter the tier only if no other write of the stripe ran at the same time (which of two won on
 * disk cannot be known here), and what a read read only if no write ran since the ticket. All
 * changes of the tier are made under the stripe's lock, so that a reader who was allowed in cannot
 * be overtaken by the write that makes its value stale.
 */
final class Stripe {
  private static final long BUSY = -1;

  private final ReentrantLock lock = new ReentrantLock();
  private int running;
  private long version;

  /**
   * {@link #version} while no write runs, else {@link #BUSY}. Written under the lock, read without.
   * Releasing the lock is the fence that makes what was written seen before the store is, so that
   * the writes themselves need none.
   */
  private final AtomicLong quiet = new AtomicLong();

  /** Notes that a write begins; returns what {@link #end} wants to see. */
  long begin() {
    lock.lock();
    try {
      quiet.setRelease(BUSY);
      return ++running == 1 ? version : BUSY;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that a write has ended, well or not, and runs one of the two: {@code alone} if no other
   * write of the stripe ran at the same time.
   */
  void end(long begun, Runnable alone, Runnable contended) {
    lock.lock();
    try {
      boolean wasAlone = begun == version && running == 1;
      version++;
      (wasAlone ? alone : contended).run();
    } finally {
      if (--running == 0) {
        quiet.setRelease(version);
      }
      lock.unlock();
    }
  }

  /** What a read shows to {@link #admit} later. Taken before the store is read. */
  long ticket() {
    return quiet.get();
  }

  /**
   * Runs {@code admission} if no write ran since the ticket was taken; gives way if the stripe is
   * in use.
   */
  void admit(long ticket, Runnable admission) {
    if (ticket != BUSY && lock.tryLock()) {
      try {
        if (running == 0 && version == ticket) {
          admission.run();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
