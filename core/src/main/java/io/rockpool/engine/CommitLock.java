package io.rockpool.engine;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lock that orders messages about commits. A layer holds it around a write and the message about
 * that write. A transaction holds it around its commit and the commit's messages; see {@link
 * Engine#tellAfterCommit}. All commit locks have one order and come before row locks: a thread that
 * waits for one holds no row and only commit locks created earlier. Reentrant.
 */
public final class CommitLock implements Comparable<CommitLock> {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final int rank = MADE.incrementAndGet();

  private final OrderedLock lock;

  /** Creates a lock that comes after all locks created before. */
  public CommitLock(Engine store) {
    this.lock = new OrderedLock(LockLevel.KEYS, rank, Objects.requireNonNull(store, "store"));
  }

  /** Acquires the lock; waits if another thread holds it. */
  public void lock() {
    lock.lock();
  }

  /**
   * Acquires the lock if no other thread holds it, even out of order.
   *
   * @return whether this thread holds it now
   */
  public boolean tryLock() {
    return lock.tryLock();
  }

  /** Releases it. */
  public void unlock() {
    lock.unlock();
  }

  /** Whether any thread holds it; only a hint. */
  public boolean isLocked() {
    return lock.isLocked();
  }

  /** Compares by order of creation, which is the order of acquisition. */
  @Override
  public int compareTo(CommitLock other) {
    return Integer.compare(rank, other.rank);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return rank;
  }
}
