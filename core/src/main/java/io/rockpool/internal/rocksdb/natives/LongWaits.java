package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.concurrent.OrderedLock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The threads of all stores that have waited for a lock for a while. Within one store no cycle of
 * waiting threads is possible, see {@code RocksDbTransaction}. But a transaction of one store may
 * use another store, while a transaction of that store uses the first. One thread of such a cycle
 * gets an exception.
 */
final class LongWaits {
  private static final Map<Thread, OrderedLock> WAITING = new ConcurrentHashMap<>();

  private LongWaits() {}

  /**
   * Records that the calling thread still waits for a lock.
   *
   * @throws IllegalStateException if the lock's holder waits, directly or through others, for a
   *     lock that this thread holds, and this thread is the one of the cycle to fail
   */
  static void refuseIfCircular(OrderedLock lock) {
    WAITING.put(Thread.currentThread(), lock);
    boolean circular = isCircular(lock);
    // Checked twice: a holder may have released a lock before it began to wait, but not between two
    // checks.
    circular &= isCircular(lock);
    if (circular) {
      throw new IllegalStateException(
          "Transactions of two stores wait for each other: each holds rows that the other wants. This one gave way."
              + " Use several stores in the same order in all transactions, or one after the other.");
    }
  }

  /** Records that the calling thread no longer waits. */
  static void end() {
    WAITING.remove(Thread.currentThread());
  }

  /** Whether this thread waits for itself, and has the highest id in the cycle. */
  private static boolean isCircular(OrderedLock lock) {
    Thread mine = Thread.currentThread();
    @Nullable OrderedLock wanted = lock;
    for (int left = WAITING.size(); left >= 0 && wanted != null; left--) {
      Thread holder = wanted.owner();
      if (holder == null || holder.getId() > mine.getId()) {
        return false;
      }
      if (holder == mine) {
        return true;
      }
      wanted = WAITING.get(holder);
    }
    return false;
  }
}
