package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.concurrent.Stripes;
import io.rockpool.internal.engine.Patience;
import io.rockpool.internal.rocksdb.natives.StallWatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The locks under which rows are changed; a fixed number shared by all rows. A thread that holds
 * some waits only for locks above them all. Waiting ends with an exception if writing has stalled.
 */
public final class RowLocks {
  /** Two of some hundred busy rows seldom share a lock, and all locks fit in a core's cache. */
  static final int COUNT = 1_024;

  private final OrderedLock[] locks = new OrderedLock[COUNT];
  private final StallWatch stalls;

  /** The threads with suspended transactions, which hold locks, and how many each has. */
  private final Map<Thread, Integer> suspended = new ConcurrentHashMap<>();

  /** How many transactions are suspended: all that a writer reads while none is. */
  private final AtomicInteger suspensions = new AtomicInteger();

  private final Object store;

  /**
   * Creates the locks of a store.
   *
   * @param store identifies the store in the order of locks
   */
  public RowLocks(StallWatch stalls, Object store) {
    this.stalls = stalls;
    this.store = store;
    Arrays.setAll(locks, i -> new OrderedLock(LockLevel.ROWS, i, store));
  }

  /** Creates another lock of the same store. */
  public OrderedLock newLock(LockLevel level) {
    return new OrderedLock(level, 0, store);
  }

  /** The index of a row's lock, below {@link #COUNT}. */
  public static int indexOf(SpaceState space, byte[] hashKey) {
    return Stripes.of(Arrays.hashCode(hashKey) * 31 + space.salt(), COUNT);
  }

  /** Acquires the lock of a row, by its index, for one write; returns it. */
  public OrderedLock acquire(int index) {
    OrderedLock lock = locks[index];
    acquire(lock);
    return lock;
  }

  /** Records that a transaction was suspended, or resumed. */
  void suspended(boolean now) {
    int change = now ? 1 : -1;
    suspended.merge(
        Thread.currentThread(), change, (there, more) -> there + more == 0 ? null : there + more);
    suspensions.addAndGet(change);
  }

  private void acquire(OrderedLock lock) {
    if (suspensions.get() == 0 || !suspended.containsKey(Thread.currentThread())) {
      stalls.lock(lock);
    } else if (lock.isHeldByCurrentThread() || !Patience.tryFor(lock::tryLock)) {
      throw new IllegalStateException(
          "A row was to be changed while a transaction of this thread is suspended, and that"
              + " transaction or another one holds the row; change it after them.");
    }
  }

  /** Whether a thread holds the lock of a row. */
  boolean isLocked(SpaceState space, byte[] hashKey) {
    return locks[indexOf(space, hashKey)].isLocked();
  }

  /** Acquires a lock by its index. */
  public void lock(int index) {
    stalls.lock(locks[index]);
  }

  /** Releases a lock by its index. */
  public void unlock(int index) {
    locks[index].unlock();
  }

  /** Acquires a lock if it is free; returns whether it did. */
  boolean tryLock(int index) {
    return locks[index].tryLock();
  }

  /**
   * Waits until each lock was free once since the call: every thread that held one then has
   * released it.
   */
  public void passAll() {
    for (OrderedLock lock : locks) {
      stalls.lock(lock);
      lock.unlock();
    }
  }

  /** Acquires locks in ascending order: all or none. */
  void lockAll(BitSet indexes) {
    for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
      try {
        acquire(locks[i]);
      } catch (RuntimeException | Error e) {
        unlockAll(indexes.get(0, i));
        throw e;
      }
    }
  }

  void unlockAll(BitSet indexes) {
    indexes.stream().forEach(i -> locks[i].unlock());
  }
}
