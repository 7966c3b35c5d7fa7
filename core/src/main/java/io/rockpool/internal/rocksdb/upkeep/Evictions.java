package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.internal.engine.Evictor.EntryBound;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.rows.RocksDbSpace;
import io.rockpool.internal.rocksdb.rows.RunningTransactions;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import io.rockpool.store.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps spaces of entries within their disk budgets and maximum sizes, and the store within its
 * budget and above its free-space floor. It has its own thread, which rests between its steps
 * unless a space is far above its budget. A caller can also enforce the limits immediately.
 *
 * <p>If the store is short of space, all spaces of entries evict the same share of their data. If
 * that is not enough, the write path rejects inserts, and deleted data is reclaimed immediately,
 * even small amounts.
 */
public final class Evictions implements AutoCloseable {
  /**
   * Eviction takes a space down to this share of its budget, so that it need not evict again soon.
   */
  private static final double KEPT_SHARE = 0.9;

  /** The thread rests this many times as long as it worked. */
  private static final long REST_FACTOR = 4;

  /** The longest rest: steps that compact files take long. */
  private static final long MAX_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A space is hurried if it exceeds its limit by one part in so many. */
  private static final int HURRY_SHARE = 4;

  /**
   * While inserts are rejected, all deleted data is reclaimed at this interval, because it reads
   * much.
   */
  private static final long GIVE_BACK_MILLIS = Duration.ofSeconds(30).toMillis();

  /** How often a caller's request checks again, because the freed sizes are estimates. */
  private static final int MAX_ROUNDS = 8;

  private static final List<ColumnFamily> COLLECTIONS =
      List.of(ColumnFamily.ROWS, ColumnFamily.EXPIRIES, ColumnFamily.COUNTS);

  private static final byte[] FIRST = Generation.prefix(0);
  private static final byte[] END = Generation.prefix(Long.MAX_VALUE);

  private final StoreParts store;
  private final RunningTransactions transactions;
  private final SpaceCatalog catalog;
  private final DiskRoom room;
  private final BudgetWatch watch;
  private final Runnable reclaim;
  private final Compactions compactions;
  private final Pacing pacing;
  private final OrderedLock working;
  private final Map<String, SpaceEviction> spaces = new HashMap<>();
  private final Map<String, EntryCount> counts = new ConcurrentHashMap<>();

  /** The spaces whose numbers of entries were requested. */
  private final Set<String> counted = ConcurrentHashMap.newKeySet();

  private final Deque<Job> jobs = new ArrayDeque<>();

  /** The jobs of which a step runs, with no lock held: key codecs may be the application's. */
  private final Set<Job> running = new HashSet<>();

  private final Condition stepEnded;
  private final BackgroundThread thread;
  private long givenBackSequence;
  private long givenBackMillis;
  private long flushedMillis;
  private volatile boolean hurried;
  private @Nullable Evictor evictor;

  /**
   * A queue entry whose steps run one at a time.
   *
   * @param owner the {@link SpaceEviction} or {@link EntryCount} whose state the steps change; null
   *     for reclaiming
   * @param step does one step; returns whether another follows
   */
  private record Job(@Nullable Object owner, BooleanSupplier step) {}

  /**
   * Starts the thread.
   *
   * @param reclaim reclaims what was cleared, dropped or has expired
   */
  public Evictions(
      StoreParts store,
      RunningTransactions transactions,
      SpaceCatalog catalog,
      DiskRoom room,
      Runnable reclaim,
      Path directory,
      Duration period) {
    this.store = store;
    this.transactions = transactions;
    this.working = store.locks().newLock(LockLevel.EVICTION);
    this.stepEnded = working.newCondition();
    this.catalog = catalog;
    this.room = room;
    this.reclaim = reclaim;
    this.compactions = new Compactions(store.database());
    this.pacing = new Pacing(store.guard());
    this.watch = new BudgetWatch(store, catalog, room, this::lookSoon);
    this.givenBackMillis = store.clock().millis();
    this.thread =
        new BackgroundThread(
                "rockpool-evict " + directory.getFileName(),
                period,
                () -> turn(/* early= */ false),
                store.upkeep())
            .start();
    store.writePath().toll().payTo(watch);
  }

  public void evictBy(Evictor newEvictor) {
    working.lock();
    try {
      evictor = newEvictor;
      spaces.clear();
      counts.clear();
      jobs.clear();
      running.clear();
    } finally {
      working.unlock();
    }
  }

  private void lookSoon() {
    boolean unused = thread.execute(() -> turn(/* early= */ true));
  }

