package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.concurrent.OrderedLock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The threads that have waited for a lock for a while, of all stores. Within one store no threads
 * wait for each other, see {@code Transaction}; but a transaction of one store may use another
 * store, and one of that store the first. Of threads that wait for each other so, one is told.
 */
final class LongWaits {
  private static final Map<Thread, OrderedLock> WAITING = new ConcurrentHashMap<>();

  private LongWaits() {}

  /**
   * Notes that the calling thread waits for a lock still.
   *
   * @throws IllegalStateException if the lock's holder waits for one that the thread holds, be it
   *     through others, and it is this thread that is to give way
   */
  static void refuseIfCircular(OrderedLock lock) {
    WAITING.put(Thread.currentThread(), lock);
    boolean circular = isCircular(lock);
    // A holder may have let go of a lock before it began to wait; it cannot between two looks.
    circular &= isCircular(lock);
    if (circular) {
      throw new IllegalStateException(
          "Transactions of two stores wait for each other: each holds rows that the other wants. This one gave way."
              + " Use several stores in the same order in all transactions, or one after the other.");
    }
  }

  /** Notes that the calling thread waits no longer. */
  static void end() {
    WAITING.remove(Thread.currentThread());
  }

  /** Whether this thread waits for itself, and has the highest id of those that do. */
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
