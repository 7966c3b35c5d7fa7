package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Evictor;
import io.rockpool.engine.Layout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps spaces of entries within the disk they may take, on a thread of its own or at once for who
 * asks. The thread rests between its steps, unless a space is far beyond its budget.
 */
final class Evictions implements AutoCloseable {
  /** Of its budget, so much of a space is left when it was taken down: it has some time until then. */
  private static final double KEPT_SHARE = 0.9;

  /** How many times as long as it worked the thread rests. */
  private static final long REST_FACTOR = 4;

  /** No longer than that, as steps that merge files take long. */
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A space that takes one part in so many more than it may is in a hurry. */
  private static final int HURRY_SHARE = 4;

  private final Store store;
  private final SpaceCatalog catalog;
  private final Compactions compactions;
  private final Pacing pacing;
  private final ReentrantLock working = new ReentrantLock();
  private final Map<String, SpaceEviction> spaces = new HashMap<>();
  private final Deque<Job> jobs = new ArrayDeque<>();
  private final Ticker ticker;
  private volatile boolean hurried;
  private volatile @Nullable Evictor evictor;

  private record Job(SpaceEviction space, long budgetBytes) {
    /** Plans what there is to do; says whether there is something. */
    boolean plan() {
      return space.plan(budgetBytes, (long) (KEPT_SHARE * budgetBytes));
    }
  }

  /** Starts to look once in a while whether there is something to do. */
  Evictions(Store store, SpaceCatalog catalog, Path directory, RocksDbOptions options) {
    this.store = store;
    this.catalog = catalog;
    this.compactions = new Compactions(store.database());
    this.pacing = new Pacing(store.guard());
    this.ticker =
        Ticker.start("rockpool-evict " + directory.getFileName(), options.reclaimPeriod(), this::turn);
  }

  void evictBy(Evictor newEvictor) {
    evictor = newEvictor;
  }

  private void turn() {
    try {
      pacing.run(this::begin, worked -> 0);
      pacing.run(this::step, this::restNanos);
    } catch (RuntimeException e) {
      // What it does while the store is being closed may be refused.
      if (!compactions.isStopped()) {
        throw e;
      }
    }
  }

  private long restNanos(long worked) {
    return hurried ? 0 : Math.min(MAX_REST_NANOS, REST_FACTOR * worked);
  }

  /** Does all there is to do; the caller is inside the {@link CloseGuard} and in no transaction. */
  void enforce() {
    begin();
    while (!compactions.isStopped() && step()) {
      // one step after the other
    }
  }

  /** Begins a round over all spaces that may be beyond their budgets. */
  private boolean begin() {
    working.lock();
    try {
      Evictor by = evictor;
      if (by != null && jobs.isEmpty()) {
        Map<String, Long> budgets = by.budgets();
        spaces.keySet().retainAll(budgets.keySet());
        budgets.forEach(
            (name, bytes) -> {
              SpaceState state = catalog.named(name);
              if (state != null && state.layout() == Layout.ENTRIES) {
                add(state, bytes, by);
              }
            });
      }
      return false;
    } finally {
      working.unlock();
    }
  }

  private void add(SpaceState state, long budgetBytes, Evictor by) {
    SpaceEviction known = spaces.get(state.name());
    if (known == null || known.state() != state) {
      known = new SpaceEviction(store, catalog, state, compactions, by);
      spaces.put(state.name(), known);
    }
    Job job = new Job(known, budgetBytes);
    if (unlessEnded(state, job::plan)) {
      jobs.add(job);
    }
  }

  /** What {@code work} says; false where the space was dropped or reset meanwhile. */
  private static boolean unlessEnded(SpaceState space, BooleanSupplier work) {
    try {
      return work.getAsBoolean();
    } catch (IllegalStateException e) {
      if (space.hasEnded()) {
        return false;
      }
      throw e;
    }
  }

  /** Does a step; says whether there was one to do. */
  private boolean step() {
    working.lock();
    try {
      Job job = jobs.peek();
      if (job == null) {
        hurried = false;
        return false;
      }
      boolean more = false;
      try {
        more = unlessEnded(job.space.state(), () -> step(job));
      } finally {
        if (!more) {
          jobs.remove();
        }
      }
      return true;
    } finally {
      working.unlock();
    }
  }

  private boolean step(Job job) {
    hurried = job.space.bytes() > job.budgetBytes + job.budgetBytes / HURRY_SHARE;
    return job.space.step() || job.plan();
  }

  /** Ends what is being done, soon, and lets nothing begin any more. */
  void stop() {
    compactions.stop();
    pacing.stop();
  }

  /** Frees what it holds; it was stopped, and no one is inside the {@link CloseGuard} any more. */
  @Override
  public void close() {
    ticker.close();
    compactions.close();
  }
}
