package io.rockpool.engine;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.HashMap;
import java.util.Map;
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

  /** The threads that wait, and the locks they wait for. Guarded by itself. */
  private static final Map<Thread, CommitLock> WAITING = new HashMap<>();

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
   * @throws IllegalStateException if the holder waits, perhaps through other threads, for a lock of
   *     this thread
   */
  public void lock() {
    lock.checkOrder();
    if (!lock.tryLock()) {
      beginToWait();
      try {
        lock.lock();
      } finally {
        endWaiting();
      }
    }
  }

  /** Each thread is noted before it looks, so that the last one of a cycle sees it. */
  private void beginToWait() {
    synchronized (WAITING) {
      WAITING.put(Thread.currentThread(), this);
      CommitLock wanted = wantedOfThisThread();
      if (wanted != null) {
        endWaiting();
        throw new IllegalStateException(
            "Deadlock: this thread has locked a key of "
                + wanted.owner
                + " and wants one of "
                + owner
                + ", whose holder waits for this thread. A synchronous listener, an entry processor and a CacheWriter"
                + " run under the lock of their key: change no other key there, but after the call or in an"
                + " asynchronous listener.");
      }
    }
  }

  /** The lock for which, from holder to holder, a thread waits that this thread has; or null. */
  private @Nullable CommitLock wantedOfThisThread() {
    CommitLock wanted = this;
    for (int left = WAITING.size(); left > 0; left--) {
      Thread holder = wanted.lock.owner();
      if (holder == Thread.currentThread()) {
        return wanted;
      }
      CommitLock next = holder == null ? null : WAITING.get(holder);
      if (next == null || next.equals(wanted)) { // The holder of a lock has just got it.
        return null;
      }
      wanted = next;
    }
    return null;
  }

  private static void endWaiting() {
    synchronized (WAITING) {
      WAITING.remove(Thread.currentThread());
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