  private void turn(boolean early) {
    try {
      boolean more = true;
      while (more) {
        pacing.run(() -> beginOnce(early), worked -> 0);
        more = hasJobs() && !compactions.isStopped();
        pacing.run(this::step, this::restNanos);
      }
    } catch (RuntimeException | Error e) {
      // Work may fail while the store is being closed.
      if (!compactions.isStopped()) {
        throw e;
      }
    }
  }

  private boolean beginOnce(boolean early) {
    boolean unused = begin(/* thorough= */ false, early);
    return false;
  }

  private long restNanos(long worked) {
    return hurried || store.writePath().isTollDue()
        ? 0
        : Math.min(MAX_REST_NANOS, REST_FACTOR * worked);
  }

  /**
   * Runs {@code before} and then enforces all limits, even if it throws. Call it inside the {@link
   * CloseGuard}, outside transactions.
   */
  public <R> R enforceAfter(Supplier<R> before) {
    try {
      return before.get();
    } finally {
      enforce();
    }
  }

  private void enforce() {
    boolean planned = false;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      boolean idle = begin(/* thorough= */ !planned, /* early= */ false);
      planned |= idle;
      boolean worked = false;
      while (!compactions.isStopped() && stepOrWait()) {
        worked = true;
      }
      // A job of another thread may leave a space above its limit, so its end is not the last word.
      if (idle && !worked) {
        return;
      }
    }
  }

  /** Plans the work, unless it is planned already; returns whether no job was left or running. */
  private boolean begin(boolean thorough, boolean early) {
    working.lock();
    try {
      Evictor by = evictor;
      Map<String, Long> budgets = by == null ? Map.of() : by.budgets();
      long missing = room.isBounded() ? missing(by != null, thorough, early) : 0;
      boolean idle = jobs.isEmpty() && running.isEmpty();
      if (jobs.isEmpty() && by != null) {
        plan(by, budgets, missing);
        planCounts(by, thorough);
      }
      watch.looked(budgets, evicting());
      return idle;
    } finally {
      working.unlock();
    }
  }

  /** The names of the spaces that jobs make smaller. */
  private Set<String> evicting() {
    return Stream.concat(jobs.stream(), running.stream())
        .map(Job::owner)
        .filter(SpaceEviction.class::isInstance)
        .map(owner -> ((SpaceEviction) owner).state().name())
        .collect(Collectors.toSet());
  }

  private boolean hasJobs() {
    working.lock();
    try {
      return !jobs.isEmpty();
    } finally {
      working.unlock();
    }
  }

  /**
   * The number of bytes the store must free; also sets or clears the rejection of inserts.
   *
   * @param early whether it looks because of what was written: files that are passing are many then
   */
  private long missing(boolean evicts, boolean thorough, boolean early) {
    long cacheBytes = evicts ? watch.bytesOfEntries() : 0;
    DiskRoom.Shortage shortage = room.look(cacheBytes, watch.dataBytes());
    if (!early || !shortage.isPassing()) {
      store.writePath().gate().refuse(shortage.refusal());
    }
    if (shortage.isPassing()) {
      planToFlush();
    }
    if (shortage.refusal() != null) {
      planToGiveBack(thorough);
    }
    return shortage.bytes();
  }

  /** Lets logs go, now and then: what else is passing may be held for long, as by a snapshot. */
  private void planToFlush() {
    long nowMillis = store.clock().millis();
    boolean due = Math.abs(nowMillis - flushedMillis) >= GIVE_BACK_MILLIS;
    if (due && jobs.isEmpty() && running.isEmpty()) {
      flushedMillis = nowMillis;
      jobs.add(new Job(null, this::flush));
    }
  }

  private boolean flush() {
    store.database().flush(BudgetWatch.DATA, /* waits= */ false);
    return false;
  }

  private void planToGiveBack(boolean thorough) {
    long sequence = store.database().latestSequence();
    long nowMillis = store.clock().millis();
    boolean due = thorough || Math.abs(nowMillis - givenBackMillis) >= GIVE_BACK_MILLIS;
    if (due && sequence != givenBackSequence && jobs.isEmpty() && running.isEmpty()) {
      givenBackMillis = nowMillis;
      jobs.add(
          new Job(
              null,
              () -> {
                giveBack();
                return false;
              }));
    }
  }

  /** Reclaims, and then compacts the removed records away, even if reclaiming fails. */
  private void giveBack() {
    try {
      reclaim.run();
    } finally {
      for (ColumnFamily family : COLLECTIONS) {
        compactions.settle(family, FIRST, END);
      }
      givenBackSequence = store.database().latestSequence();
    }
  }

  /** Plans work for each space above its budget, or for all spaces if the store is. */
  private void plan(Evictor by, Map<String, Long> budgets, long missing) {
    Set<String> names = new HashSet<>(budgets.keySet());
    if (missing > 0) {
      catalog.list("").stream()
          .filter(space -> space.layout() == Layout.ENTRIES)
          .map(SpaceInfo::name)
          .forEach(names::add);
    }
    spaces.keySet().retainAll(names);
    names.forEach(name -> look(name, by));
    Throwable[] failure = new Throwable[1];
    long all = missing > 0 ? spaces.values().stream().mapToLong(SpaceEviction::bytes).sum() : 0;
    double left = all == 0 ? 1 : Math.max(0, 1 - (double) missing / all);
    spaces.forEach(
        (name, space) -> {
          long budget = budgets.getOrDefault(name, Long.MAX_VALUE);
          long share = left == 1 ? Long.MAX_VALUE : (long) (left * space.bytes());
          long limit = Math.min(budget, share);
          long target = Math.min((long) (KEPT_SHARE * budget), share);
          try {
            if (!isRunning(space) && unlessEnded(space.state(), () -> space.plan(limit, target))) {
              jobs.add(new Job(space, () -> unlessEnded(space.state(), () -> step(space, limit))));
            }
          } catch (RuntimeException | Error e) { // the other spaces are still planned
            failure[0] = e;
          }
        });
    Upkeep.rethrow(failure[0]);
  }

  private boolean isRunning(Object owner) {
    return running.stream().anyMatch(job -> job.owner == owner);
  }

  /** Plans for each space whose entries are bounded, or to be counted. */
  private void planCounts(Evictor by, boolean thorough) {
    Map<String, EntryBound> bounds = by.entryBounds();
    Set<String> names = new HashSet<>(bounds.keySet());
    names.addAll(counted);
    counts.keySet().retainAll(names);
    for (String name : names) {
      SpaceState state = catalog.named(name);
      EntryCount known = counts.get(name);
      if (state == null || state.layout() != Layout.ENTRIES) {
        counts.remove(name);
        counted.remove(name);
      } else {
        EntryCount count =
            known != null && known.state() == state
                ? known
                : new EntryCount(store.database(), store.clock(), state, handle(state), by);
        counts.put(name, count);
        EntryBound bound = bounds.get(name);
        if (!isRunning(count) && count.plan(bound, thorough)) {
          jobs.add(new Job(count, () -> unlessEnded(state, () -> count.step(bound))));
        }
      }
    }
  }

  /** See {@link io.rockpool.internal.engine.EngineUpkeep#countedEntries}. */
  public OptionalLong countedEntries(String name) {
    counted.add(name);
    EntryCount count = counts.get(name);
    return count == null ? OptionalLong.empty() : count.entries();
  }

  private void look(String name, Evictor by) {
    SpaceState state = catalog.named(name);
    SpaceEviction known = spaces.get(name);
    if (state == null || state.layout() != Layout.ENTRIES) {
      spaces.remove(name);
    } else if (known == null || known.state() != state) {
      spaces.put(name, new SpaceEviction(store.database(), state, handle(state), compactions, by));
    }
  }

  private Space handle(SpaceState state) {
    return new RocksDbSpace(store, transactions, catalog, state, Durability.BUFFERED);
  }

  /** The result of {@code work}; false if the space was dropped or reset. */
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

  private boolean step(SpaceEviction space, long limit) {
    hurried = space.bytes() - limit > limit / HURRY_SHARE;
    return space.step(limit);
  }

  /** Does a step; returns whether there was one. */
  private boolean step() {
    Job job = next(/* waits= */ false);
    return job != null && step(job);
  }

  /** As {@link #step()}; where other threads do the last ones, waits until they have done one. */
  private boolean stepOrWait() {
    Job job = next(/* waits= */ true);
    return job != null && step(job);
  }

  /** Returns the next job, which runs from now on; null if there is none. */
  private @Nullable Job next(boolean waits) {
    working.lock();
    try {
      Job job = jobs.poll();
      while (job == null && waits && !running.isEmpty()) {
        stepEnded.awaitUninterruptibly();
        job = jobs.poll();
      }
      if (job == null) {
        hurried = false;
      } else {
        running.add(job);
      }
      return job;
    } finally {
      working.unlock();
    }
  }

  private boolean step(Job job) {
    boolean more = false;
    try {
      more = job.step.getAsBoolean();
    } finally {
      end(job, more);
    }
    return true;
  }

  private void end(Job job, boolean more) {
    working.lock();
    try {
      if (running.remove(job) && more) {
        jobs.addFirst(job);
      }
      stepEnded.signalAll();
    } finally {
      working.unlock();
    }
  }

  /** Cancels the current work soon, and prevents new work. */
  public void stop() {
    compactions.stop();
    pacing.stop();
    store.writePath().toll().stop();
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
