package io.rockpool.cache;

import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.HeapLender;
import io.rockpool.internal.engine.HeapUser;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** The shares of a store in a {@link HeapBudget}, and the thread that divides the budget. */
final class SharedHeap implements HeapLender {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  final HeapBudget budget;
  private final BackgroundThread thread;

  /** The shares of others than caches. */
  private final List<HeapShare> lent = new ArrayList<>();

  private boolean closed;

  /** Starts without bytes. The thread starts when a share finds no free bytes. */
  SharedHeap(HeapBudget budget, Upkeep upkeep) {
    this.budget = budget;
    this.thread = new BackgroundThread("rockpool-heap", PERIOD, budget::divide, upkeep);
  }

  /** A tier that has a share of the budget by its {@code uses}. */
  HotTier tier(LongSupplier uses, boolean refreshes) {
    return new HotTier(budget, uses, thread::start, refreshes);
  }

  @Override
  public synchronized IntConsumer lend(HeapUser user, LongSupplier uses) {
    HeapShare share = new HeapShare(budget, user, uses, thread::start);
    if (!closed) {
      budget.add(share);
      lent.add(share);
    }
    return share::willPut;
  }

  synchronized void close() {
    closed = true;
    lent.forEach(HeapShare::close);
    thread.stop();
  }
}
