package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.RefreshedEntries;
import io.rockpool.internal.access.TaggedLoader;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.logging.OutageLog;
import io.rockpool.store.Registration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads values that are due, see {@link CacheRefresh}.
 *
 * <p>A refresh reads the record, calls the loader with nothing held, and writes on condition that
 * the record is still the same and the key was not written. It runs as a load of its key ({@link
 * Loads}): a write supersedes it, even one of the same bytes, and a thread that misses the key
 * waits for it.
 */
final class Refreshes<K, V> {
  /** After a search for ended attempts that freed none, the next search waits this long. */
  private static final long CROWDED_MILLIS = 100;

  /** How long an idle thread lives. */
  private static final long IDLE_THREAD_SECONDS = 10;

  /**
   * A task that its executor has not started for this time counts as lost, and another one is
   * created.
   */
  private static final long LOST_MILLIS = 60_000;

  /** A refresh that was started, and until when it prevents others of its key. */
  private static final class Attempt {
    private final CompletableFuture<@Nullable HotEntry> result = new CompletableFuture<>();
    private volatile long untilMillis;
    private volatile @Nullable Thread runner;

    /** Whether a call of {@link PersistentCache#refresh} waits for it. */
    private volatile boolean asked;

    Attempt(long untilMillis, boolean asked) {
      this.untilMillis = untilMillis;
      this.asked = asked;
    }

    /** Whether another attempt may be made; what is asked for does not wait for a pause to end. */
    boolean isOver(long now, boolean askedAgain) {
      return untilMillis <= now || (askedAgain && result.isDone());
    }

    /** Makes room for another attempt, whose result is also that of this one if it was lost. */
    Attempt replacedBy(Attempt other) {
      CompletableFuture<?> unused = other.result.whenComplete(this::end);
      return other;
    }

    void end(@Nullable HotEntry entry, @Nullable Throwable error) {
      if (error == null) {
        result.complete(entry);
      } else {
        result.completeExceptionally(error);
      }
    }
  }

  private static final String REFRESHES = "The refreshing of cached values";
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final CacheEntries<K, V> entries;
  private final LoadStarts<K, V> starts;
  private final CacheRefresh<K, V> refresh;
  private final Deadlines<K, V> deadlines;
  private final CacheCounters counters;
  private final InstantSource clock;
  private final Executor executor;
  private final @Nullable ThreadPoolExecutor own;

  /** The last attempt of each key of the hot tier, while it prevents others. */
  private final ConcurrentHashMap<Object, Attempt> taken = new ConcurrentHashMap<>();

  private volatile long crowdedUntilMillis;
  private volatile boolean failing;
  private volatile @Nullable RefreshedEntries<? super K, ? super V> deciding;
  private final CacheListeners<K, V> listeners;

  Refreshes(CacheEntries<K, V> entries, CacheRefresh<K, V> refresh, Deadlines<K, V> deadlines) {
    this.entries = entries;
    this.starts = new LoadStarts<>(entries);
    this.refresh = refresh;
    this.deadlines = deadlines;
    this.counters = entries.counters;
    this.clock = entries.clock();
    this.listeners = new CacheListeners<>(entries.space().name(), () -> {});
    Executor given = refresh.executor();
    this.own = given == null ? threads(entries.space().name()) : null;
    this.executor = given == null ? Objects.requireNonNull(own) : given;
  }

