package io.rockpool.engine;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.concurrent.WaitGraph;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A lock that orders messages about commits. A layer holds it around a write and the message about
 * that write. A transaction holds it around its commit and the commit's messages; see {@link
 * Engine#tellAfterCommit}. All commit locks have one order and come before row locks: a thread that
 * waits for one holds no row. User code that runs under one may ask for any other; a thread whose
 * wait would never end gets an {@link IllegalStateException}. Reentrant.
 */
public final class CommitLock implements Comparable<CommitLock> {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final int rank = MADE.incrementAndGet();

  private final OrderedLock lock;
  private final String owner;

  /**
   * Creates a lock that comes after all locks created before.
   *
   * @param owner the object that the lock belongs to, for messages: {@code cache "orders"}
   */
  public CommitLock(Engine store, String owner) {
    this.lock = new OrderedLock(LockLevel.KEYS, rank, Objects.requireNonNull(store, "store"));
    this.owner = Objects.requireNonNull(owner, "owner");
  }

  /**
   * Acquires the lock; waits if another thread holds it. Only a thread that waits looks for a
   * cycle.
   *
   * @throws IllegalStateException if the holder waits, perhaps through other threads, for a lock, a
   *     load or a transaction of this thread
   */
  public void lock() {
    lock.checkOrder();
    if (!lock.tryLock()) {
      WaitGraph.Awaited held = WaitGraph.begin(new Wait());
      if (held != null) {
        throw new IllegalStateException(
            "Deadlock: this thread "
                + held
                + " and wants a key of "
                + owner
                + ", whose holder waits for this thread. A synchronous listener, an entry processor and a CacheWriter"
                + " run under the lock of their key: change and load no other key there, but after the call or in an"
                + " asynchronous listener.");
      }
      try {
        lock.lock();
      } finally {
        WaitGraph.end();
      }
    }
  }

  /** The wait of a thread for this lock. */
  private final class Wait implements WaitGraph.Awaited {
    @Override
    public @Nullable Thread holder() {
      return lock.owner();
    }

    @Override
    public String toString() {
      return "has locked a key of " + owner;
    }
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
