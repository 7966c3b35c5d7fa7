package io.rockpool.internal.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock with a place in the order of {@link LockLevel}. With {@code
 * -Drockpool.checkLockOrder=true}, waiting for it out of order throws an {@link AssertionError},
 * whether the lock is free or not. {@link #tryLock()} does not wait and is always in order. Without
 * the property it is a plain {@link ReentrantLock}.
 */
public final class OrderedLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  private final LockLevel level;
  private final int rank;
  private final boolean isBeforeRows;

  @SuppressWarnings("serial") // no lock is ever serialized
  private final @Nullable Object store;

  /** A lock of no single store; it follows the locks of earlier levels of every store. */
  public OrderedLock(LockLevel level) {
    this(level, 0, null);
  }

  /**
   * A lock of one store.
   *
   * @param rank its place among the locks of its level
   * @param store identifies the store; locks of different stores have no order
   */
  public OrderedLock(LockLevel level, int rank, @Nullable Object store) {
    this.level = level;
    this.rank = rank;
    this.isBeforeRows = level.compareTo(LockLevel.ROWS) < 0;
    this.store = store;
  }

  /**
   * Checks that this thread may wait for this lock now; does nothing if the order is not checked.
   */
  public void checkOrder() {
    if (HeldLocks.CHECKED) {
      HeldLocks.checkOrder(this);
    }
  }

  @Override
  public void lock() {
    checkOrder();
    super.lock();
    noteTaken();
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    checkOrder();
    super.lockInterruptibly();
    noteTaken();
  }

  @Override
  public boolean tryLock() {
    boolean taken = super.tryLock();
    if (taken) {
      noteTaken();
    }
    return taken;
  }

  @Override
  public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
    checkOrder();
    boolean taken = super.tryLock(timeout, unit);
    if (taken) {
      noteTaken();
    }
    return taken;
  }

  @Override
  public void unlock() {
    super.unlock();
    if (HeldLocks.CHECKED) {
      HeldLocks.noteReleased(this);
    }
    if (isBeforeRows) {
      AfterLocks.released();
    }
  }

  private void noteTaken() {
    if (isBeforeRows) {
      AfterLocks.taken();
    }
    if (HeldLocks.CHECKED) {
      HeldLocks.noteTaken(this);
    }
  }

  /** The thread that holds it, or null; only a hint unless that thread is blocked. */
  public @Nullable Thread owner() {
    return getOwner();
  }

  /**
   * Whether a thread that holds this lock must not wait for the other one. User code that runs
   * under the lock of a key may ask for that of any other key; see {@code CommitLock}.
   */
  boolean comesAfter(OrderedLock other) {
    boolean comparable = store == null || other.store == null || store == other.store;
    int levels = level.compareTo(other.level);
    boolean ranked = levels == 0 && level != LockLevel.KEYS;
    return comparable && (levels > 0 || (ranked && rank >= other.rank));
  }

  boolean isOf(Object otherStore) {
    return store == otherStore;
  }

  @Override
  public String toString() {
    return level + "[" + rank + "]";
  }
}
