package io.rockpool.engine;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A lock that puts messages about commits in order: a layer holds it around a write and the message
 * about the write, and a transaction around its commit and the messages about that; see {@link
 * Engine#tellAfterCommit}. All of them have one order, and come before the locks of the rows: a
 * thread that waits for one of these holds no row. A layer takes several in their order; but user
 * code that runs under one may ask for any other, so a thread whose wait would never end gets an
 * {@link IllegalStateException}. Taken as often as it is released.
 */
public final class CommitLock implements Comparable<CommitLock> {
  private static final AtomicInteger MADE = new AtomicInteger();

  /** The threads that wait, and the locks they wait for. Guarded by itself. */
  private static final Map<Thread, CommitLock> WAITING = new HashMap<>();

  private final int rank = MADE.incrementAndGet();

  private final OrderedLock lock;
  private final String owner;

  /**
   * A lock of a store that comes after all that were made before.
   *
   * @param owner what it belongs to, for messages: {@code cache "orders"}
   */
  public CommitLock(Engine store, String owner) {
    this.lock = new OrderedLock(LockLevel.KEYS, rank, Objects.requireNonNull(store, "store"));
    this.owner = Objects.requireNonNull(owner, "owner");
  }

  /**
   * Waits for it. Only a thread that has to wait looks for a cycle.
   *
   * @throws IllegalStateException if its holder waits, also through other threads, for a lock that
   *     this thread holds
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
