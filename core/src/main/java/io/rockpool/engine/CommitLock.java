package io.rockpool.engine;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lock that puts messages about commits in order: a layer holds it around a write and the message
 * about the write, and a transaction around its commit and the messages about that; see {@link
 * Engine#tellAfterCommit}. All of them have one order, and come before the locks of the rows: a
 * thread that waits for one of these holds no row, and only locks that were made before it. Taken
 * as often as it is released.
 */
public final class CommitLock implements Comparable<CommitLock> {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final int rank = MADE.incrementAndGet();

  private final OrderedLock lock;

  /** A lock of a store that comes after all that were made before. */
  public CommitLock(Engine store) {
    this.lock = new OrderedLock(LockLevel.KEYS, rank, Objects.requireNonNull(store, "store"));
  }

  /** Waits for it. */
  public void lock() {
    lock.lock();
  }

  /** Takes it if no other thread has it, also out of order; says whether it did. */
  public boolean tryLock() {
    return lock.tryLock();
  }

  /** Releases it. */
  public void unlock() {
    lock.unlock();
  }

  /** Whether any thread has it; only a hint. */
  public boolean isLocked() {
    return lock.isLocked();
  }

  /** By the order in which they are taken: the order in which they were made. */
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
