package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.internal.access.RefreshedEntries;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.store.Registration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
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
 * <p>A refresh reads the record, calls the loader without a lock, and writes if neither the record
 * nor the key was written meanwhile. In a cache that refreshes, records contain the time when their
 * values are due, so a later put never leaves the same bytes. A refresh runs as a load of its key
 * ({@link Loads}). So a write supersedes it, and a thread that misses the key waits for it.
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
    private volatile long untilMillis;

    Attempt(long untilMillis) {
      this.untilMillis = untilMillis;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final CacheEntries<K, V> entries;
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
    if (chosen != null) {
      begin(key, entryKey, chosen, false);
    }
  }

  /** See {@link PersistentCache#refresh}. */
  boolean begin(K key, EntryKey entryKey) {
    if (refresh.loader() == null) {
      throw new IllegalStateException(
          "The cache \""
              + entries.space().name()
              + "\" has no loader of its own; set the option refreshLoader.");
    }
    return begin(key, entryKey, refresh.loader(), true);
  }

  private boolean begin(
      K key, EntryKey entryKey, ValueLoader<? super K, ? extends @Nullable V> loader, boolean now) {
    Attempt mine = entries.inTransaction() ? null : take(entryKey.hot(), clock.millis());
    if (mine == null) {
      return false;
    }
    // A mutable key is copied.
    boolean same = entries.format.knowsKeysByThemselves();
    K kept = same ? key : entries.format.decodeKey(entryKey.bytes());
    return execute(entryKey, mine, () -> run(kept, entryKey, loader, mine, now));
  }

  private @Nullable Attempt take(Object key, long now) {
    Attempt mine = new Attempt(now + LOST_MILLIS);
    Attempt last = taken.get(key);
    boolean first =
        last == null
            ? (taken.mappingCount() < CacheRefresh.MAX_KEYS || makeRoom(now))
                && taken.putIfAbsent(key, mine) == null
            : last.untilMillis <= now && taken.replace(key, last, mine);
    return first ? mine : null;
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

  private boolean execute(EntryKey entryKey, Attempt attempt, Runnable refreshing) {
    boolean begun = false;
    try {
      executor.execute(refreshing);
      begun = true;
    } catch (RejectedExecutionException e) {
      counters.refreshRejections.increment();
    } finally {
      if (!begun) {
        taken.remove(entryKey.hot(), attempt);
      }
    }
    return begun;
  }

  private void run(
      K key,
      EntryKey entryKey,
      ValueLoader<? super K, ? extends @Nullable V> loader,
      Attempt attempt,
      boolean now) {
    attempt.untilMillis = Long.MAX_VALUE;
    long retryMillis = 0;
    Loads.Load mine = new Loads.Load();
    try {
      RowRecord record = entries.space().get(entryKey.bytes(), Space.NO_SORT_KEY);
      CacheEntries.Found<V> found = record == null ? null : entries.read(entryKey, record);
      if (record != null
          && found != null
          && (now || found.entry().refreshMillis() <= clock.millis())
          && entries.loads.join(entryKey, mine) == null) {
        V value = Loads.call(loader, key);
        counters.refreshes.increment();
        failing = false;
        V winner = settle(key, new Stale<>(entryKey, record, found, mine), value);
        mine.complete(entries.writing.result(entryKey, winner));
      }
    } catch (Throwable e) {
      mine.fail(e);
      retryMillis = Expiry.after(clock, refresh.retryPause());
      failed(e);
    } finally {
      entries.loads.end(entryKey, mine);
      attempt.untilMillis = retryMillis;
      if (retryMillis == 0) {
        taken.remove(entryKey.hot(), attempt);
      }
    }
  }

  /** A running refresh: the record when it began, and its load. */
  private record Stale<V>(
      EntryKey key, RowRecord record, CacheEntries.Found<V> found, Loads.Load load) {}

  /** Stores a loaded value, if allowed; returns the value for the threads that wait for it. */
  private @Nullable V settle(K key, Stale<V> stale, @Nullable V value) {
    Object[] winner = {value};
    LoadingRead.unlessClosed(
        entries,
        () -> {
          if (!storeAndTell(key, stale, value)) {
            CacheEntries.Found<V> now = entries.read(stale.key);
            winner[0] = now == null ? value : now.value();
          }
        });
    @SuppressWarnings("unchecked") // the loaded value or the existing one
    V result = (V) winner[0];
    return result;
  }

  private boolean storeAndTell(K key, Stale<V> stale, @Nullable V value) {
    RefreshedEntries<? super K, ? super V> decides = deciding;
    boolean over = entries.isPast(stale.key, stale.found.entry());
    List<Change<V>> made = new ArrayList<>(1);
    // An entry whose value cannot be encoded is removed.
    V kept = value == null || !entries.writing.takes(stale.key, value) ? null : value;
    if (decides == null) {
      store(key, stale, kept, over, made);
    } else {
      decides.refreshed(
          key, over ? null : stale.found.value(), kept, () -> store(key, stale, kept, over, made));
    }
    made.forEach(done -> listeners.tell(key, done.value()));
    return !made.isEmpty();
  }

  /**
   * Stores a loaded value; returns whether it did.
   *
   * @param over whether the stale entry has expired
   * @param made receives the change, if it was made
   */
  private boolean store(
      K key, Stale<V> stale, @Nullable V value, boolean over, List<Change<V>> made) {
    entries.ensureOpen();
    RowRecord ended = entries.ended.endedBefore(stale.key, stale.record, over ? null : stale.found);
    Change<V> change =
        value == null
            ? Change.remove()
            : Change.write(value, deadlines.of(key, value, over ? null : stale.found));
    boolean stored = commit(stale, stale.record, change);
    if (stored) {
      entries.ended.tellBefore(stale.key, ended);
    } else {
      // An expired record may be swept without a write of its key. Then the loaded value is a new
      // entry.
      stored = over && change.changes(null) && commit(stale, null, change);
    }
    if (stored) {
      made.add(change);
    }
    return stored;
  }

  private boolean commit(Stale<V> stale, @Nullable RowRecord expected, Change<V> change) {
    return entries.commits.commit(
            new ConditionalWrites.Planned<>(
                stale.key, expected, change.unlessSuperseded(stale.load), () -> true))
        != null;
  }

  private void failed(Throwable e) {
    if (entries.isClosed()) {
      return;
    }
    counters.refreshFailures.increment();
    if (!failing) {
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
    }
  }
}
