package io.rockpool.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Keeps the Fory instances that no thread is using. If all are in use, it creates another, so that
 * no thread waits. A thread-local would keep the classes of an undeployed application alive in
 * every thread of a server.
 */
final class ForyPool {
  /** More threads at once are rare. Creating an instance takes about a millisecond. */
  private static final int MAX_SLOTS = 64;

  private final AtomicReferenceArray<ForyInstance> free;
  private final int mask;
  private final Supplier<ForyInstance> factory;

  ForyPool(Supplier<ForyInstance> factory) {
    int wanted = Math.min(MAX_SLOTS, 2 * Runtime.getRuntime().availableProcessors());
    int slots = Integer.highestOneBit(2 * wanted - 1);
    this.free = new AtomicReferenceArray<>(slots);
    this.mask = slots - 1;
    this.factory = factory;
  }

  ForyInstance take() {
    int start = home();
    for (int i = 0; i <= mask; i++) {
      int slot = (start + i) & mask;
      if (free.getPlain(slot) != null) {
        ForyInstance fory = free.getAndSet(slot, null);
        if (fory != null) {
          return fory;
        }
      }
    }
    return factory.get();
  }

  /** Returns an instance to the pool, or drops it if the pool is full. */
  void giveBack(ForyInstance fory) {
    int start = home();
    for (int i = 0; i <= mask; i++) {
      int slot = (start + i) & mask;
      if (free.getPlain(slot) == null && free.compareAndSet(slot, null, fory)) {
        return;
      }
    }
  }

  private int home() {
    long id = Thread.currentThread().getId();
    return (int) (id ^ id >>> 16) & mask;
  }
}
