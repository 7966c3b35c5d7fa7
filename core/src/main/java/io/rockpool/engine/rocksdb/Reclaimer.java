package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.ReclaimState;
import io.rockpool.engine.Reclaimed;
import io.rockpool.internal.format.ExpiryIndexFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Gives back what the store needs no more, on a thread of its own or at once for who asks. Between
 * two steps the thread rests so much longer than they took that others hardly notice it; only where
 * what has expired piles up does it rest less.
 */
final class Reclaimer implements AutoCloseable {
  /** How many times as long as it worked the thread rests: so it takes a fifth of a processor. */
  private static final long REST_FACTOR = 4;

  /**
   * Having fallen behind by so much, it rests half as long, by twice as much a third, and at last
   * not at all: what expires must not pile up.
   */
  private static final long BEHIND_MILLIS = Duration.ofSeconds(30).toMillis();

  private final Store store;
  private final Compactions compactions;
  private final ReclaimTotals totals = new ReclaimTotals();
  private final DeadGenerations dead;
  private final ExpirySweep sweep;
  private final SeldomSweeps seldom;
  private final List<Chore> chores;
  private final ReentrantLock working = new ReentrantLock();
  private final Pacing pacing;
  private final Ticker ticker;

  /** Starts to look for something to do once in a while. */
  Reclaimer(Store store, SpaceCatalog catalog, Path directory, RocksDbOptions options) {
    this.store = store;
    this.compactions = new Compactions(store.database());
    this.pacing = new Pacing(store.guard());
    this.dead = new DeadGenerations(store, catalog, compactions, totals);
    this.sweep = new ExpirySweep(store, catalog, compactions, totals);
    this.seldom = new SeldomSweeps(store.clock());
    seldom.add(catalog::endAllExpired);
    this.chores =
        List.of(
            seldom,
            sweep,
            options.isMachineClock()
                ? new EntryRewrite(compactions)
                : new EntrySweep(store, catalog, totals, options.entryPurgePeriod()),
            dead);
    this.ticker =
        Ticker.start(
            "rockpool-reclaim " + directory.getFileName(), options.reclaimPeriod(), this::turn);
  }

  private void turn() {
    doEach(this::runPaced);
  }

  /** Does something with all chores, also where one fails; then throws what one of them threw. */
  private void doEach(Consumer<Chore> work) {
    RuntimeException failure = null;
    for (Chore chore : chores) {
      try {
        work.accept(chore);
      } catch (RuntimeException e) {
        // What it does while the store is being closed may be refused.
        failure = compactions.isStopped() ? failure : e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void runPaced(Chore chore) {
    pacing.run(() -> step(chore, /* thorough= */ false), this::restNanos);
  }

  private long restNanos(long worked) {
    return REST_FACTOR / (1 + sweep.behindMillis() / BEHIND_MILLIS) * worked;
  }

  private void startOver(Chore chore) {
    working.lock();
    try {
      chore.startOver();
    } finally {
      working.unlock();
    }
  }

  private boolean step(Chore chore, boolean thorough) {
    working.lock();
    try {
      return chore.step(thorough);
    } finally {
      working.unlock();
    }
  }

  /**
   * Does all there is to do, also where a part fails, and then throws what that threw; the caller
   * is inside the {@link CloseGuard} and in no transaction.
   */
  Reclaimed reclaim() {
    Reclaimed before = totals.now();
    doEach(
        chore -> {
          startOver(chore);
          boolean more = true;
          while (more && !compactions.isStopped()) {
            more = step(chore, /* thorough= */ true);
          }
        });
    return totals.now().since(before);
  }

  /** From now on {@code sweep} is a part of it. */
  void add(Runnable sweep) {
    seldom.add(sweep);
  }

  /** What there is to do; the caller is inside the {@link CloseGuard}. */
  ReclaimState state() {
    Database database = store.database();
    SortedSet<Long> pending = DeadGenerations.all(database);
    long bytes = 0;
    for (DeadRange range : DeadRange.of(pending)) {
      for (ColumnFamily family : DeadRange.FAMILIES) {
        bytes += database.approximateFileBytes(family, range.from(), range.to());
      }
    }
    return new ReclaimState(pending.size(), dead.held(), bytes, overdueMillis(), totals.now());
  }

  private long overdueMillis() {
    long now = store.clock().millis();
    Database database = store.database();
    try (NativeScan due =
        database.scan(
            database.now(),
            ColumnFamily.EXPIRIES,
            ExpiryIndexFormat.behind(-1),
            ExpiryIndexFormat.behind(Math.min(now, Expiry.MAX_MILLIS)),
            false,
            true)) {
      return due.next() ? now - ExpiryIndexFormat.expiryMillis(due.key()) : 0;
    }
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
