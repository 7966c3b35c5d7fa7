package io.rockpool.cache;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Keeps the hot tier consistent with the store for a share of the keys, without a lock during any
 * read or write of the store.
 *
 * <p>A write calls {@link #begin} before it changes the store and {@link #end} after that. It may
 * put its entry into the tier only if no other write of the stripe ran at the same time, because
 * the order of two such writes in the store is unknown; {@link #beginChange} returns whether it
 * may. A read takes a {@link #ticket} before it reads the store, and passes it to {@link #admit}.
 * Its entry enters the tier only if no write ran since the ticket.
 *
 * <p>So between {@code begin} and {@code end} no other thread puts a key of the stripe into the
 * tier. Meanwhile the write reads the tier and removes from it without a lock. A key that it hides
 * after {@code begin} and before it changes the store stays unreadable in the tier until {@code
 * end}, see {@link StripedWrites}. A write of a key that is absent and is not to be put costs only
 * the two atomic additions of {@code begin} and {@code end}.
 */
final class HotTierStripe {
  /** The result of {@link #begin} and {@link #ticket} if another write runs. */
  private static final long BUSY = -1;

  /** One running write. The state has room for 16 million. */
  private static final long WRITE = 1;

  /** Set while a thread that holds {@link #changes} puts into the tier. */
  private static final long CHANGING = 1L << 24;

  /** One completed write. The count wraps around after 2^39; no ticket is that old. */
  private static final long VERSION = 1L << 25;

  private static final long RUNNING = CHANGING - WRITE;

  private static final AtomicLongFieldUpdater<HotTierStripe> STATE =
      AtomicLongFieldUpdater.newUpdater(HotTierStripe.class, "state");

  private final OrderedLock changes = new OrderedLock(LockLevel.HOT_TIER);

  /** What an admission adds to the state: nothing, or a version if it counts as a write. */
  private final long admission;

  /** The running writes, whether a thread puts into the tier, and the version. */
  private volatile long state;

  /**
   * Creates a stripe in which no write runs.
   *
   * @param exclusive whether of two reads that overlap only the first may be admitted. Needed if
   *     the store changes without a write here: the second may have read an older entry
   */
  HotTierStripe(boolean exclusive) {
    this.admission = exclusive ? VERSION : 0;
  }

  /**
   * Begins a write, and waits until no thread puts into the tier. Returns the argument of {@link
   * #beginChange}.
   */
  long begin() {
    long before = STATE.getAndAdd(this, WRITE);
    if ((before & CHANGING) != 0) {
      // The thread that set the bit holds the lock until it clears the bit, and no thread can set
      // it after this.
      changes.lock();
      try {
        before -= CHANGING;
      } finally {
        changes.unlock();
      }
    }
    return (before & RUNNING) == 0 ? before + WRITE : BUSY;
  }

  /**
   * Whether a write may put into the tier: no other write of the stripe ran at the same time. If it
   * may, other writes wait when they begin until {@link #endChange}, which must follow.
   *
   * @param begun the result of the write's {@link #begin}
   */
  boolean beginChange(long begun) {
    if (begun == BUSY) {
      return false;
    }
    changes.lock();
    boolean alone = STATE.compareAndSet(this, begun, begun | CHANGING);
    if (!alone) {
      changes.unlock();
    }
    return alone;
  }

  void endChange() {
    STATE.getAndAdd(this, -CHANGING);
    changes.unlock();
  }

  /** Ends a write, successful or not. */
  void end() {
    STATE.getAndAdd(this, VERSION - WRITE);
  }

  /** The argument of {@link #admit}. Take it before the store is read. */
  long ticket() {
    long now = state;
    return (now & (RUNNING | CHANGING)) == 0 ? now : BUSY;
  }

  /**
   * Counts a read as a write, so that no read that began before is admitted. Returns the ticket
   * from now on, which no later call finds unwritten if a write ran since {@code ticket}.
   */
  long pass(long ticket) {
    boolean unwritten = begin() == ticket + WRITE;
    end();
    return unwritten ? ticket + VERSION : BUSY;
  }

  /** Like {@link #ticket}, once no thread puts into the tier. */
  long awaitTicket() {
    changes.lock();
    try {
      return ticket();
    } finally {
      changes.unlock();
    }
  }

  /** Whether no write ran since the ticket was taken. */
  boolean isUnwritten(long ticket) {
    long now = state;
    return ticket != BUSY && (now & ~CHANGING) == ticket;
  }

  /**
   * Runs {@code admitting} if no write ran since the ticket was taken and the stripe is not in use;
   * returns whether it did.
   */
  boolean admit(long ticket, Runnable admitting) {
    if (ticket == BUSY || !changes.tryLock()) {
      return false;
    }
    try {
      // The version is new before the entry can be read.
      if (!STATE.compareAndSet(this, ticket, (ticket + admission) | CHANGING)) {
        return false;
      }
      try {
        admitting.run();
        return true;
      } finally {
        STATE.getAndAdd(this, -CHANGING);
      }
    } finally {
      changes.unlock();
    }
  }
}