  private static ThreadPoolExecutor threads(String cache) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            CacheRefresh.THREADS,
            CacheRefresh.THREADS,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(CacheRefresh.WAITING),
            task -> {
              Thread thread = new Thread(task, "rockpool-refresh-" + cache);
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Whether the cache has a loader of its own. */
  boolean hasLoader() {
    return refresh.loader() != null;
  }

  /** Sets the listener that decides when refreshed values are stored; null for none. */
  void decideBy(@Nullable RefreshedEntries<? super K, ? super V> newDeciding) {
    deciding = newDeciding;
  }

  /** Adds a listener. It is called once for each entry that was refreshed. */
  Registration add(BiConsumer<? super K, ? super @Nullable V> listener) {
    return listeners.add(listener);
  }

  /**
   * Called after an entry was read; starts its refresh if it is due and no other one prevents it.
   *
   * @param loader the loader of the read; null if it has none
   */
  void served(
      K key,
      EntryKey entryKey,
      HotEntry entry,
      @Nullable ValueLoader<? super K, ? extends @Nullable V> loader) {
    long now = clock.millis();
    if (entry.refreshMillis() > now) {
      return;
    }
    counters.staleHits.increment();
    ValueLoader<? super K, ? extends @Nullable V> chosen =
        loader == null ? refresh.loader() : loader;
    if (chosen != null && !entries.inTransaction()) {
      begin(key, entryKey, chosen, false);
    }
  }

  /** As {@link PersistentCache#refresh}, for a cache with a loader of its own. */
  CompletableFuture<@Nullable V> begin(K key, EntryKey entryKey) {
    Attempt attempt = begin(key, entryKey, Objects.requireNonNull(refresh.loader()), true);
    if (attempt.runner == Thread.currentThread() && !attempt.result.isDone()) {
      throw Loads.recursion();
    }
    return attempt.result.thenApply(entry -> entry == null ? null : entries.writing.value(entry));
  }

  /** Begins an attempt, or returns the one that runs. */
  private Attempt begin(
      K key,
      EntryKey entryKey,
      ValueLoader<? super K, ? extends @Nullable V> loader,
      boolean asked) {
    long now = clock.millis();
    Attempt mine = new Attempt(now + LOST_MILLIS, asked);
    Attempt taking = take(entryKey.hot(), mine, now);
    if (taking == mine) {
      // A key that its owner may change is copied.
      boolean same = entries.format.knowsKeysByThemselves();
      K kept = same ? key : entries.format.decodeKey(entryKey.bytes());
      execute(entryKey, mine, () -> run(kept, entryKey, loader, mine));
    } else if (asked) {
      taking.asked = true;
    }
    return taking;
  }

  /** The attempt that has the key from now on; one that has failed if there are too many. */
  private Attempt take(Object key, Attempt mine, long now) {
    Attempt last = taken.get(key);
    if (last != null && !last.isOver(now, mine.asked)) {
      return last;
    }
    if (last == null && taken.mappingCount() >= CacheRefresh.MAX_KEYS && !makeRoom(now)) {
      return rejected();
    }
    return taken.merge(
        key, mine, (other, it) -> other.isOver(now, it.asked) ? other.replacedBy(it) : other);
  }

  private Attempt rejected() {
    Attempt rejected = new Attempt(0, false);
    rejected.end(
        null,
        new RejectedExecutionException(
            "The cache \""
                + entries.space().name()
                + "\" refreshes "
                + CacheRefresh.MAX_KEYS
                + " keys already. Try again later."));
    return rejected;
  }

  private boolean makeRoom(long now) {
    if (now < crowdedUntilMillis) {
      return false;
    }
    taken.values().removeIf(attempt -> attempt.untilMillis <= now);
    if (taken.mappingCount() < CacheRefresh.MAX_KEYS) {
      return true;
    }
    crowdedUntilMillis = now + CROWDED_MILLIS;
    return false;
  }

  private void execute(EntryKey entryKey, Attempt attempt, Runnable refreshing) {
    boolean begun = false;
    try {
      executor.execute(refreshing);
      begun = true;
    } catch (RejectedExecutionException e) {
      counters.refreshRejections.increment();
      attempt.end(null, e);
    } finally {
      if (!begun) {
        taken.remove(entryKey.hot(), attempt);
      }
    }
  }

  private void run(
      K key,
      EntryKey entryKey,
      ValueLoader<? super K, ? extends @Nullable V> loader,
      Attempt attempt) {
    attempt.runner = Thread.currentThread();
    attempt.untilMillis = Long.MAX_VALUE;
    long retryMillis = 0;
    Loads.Load mine = new Loads.Load(entries.tagging.epoch(loader instanceof TaggedLoader<?, ?>));
    CompletableFuture<@Nullable HotEntry> result;
    try {
      result = run(key, entryKey, loader, attempt, mine).result();
    } catch (Throwable e) {
      mine.fail(e);
      result = mine.result();
      retryMillis = Expiry.after(clock, refresh.retryPause());
      failed(e);
    }
    entries.loads.end(entryKey, mine);
    attempt.untilMillis = retryMillis;
    if (retryMillis == 0) {
      taken.remove(entryKey.hot(), attempt);
    }
    attempt.runner = null;
    CompletableFuture<?> unused = result.whenComplete(attempt::end);
  }

  /** Refreshes as {@code mine}, unless another load of the key runs; returns the load to await. */
  private Loads.Load run(
      K key,
      EntryKey entryKey,
      ValueLoader<? super K, ? extends @Nullable V> loader,
      Attempt attempt,
      Loads.Load mine) {
    LeasedRead read =
        starts.isLeased(entryKey)
            ? entries.space().lease(List.of(entryKey.bytes())).get(0)
            : new LeasedRead(entries.space().get(entryKey.bytes(), Space.NO_SORT_KEY), null);
    RowRecord record = read.record();
    Found<V> found = record == null ? null : entries.reader.readExactly(entryKey, record);
    entries.writes.passed(entryKey);
    if (!attempt.asked && (found == null || found.entry().refreshMillis() > clock.millis())) {
      mine.complete(
          found == null
              ? null
              : entries.writing.result(entryKey, found.value(), found.entry().tags()));
      return mine;
    }
    Loads.Load running = entries.loads.join(entryKey, mine);
    if (running != null) {
      return running;
    }
    Change.Behind<V> pending = entries.pending(entryKey);
    V value = pending == null ? Loads.call(loader, key) : pending.value();
    counters.refreshes.increment();
    if (failing) {
      failing = false;
      upkeep().succeeded(REFRESHES);
    }
    EntryTags tags = value == null ? null : entries.tagging.tags(mine, loader, key, value);
    V winner = settle(key, new Stale<>(entryKey, read, found, mine, tags), value);
    mine.complete(entries.writing.result(entryKey, winner, tags));
    return mine;
  }

  /**
   * What is being refreshed: the record and its lease, and the entry, as they were when that began,
   * null where there was none, the load it runs as, and the tags of the loaded value.
   */
  private record Stale<V>(
      EntryKey key,
      LeasedRead read,
      @Nullable Found<V> found,
      Loads.Load load,
      @Nullable EntryTags tags) {
    @Nullable RowRecord record() {
      return read.record();
    }
  }

  /** Stores a loaded value, if allowed; returns the value for the threads that wait for it. */
  private @Nullable V settle(K key, Stale<V> stale, @Nullable V value) {
    Object[] winner = {value};
    LoadingRead.unlessClosed(
        entries,
        () -> {
          if (!storeAndTell(key, stale, value)) {
            Found<V> now = entries.reader.read(stale.key);
            winner[0] = now == null ? value : now.value();
          }
        });
    @SuppressWarnings("unchecked") // the loaded value or the existing one
    V result = (V) winner[0];
    return result;
  }

  private boolean storeAndTell(K key, Stale<V> stale, @Nullable V value) {
    RefreshedEntries<? super K, ? super V> decides = deciding;
    Found<V> found = stale.found;
    Found<V> there =
        found == null || entries.reader.isPast(stale.key, found.entry()) ? null : found;
    List<Change<V>> made = new ArrayList<>(1);
    // An entry whose value cannot be encoded is removed.
    V kept = value == null || !entries.writing.takes(stale.key, value) ? null : value;
    if (kept == null && stale.record() == null) {
      return false;
    }
    if (decides == null) {
      store(key, stale, kept, there, made);
    } else {
      decides.refreshed(
          key,
          there == null ? null : there.value(),
          kept,
          () -> store(key, stale, kept, there, made));
    }
    made.forEach(done -> listeners.tell(key, done.value()));
    return !made.isEmpty();
  }

  /**
   * Stores a loaded value; returns whether it did.
   *
   * @param there the stale entry; null if there is none, or it has expired
   * @param made gets the change, if it was made
   */
  private boolean store(
      K key, Stale<V> stale, @Nullable V value, @Nullable Found<V> there, List<Change<V>> made) {
    entries.ensureOpen();
    RowRecord ended = entries.ended.endedBefore(stale.key, stale.record(), there);
    Change<V> change =
        value == null
            ? Change.remove()
            : Change.write(value, deadlines.of(key, value, there), stale.tags);
    RowRecord record = stale.record();
    boolean leased = stale.read.lease() != null;
    boolean stored =
        (record != null || (leased && change.changes(null))) && commit(stale, record, change);
    if (stored) {
      entries.ended.tellBefore(stale.key, ended);
    } else if (!leased) {
      // Another thread may have removed a record that has expired. Then this is a new entry.
      stored = there == null && change.changes(null) && commit(stale, null, change);
    }
    if (stored) {
      made.add(change);
    }
    return stored;
  }

  private boolean commit(Stale<V> stale, @Nullable RowRecord expected, Change<V> change) {
    return entries.commits.commit(
            new PlannedWrite<>(
                stale.key,
                expected,
                change.unlessSuperseded(stale.load),
                () -> true,
                stale.read.lease()))
        != null;
  }

  private Upkeep upkeep() {
    return EngineUpkeep.of(entries.engine).upkeep();
  }

  private void failed(Throwable e) {
    if (entries.isClosed()) {
      return;
    }
    counters.refreshFailures.increment();
    if (OutageLog.isOutage(e)) {
      failing = true;
      upkeep().failed(REFRESHES, e);
    } else if (!failing) {
      failing = true;
      LOG.warn(
          "A refresh of the cache \"{}\" failed; its values are served until they expire, and"
              + " refreshes are tried again.",
          entries.space().name(),
          e);
    }
  }

  /** Starts no more refreshes on its own threads, and drops the waiting ones. */
  void close() {
    if (own != null) {
      own.shutdown();
      own.getQueue().clear();
      StoreClosedException closed =
          new StoreClosedException("The cache was closed before the refresh began.");
      taken.values().stream()
          .filter(attempt -> attempt.runner == null)
          .forEach(attempt -> attempt.end(null, closed));
    }
  }
}
