package io.rockpool.cache;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Keeps the hot tier true for a share of the keys, without a lock across any read or write of the
 * store.
 *
 * <p>A write calls {@link #begin} before it reaches the store and {@link #end} after; a read takes
 * a {@link #ticket} before it asks the store and shows it to {@link #admit}. What a write wrote may
 * enter the tier only if no other write of the stripe ran at the same time (which of two won on
 * disk cannot be known here): it asks {@link #beginChange}. What a read read may enter only if no
 * write ran since the ticket.
 *
 * <p>So between {@code begin} and {@code end} no other thread puts any of the stripe's keys into
 * the tier. A write looks into the tier and removes from it in between, with no lock. A key that it
 * hides after {@code begin} and before it changes the store stays unreadable in the tier until its
 * {@code end}, see {@link StripedWrites}. A write that finds its key absent and does not want it
 * there costs no more than the two atomic additions of {@code begin} and {@code end}.
 */
final class HotTierStripe {
  /** What {@link #begin} returns where another write runs, and {@link #ticket} too. */
  private static final long BUSY = -1;

  /** One running write; there is room for 16 million of them. */
  private static final long WRITE = 1;

  /** Set while someone who holds {@link #changes} puts into the tier. */
  private static final long CHANGING = 1L << 24;

  /** One write that has ended. Its count ends at 2^39 and begins again: no ticket is that old. */
  private static final long VERSION = 1L << 25;

  private static final long RUNNING = CHANGING - WRITE;

  private static final AtomicLongFieldUpdater<HotTierStripe> STATE =
      AtomicLongFieldUpdater.newUpdater(HotTierStripe.class, "state");

  private final OrderedLock changes = new OrderedLock(LockLevel.HOT_TIER);

  /** Running writes, whether the tier is being changed, and the version. */
  private volatile long state;

  /**
   * Notes that a write begins, and waits until nobody changes the tier; returns what {@link
   * #beginChange} wants to see.
   */
  long begin() {
    long before = STATE.getAndAdd(this, WRITE);
    if ((before & CHANGING) != 0) {
      // Whoever set it holds the lock until it is cleared again, and nobody can set it after us.
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
   * Whether the write that began so may put into the tier: no other write of the stripe ran at the
   * same time. Then those that begin wait until {@link #endChange}, which must follow.
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

  /** Notes that a write has ended, well or not. */
  void end() {
    STATE.getAndAdd(this, VERSION - WRITE);
  }

  /** What a read shows to {@link #admit} later. Taken before the store is read. */
  long ticket() {
    long now = state;
    return (now & (RUNNING | CHANGING)) == 0 ? now : BUSY;
  }

  /** Whether no write ran since the ticket was taken. */
  boolean isUnwritten(long ticket) {
    long now = state;
    return ticket != BUSY && (now & ~CHANGING) == ticket;
  }

  /**
   * Runs {@code admission} if no write ran since the ticket was taken; gives way if the stripe is
   * in use.
   */
  void admit(long ticket, Runnable admission) {
    if (ticket == BUSY || !changes.tryLock()) {
      return;
    }
    try {
      if (STATE.compareAndSet(this, ticket, ticket | CHANGING)) {
        try {
          admission.run();
        } finally {
          STATE.getAndAdd(this, -CHANGING);
        }
      }
    } finally {
      changes.unlock();
    }
  }
}
