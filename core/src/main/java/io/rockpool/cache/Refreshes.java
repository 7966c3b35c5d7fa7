package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches due values anew, as {@link CacheRefresh} says.
 *
 * <p>A refresh reads the record, calls the loader with nothing held, and writes on condition that
 * the record is still the same and the key was not removed: the records of a cache that refreshes
 * say when their value is due, so that no later put leaves the same bytes. It runs as a load of its
 * key ({@link Loads}); so a removal supersedes it, and who misses the key waits for it.
 */
final class Refreshes<K, V> {
  /** After so many keys were found taken, none is looked for again for this long. */
  private static final long CROWDED_MILLIS = 100;

  /** How long a thread without work stays. */
  private static final long IDLE_THREAD_SECONDS = 10;

  /** In {@link #taken}: is being refreshed. */
  private static final Long RUNNING = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(PersistentCache.class);

  private final CacheEntries<K, V> entries;
  private final CacheRefresh<K, V> refresh;
  private final Deadlines<K, V> deadlines;
  private final CacheCounters counters;
  private final InstantSource clock;
  private final Executor executor;
  private final @Nullable ThreadPoolExecutor own;

  /** The keys that no refresh may be begun for, by that the hot tier knows them, and until when. */
  private final ConcurrentHashMap<Object, Long> taken = new ConcurrentHashMap<>();

  private volatile long crowdedUntilMillis;
  private volatile boolean failing;
  private volatile @Nullable RefreshedEntries<? super K, ? super V> listener;

  Refreshes(CacheEntries<K, V> entries, CacheRefresh<K, V> refresh, Deadlines<K, V> deadlines) {
    this.entries = entries;
    this.refresh = refresh;
    this.deadlines = deadlines;
    this.counters = entries.counters;
    this.clock = entries.clock();
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

  /** From now on tells this one; nobody if it is null. */
  void watch(@Nullable RefreshedEntries<? super K, ? super V> newListener) {
    listener = newListener;
  }

  /**
   * Notes that an entry was served; begins its refresh if it is due and nothing is against it.
   *
   * @param loader of the read; null if it brought none
   */
  void served(
      K key,
      EntryKey entryKey,
      HotEntry entry,
      @Nullable Function<? super K, ? extends @Nullable V> loader) {
    long now = clock.millis();
    if (entry.refreshMillis() > now) {
      return;
    }
    counters.staleHits.increment();
    Function<? super K, ? extends @Nullable V> chosen = loader == null ? refresh.loader() : loader;
    if (chosen != null && !entries.inTransaction() && take(entryKey.hot(), now)) {
      // A key that its owner may change is copied.
      K kept =
          entries.format.knowsKeysByThemselves() ? key : entries.format.decodeKey(entryKey.bytes());
      begin(kept, entryKey, chosen);
    }
  }

  private boolean take(Object key, long now) {
    Long until = taken.get(key);
    if (until != null) {
      return until <= now && taken.replace(key, until, RUNNING);
    }
    return (taken.mappingCount() < CacheRefresh.MAX_KEYS || makeRoom(now))
        && taken.putIfAbsent(key, RUNNING) == null;
  }

  private boolean makeRoom(long now) {
    if (now < crowdedUntilMillis) {
      return false;
    }
    taken.values().removeIf(until -> until <= now);
    if (taken.mappingCount() < CacheRefresh.MAX_KEYS) {
      return true;
    }
    crowdedUntilMillis = now + CROWDED_MILLIS;
    return false;
  }

  private void begin(K key, EntryKey entryKey, Function<? super K, ? extends @Nullable V> loader) {
    boolean begun = false;
    try {
      executor.execute(() -> run(key, entryKey, loader));
      begun = true;
    } catch (RejectedExecutionException e) {
      counters.refreshRejections.increment();
    } finally {
      if (!begun) {
        taken.remove(entryKey.hot());
      }
    }
  }

  private void run(K key, EntryKey entryKey, Function<? super K, ? extends @Nullable V> loader) {
    long retryMillis = 0;
    Loads.Load mine = new Loads.Load();
    try {
      RowRecord record = entries.space().get(entryKey.bytes(), Space.NO_SORT_KEY);
      CacheEntries.Found<V> found = record == null ? null : entries.read(entryKey, record);
      if (record != null
          && found != null
          && found.entry().refreshMillis() <= clock.millis()
          && entries.loads.join(entryKey, mine) == null) {
        V value = loader.apply(key);
        counters.refreshes.increment();
        failing = false;
        V winner = settle(key, new Stale<>(entryKey, record, found, mine), value);
        mine.complete(
            winner == null ? null : entries.format.write(entryKey, winner, Expiry.NEVER).entry());
      }
    } catch (Throwable e) {
      mine.fail(e);
      retryMillis = Expiry.after(clock, refresh.retryPause());
      failed(e);
    } finally {
      entries.loads.end(entryKey, mine);
      if (retryMillis == 0) {
        taken.remove(entryKey.hot());
      } else {
        taken.put(entryKey.hot(), retryMillis);
      }
    }
  }

  /** What is being refreshed: the record as it was when that began, and the load it runs as. */
  private record Stale<V>(
      EntryKey key, RowRecord record, CacheEntries.Found<V> found, Loads.Load load) {}

  /** Stores what was fetched, if it may be; returns what who waits for it shall have. */
  private @Nullable V settle(K key, Stale<V> stale, @Nullable V value) {
    boolean[] stored = new boolean[1];
    RefreshedEntries<? super K, ? super V> told = listener;
    if (told == null) {
      stored[0] = store(key, stale, value);
    } else {
      told.refreshed(key, stale.found.value(), value, () -> stored[0] = store(key, stale, value));
    }
    CacheEntries.Found<V> now = stored[0] ? null : entries.read(stale.key);
    return now == null ? value : now.value();
  }

  private boolean store(K key, Stale<V> stale, @Nullable V value) {
    entries.ensureOpen();
    boolean over = entries.isPast(stale.key, stale.found.entry());
    Change<V> change =
        value == null
            ? Change.remove()
            : Change.write(value, deadlines.of(key, value, over ? null : stale.found));
    if (commit(stale, stale.record, change)) {
      entries.ended.tellBefore(stale.key, stale.record);
      return true;
    }
    // Nobody has removed a record that has expired: what was fetched is a new entry then.
    return over && change.changes(null) && commit(stale, null, change);
  }

  private boolean commit(Stale<V> stale, @Nullable RowRecord expected, Change<V> change) {
    return entries.commits.commit(
        new Commits.Planned<>(stale.key, expected, change, () -> !stale.load.isSuperseded()));
  }

  private void failed(Throwable e) {
    if (entries.isClosed()) {
      return;
    }
    counters.refreshFailures.increment();
    if (!failing) {
      failing = true;
      LOG.warn(
          "A refresh of the cache \"{}\" failed; its values are served until they expire, and refreshes go on being tried.",
          entries.space().name(),
          e);
    }
  }

  /** Begins no more refreshes on threads of its own, and forgets those that wait. */
  void close() {
    if (own != null) {
      own.shutdown();
      own.getQueue().clear();
    }
  }
}
