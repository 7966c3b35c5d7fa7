package io.rockpool.cache;

import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The share of a store's caches in a {@link HeapBudget}, and the thread that divides the budget.
 */
final class SharedHeap {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  final HeapBudget budget;
  private final BackgroundThread thread;

  /** Starts without bytes. The thread starts when a cache finds no free bytes. */
  SharedHeap(HeapBudget budget, Upkeep upkeep) {
    this.budget = budget;
    this.thread = new BackgroundThread("rockpool-heap", PERIOD, budget::divide, upkeep);
  }

  /** A tier that has a share of the budget by its {@code uses}. */
  HotTier tier(LongSupplier uses, boolean refreshes) {
    return new HotTier(budget, uses, thread::start, refreshes);
  }

  void close() {
    thread.stop();
  }
}
