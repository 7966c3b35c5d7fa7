package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeHeap;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.StoreLimits;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.RowLocks;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reclaims space that the store no longer needs, on its own thread, or immediately for a caller.
 * The thread rests several times as long as it works, so other threads are hardly affected. It
 * rests less if expired records pile up.
 */
public final class Reclaimer implements AutoCloseable {
  /** The thread rests this many times as long as it worked, so it uses a fifth of a processor. */
  private static final long REST_FACTOR = 4;

  /** The longest rest: steps that compact files take long. */
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** This far behind, the thread rests half as long; four times as far, not at all. */
  private static final long BEHIND_MILLIS = Duration.ofSeconds(30).toMillis();

  private final StoreParts store;
  private final Compactions compactions;
  private final ReclaimTotals totals = new ReclaimTotals();
  private final DeadGenerations dead;
  private final ExpirySweep sweep;
  private final SeldomSweeps seldom;
  private final List<Chore> chores;
  private final long periodNanos;
  private final OrderedLock working;
  private final Pacing pacing;
  private final BackgroundThread thread;

  /** Starts the thread. */
  public Reclaimer(StoreParts store, SpaceCatalog catalog, Path directory, StoreLimits limits) {
    this.store = store;
    this.working = store.locks().newLock(LockLevel.RECLAIMING);
    this.compactions = new Compactions(store.database());
    this.pacing = new Pacing(store.guard());
    this.periodNanos = Durations.nanos(limits.reclaimPeriod());
    Database database = store.database();
    WritePath writePath = store.writePath();
    RowLocks locks = store.locks();
    InstantSource clock = store.clock();
    this.dead = new DeadGenerations(database, writePath, locks, catalog, compactions, totals);
    this.sweep = new ExpirySweep(database, writePath, locks, clock, catalog, compactions, totals);
    this.seldom = new SeldomSweeps(clock);
    BooleanSupplier expiredSpaces = () -> endAllExpired(catalog);
    seldom.add(() -> List.of(expiredSpaces));
    this.chores =
        List.of(
            new NativeHeap(limits.memoryBudgetBytes()),
            seldom,
            new Recount(database, writePath, locks, catalog),
            sweep,
            limits.purgesInCompactions()
                ? new EntryRewrite(compactions)
                : new EntrySweep(
                    database, writePath, locks, clock, catalog, totals, limits.entryPurgePeriod()),
            dead,
            new RemovedRecords(database, compactions),
            new BlobRewrite(database, compactions));
    this.thread =
        new BackgroundThread(
                "rockpool-reclaim " + directory.getFileName(),
                limits.reclaimPeriod(),
                this::turn,
                store.upkeep())
            .start();
  }

  private static boolean endAllExpired(SpaceCatalog catalog) {
    catalog.endAllExpired();
    return false;
  }

  /**
   * One pass: a step of each chore, repeated for chores with more work. In a long pass, the other
   * chores get a step once per period.
   */
  private final class Turn {
    private final Queue<Chore> left = new ArrayDeque<>(chores);
    private long askedNanos = System.nanoTime();
    private @Nullable Throwable failure;

    boolean step() {
      Chore chore = left.remove();
      try {
        if (Reclaimer.this.step(chore, /* thorough= */ false)) {
          left.add(chore);
          askOthers();
        }
      } catch (RuntimeException | Error e) {
        failure = unlessStopped(e, failure);
      }
      return !left.isEmpty();
    }

    private void askOthers() {
      if (System.nanoTime() - askedNanos < periodNanos) {
        return;
      }
      askedNanos = System.nanoTime();
      if (failure == null) {
        chores.stream().filter(chore -> !left.contains(chore)).forEach(left::add);
      } else {
        left.clear(); // report it first
      }
    }
  }

  private void turn() {
    Turn turn = new Turn();
    pacing.run(turn::step, this::restNanos);
    Upkeep.rethrow(turn.failure);
  }

  /** The new failure, or the previous one if the store is being closed, when work may fail. */
  private @Nullable Throwable unlessStopped(Throwable e, @Nullable Throwable before) {
    return compactions.isStopped() ? before : e;
  }

  private long restNanos(long worked) {
    long rest = REST_FACTOR / (1 + sweep.behindMillis() / BEHIND_MILLIS) * worked;
    return Math.min(rest, MAX_REST_NANOS);
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
   * Does all pending work, even if a part fails, and then throws that failure. Call it inside the
   * {@link CloseGuard}, outside transactions.
   */
  public Reclaimed reclaim() {
    Reclaimed before = totals.now();
    Throwable failure = null;
    for (Chore chore : chores) {
      try {
        doAll(chore);
      } catch (RuntimeException | Error e) {
        failure = unlessStopped(e, failure);
      }
    }
    Upkeep.rethrow(failure);
    return totals.now().since(before);
  }

  /** Rewrites all files. Call it inside the {@link CloseGuard}, outside transactions. */
  public void compact() {
    for (ColumnFamily family : ColumnFamily.values()) {
      compactions.rewriteAll(family);
    }
  }

  private void doAll(Chore chore) {
    startOver(chore);
    boolean more = true;
    while (more && !compactions.isStopped()) {
      more = step(chore, /* thorough= */ true);
    }
  }

  /** Adds sweeps of a layer, see {@link EngineUpkeep#whenReclaiming}. */
  public void add(Supplier<List<BooleanSupplier>> sweeps) {
    seldom.add(sweeps);
  }

  /** The pending work. Call it inside the {@link CloseGuard}. */
  public ReclaimState state() {
    Database database = store.database();
    SortedSet<Long> pending = DeadGenerations.all(database);
    long bytes = 0;
    for (DeadRange range : DeadRange.of(pending)) {
      for (ColumnFamily family : DeadRange.FAMILIES) {
        bytes += database.measures().approximateFileBytes(family, range.from(), range.to());
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

  /** Cancels the current work soon, and prevents new work. */
  public void stop() {
    compactions.stop();
    pacing.stop();
  }

  /**
   * Stops the thread and frees native options. Call it after {@link #stop}, when no thread is
   * inside the {@link CloseGuard}.
   */
  @Override
  public void close() {
    new EveryStep().take(thread::close).take(compactions::close).end();
  }
}
