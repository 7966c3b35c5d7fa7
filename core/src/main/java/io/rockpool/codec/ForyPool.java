package io.rockpool.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * A Fory instance serves one thread at a time: this keeps those not in use, and makes another where
 * none is free, so that nobody waits. Not a thread-local, which would keep the classes of an
 * undeployed application alive in every thread of the server.
 */
final class ForyPool {
  /** More threads than this at once are rare, and an instance costs about a millisecond to make. */
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

  /** Takes an instance back; drops it where there are enough. */
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
