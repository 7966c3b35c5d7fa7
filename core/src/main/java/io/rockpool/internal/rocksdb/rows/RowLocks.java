package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.rocksdb.natives.Stripes;
import io.rockpool.internal.rocksdb.natives.WritePath;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The locks under which rows are changed, a fixed number for all rows. Whoever waits for one while
 * he holds others waits for one above them all. Waiting ends early where writing has stalled.
 */
public final class RowLocks {
  /**
   * So many that two of some hundred busy rows seldom share one, and that all fit in a core's
   * cache.
   */
  static final int COUNT = 1_024;

  private final OrderedLock[] locks = new OrderedLock[COUNT];
  private final WritePath writePath;
  private final Object store;

  /**
   * The locks of a store.
   *
   * @param store identifies the store in the order of locks
   */
  public RowLocks(WritePath writePath, Object store) {
    this.writePath = writePath;
    this.store = store;
    Arrays.setAll(locks, i -> new OrderedLock(LockLevel.ROWS, i, store));
  }

  /** A lock of the same store for something else. */
  public OrderedLock newLock(LockLevel level) {
    return new OrderedLock(level, 0, store);
  }

  /** The lock of a row, among {@link #COUNT}. */
  public static int indexOf(SpaceState space, byte[] hashKey) {
    return Stripes.of(Arrays.hashCode(hashKey) * 31 + space.salt(), COUNT);
  }

  /** Takes the lock of a row and returns it. */
  public OrderedLock lock(SpaceState space, byte[] hashKey) {
    OrderedLock lock = locks[indexOf(space, hashKey)];
    writePath.lock(lock);
    return lock;
  }

  /** Whether anyone holds the lock of a row. */
  boolean isLocked(SpaceState space, byte[] hashKey) {
    return locks[indexOf(space, hashKey)].isLocked();
  }

  /** Takes a lock by its index. */
  public void lock(int index) {
    writePath.lock(locks[index]);
  }

  /** Lets go of a lock by its index. */
  public void unlock(int index) {
    locks[index].unlock();
  }

  /** Takes a lock if it is free, and says whether it was. */
  boolean tryLock(int index) {
    return locks[index].tryLock();
  }

  /**
   * Returns when each lock was free once since the call: whoever held one then has let go of it.
   */
  public void passAll() {
    for (OrderedLock lock : locks) {
      writePath.lock(lock);
      lock.unlock();
    }
  }

  /** Takes locks in ascending order: all or none. */
  void lockAll(BitSet indexes) {
    for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
      try {
        writePath.lock(locks[i]);
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
