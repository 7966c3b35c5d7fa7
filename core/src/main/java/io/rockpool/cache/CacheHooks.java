package io.rockpool.cache;

import io.rockpool.engine.LeasedRead;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.CacheSample;
import io.rockpool.internal.access.CacheTransactions;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.ExpiredEntries;
import io.rockpool.internal.access.LoadStoring;
import io.rockpool.internal.access.LoadedValues;
import io.rockpool.internal.access.RefreshedEntries;
import io.rockpool.internal.access.RunningLoad;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The part of a cache that only Rockpool's modules use. */
final class CacheHooks<K, V> implements CacheAccess<K, V> {
  private final CacheEntries<K, V> entries;
  private final CacheReads<K, V> reads;
  private final Decisions<K, V> decisions;
  private final Deadlines<K, V> deadlines;
  private final @Nullable Refreshes<K, V> refreshes;

  CacheHooks(
      CacheEntries<K, V> entries,
      CacheReads<K, V> reads,
      Decisions<K, V> decisions,
      Deadlines<K, V> deadlines,
      @Nullable Refreshes<K, V> refreshes) {
    this.entries = entries;
    this.reads = reads;
    this.decisions = decisions;
    this.deadlines = deadlines;
    this.refreshes = refreshes;
  }

  /** A load that a module runs itself. */
  private record BesideLoad(Loads loads, EntryKey key, Loads.Load load) implements RunningLoad {
    @Override
    public void close() {
      loads.endBeside(key, load);
    }
  }

  /** The load that {@link #beginLoad} began on this thread; null for none. */
  static Loads.@Nullable Load load(@Nullable RunningLoad running) {
    return running == null ? null : ((BesideLoad) running).load;
  }

  @Override
  public boolean decide(
      K key, Function<? super @Nullable V, Decision<V>> decision, Consumer<? super K> skipped) {
    Objects.requireNonNull(decision, "decision");
    checkKey(key);
    return decisions.decide(key, decision, skipped);
  }

  @Override
  public Set<K> decideAll(
      Collection<? extends K> keys,
      BiFunction<? super K, ? super @Nullable V, Decision<V>> decision,
      Consumer<? super K> skipped) {
    Objects.requireNonNull(decision, "decision");
    keys.forEach(key -> Objects.requireNonNull(key, "key"));
    entries.ensureOpen();
    return decisions.decideAll(List.copyOf(keys), decision, skipped);
  }

  @Override
  public @Nullable V getOrRefresh(K key, ValueLoader<? super K, ? extends @Nullable V> loader) {
    return reads.get(key, Objects.requireNonNull(loader, "loader"));
  }

  @Override
  public @Nullable V load(
      K key, ValueLoader<? super K, ? extends @Nullable V> loader, LoadStoring<K, V> storing) {
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(storing, "storing");
    checkKey(key);
    return new LoadingRead<>(entries, key, storing, deadlines::ofNew, entries.tagging.begin(loader))
        .load(loader);
  }

  @Override
  public CompletableFuture<@Nullable V> loadAsync(
      K key,
      Function<? super K, ? extends CompletionStage<? extends @Nullable V>> loader,
      Executor executor,
      LoadedValues<K, V> values) {
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(executor, "executor");
    checkKey(key);
    return new LoadingRead<K, V>(
            entries, key, LoadStoring.plain(), deadlines.ofNew(values), tagging(values))
        .loadAsync(loader, executor);
  }

  @Override
  public Map<K, V> loadAll(
      Collection<? extends K> missed,
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader,
      LoadStoring<K, V> storing,
      LoadedValues<K, V> values) {
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(storing, "storing");
    missed.forEach(key -> Objects.requireNonNull(key, "key"));
    entries.ensureOpen();
    return new LoadingReadAll<>(entries, missed, storing, deadlines.ofNew(values), tagging(values))
        .load(loader);
  }

  private Tagging<K, V> tagging(LoadedValues<K, V> values) {
    return values.tags() == null ? entries.tagging.begin() : entries.tagging.begin(values.tags());
  }

  @Override
  public Map<K, V> pendingOrLoaded(
      Set<K> keys, Function<? super Set<K>, ? extends Map<? extends K, ? extends V>> loader) {
    Map<K, V> values = new LinkedHashMap<>();
    Set<K> others = new LinkedHashSet<>();
    for (K key : keys) {
      Change.Behind<V> pending = entries.pending(entries.format.keyToRead(key));
      if (pending == null) {
        others.add(key);
      } else if (pending.value() != null) {
        values.put(key, pending.value());
      }
    }
    if (!others.isEmpty()) {
      values.putAll(loader.apply(others));
    }
    return values;
  }

  @Override
  public RunningLoad beginLoad(K key, boolean tagged) {
    return Objects.requireNonNull(beginLoads(List.of(key), tagged).get(key));
  }

  @Override
  public Map<K, RunningLoad> beginLoads(Collection<? extends K> keys) {
    return beginLoads(keys, false);
  }

  private Map<K, RunningLoad> beginLoads(Collection<? extends K> keys, boolean tagged) {
    LoadStarts<K, V> starts = new LoadStarts<>(entries);
    Map<K, EntryKey> entryKeys = new LinkedHashMap<>();
    keys.forEach(key -> entryKeys.put(key, entries.format.key(Objects.requireNonNull(key, "key"))));
    Map<EntryKey, LeasedRead> reads = starts.leases(entryKeys.values());
    long tagEpoch = entries.tagging.epoch(tagged);
    Map<K, RunningLoad> begun = new LinkedHashMap<>();
    entryKeys.forEach(
        (key, entryKey) -> {
          LeasedRead read = reads.get(entryKey);
          Loads.Load load = entries.loads.beginBeside(entryKey, tagEpoch, read);
          if (read == null && starts.isLeased(entryKey)) {
            load.supersede(); // the servers were away, so nothing is known of what is there
          }
          begun.put(key, new BesideLoad(entries.loads, entryKey, load));
        });
    return begun;
  }

  @Override
  public void supersedeLoads() {
    entries.shared.loads.supersedeAll();
  }

  @Override
  public void onExpired(@Nullable ExpiredEntries<? super K, ? super V> listener) {
    entries.ensureOpen();
    entries.ended.confirmBy(listener);
  }

  @Override
  public void onRefreshed(@Nullable RefreshedEntries<? super K, ? super V> listener) {
    entries.ensureOpen();
    if (refreshes != null) {
      refreshes.decideBy(listener);
    }
  }

  @Override
  public CacheSample sample(int limit) {
    if (limit <= 0 || limit > CacheSample.MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "limit is " + limit + "; give a number from 1 to " + CacheSample.MAX_ENTRIES + ".");
    }
    entries.ensureOpen();
    return new Sampling(entries, limit).take();
  }

  @Override
  public CacheTransactions transactions() {
    return new CacheTransactions(entries.engine, entries.space().name());
  }

  private void checkKey(K key) {
    Objects.requireNonNull(key, "key");
    entries.ensureOpen();
  }

  @Override
  public void finishWriting() {
    Drainers.finish(entries);
  }
}
