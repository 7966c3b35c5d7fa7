package io.rockpool.jcache;

import io.rockpool.cache.Decision;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.RockpoolException;
import io.rockpool.jcache.EntryChanges.Outcome;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.event.EventType;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * A JSR-107 cache on a {@link PersistentCache}. Thread-safe.
 *
 * <p>{@code get} is the kernel's, and so is {@code put} where the expiry policy treats creation and
 * update alike and nobody watches the cache: one native write, no read. Everything that must know
 * what was there is one optimistic update. Statistics are kept here, as the specification counts
 * them.
 */
final class RockpoolCache<K, V> implements Cache<K, V> {
  /** Keys removed at once by {@link #removeAll()}: bounds what lies in memory. */
  private static final int REMOVE_BATCH = 1_024;

  private final RockpoolCacheManager manager;
  private final String name;
  private final PersistentCache<K, V> kernel;
  private final CacheParts<K, V> parts;
  private final EntryChanges<K, V> changes;
  private final StatisticsBean statistics;
  private volatile boolean closed;

  RockpoolCache(
      RockpoolCacheManager manager,
      String name,
      PersistentCache<K, V> kernel,
      PartsFactory<K, V> factory) {
    this.manager = manager;
    this.name = name;
    this.kernel = kernel;
    this.parts = factory.create(this);
    this.statistics = parts.statistics();
    this.changes =
        new EntryChanges<>(
            kernel, new KeyLocks<>(parts.copies().keys()), parts.writing(), parts.listeners());
  }

  /** Makes what belongs to a cache, once there is one. */
  interface PartsFactory<K, V> {
    CacheParts<K, V> create(Cache<K, V> cache);
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V get(K key) {
    checkKey(key);
    long begun = statistics.begin();
    V value = kernelGet(key);
    statistics.gets(value == null ? 0 : 1, value == null ? 1 : 0, begun);
    Loading<K, V> loading = parts.readThrough();
    return value == null && loading != null ? changes.load(key, loading) : value;
  }

  private @Nullable V kernelGet(K key) {
    try {
      return kernel.get(key);
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    checkKeys(keys);
    long begun = statistics.begin();
    Map<K, V> found;
    try {
      found = kernel.getAll(keys);
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
    statistics.gets(found.size(), keys.size() - found.size(), begun);
    Loading<K, V> loading = parts.readThrough();
    if (loading == null || found.size() == keys.size()) {
      return found;
    }
    Map<K, V> all = new HashMap<>(found);
    for (K key : keys) {
      if (!found.containsKey(key)) {
        V value = changes.load(key, loading);
        if (value != null) {
          all.put(key, value);
        }
      }
    }
    return all;
  }

  @Override
  public boolean containsKey(K key) {
    checkKey(key);
    try {
      return kernel.containsKey(key);
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  @Override
  public void loadAll(
      Set<? extends K> keys,
      boolean replaceExistingValues,
      @Nullable CompletionListener completionListener) {
    checkKeys(keys);
    Set<K> copies = new LinkedHashSet<>();
    keys.forEach(key -> copies.add(parts.copies().ofKey(key)));
    manager.execute(
        new BulkLoad<>(
            copies,
            replaceExistingValues,
            parts.loading(),
            this::containsKey,
            changes,
            completionListener));
  }

  @Override
  public void put(K key, V value) {
    checkEntry(key, value);
    long begun = statistics.begin();
    if (isBlind()) {
      try {
        kernel.put(key, value);
      } catch (RockpoolException e) {
        throw Closing.wrapped(e);
      }
      statistics.puts(1, begun);
    } else {
      countPut(changes.change(key, there -> Decision.put(value)), begun);
    }
  }

  /** Whether a put needs not know what is there. */
  private boolean isBlind() {
    return parts.expiry().updatesAsCreation() && !changes.areWatched();
  }

  private void countPut(Outcome<V> outcome, long begun) {
    statistics.puts(outcome.isPut() ? 1 : 0, begun);
  }

  private void countGet(Outcome<V> outcome, long begun) {
    statistics.gets(outcome.wasThere() ? 1 : 0, outcome.wasThere() ? 0 : 1, begun);
  }

  private void countRemoval(Outcome<V> outcome, long begun) {
    statistics.removals(outcome.isRemoval() ? 1 : 0, begun);
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getAndPut(K key, V value) {
    checkEntry(key, value);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.change(key, there -> Decision.put(value));
    countGet(outcome, begun);
    countPut(outcome, begun);
    return outcome.before();
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    ensureOpen();
    map.forEach(this::checkEntry);
    long begun = statistics.begin();
    if (isBlind()) {
      try {
        kernel.putAll(map);
      } catch (RockpoolException e) {
        throw Closing.wrapped(e);
      }
      statistics.puts(map.size(), begun);
    } else {
      statistics.puts(changes.putAll(map), begun);
    }
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    checkEntry(key, value);
    long begun = statistics.begin();
    Outcome<V> outcome =
        changes.change(key, there -> there == null ? Decision.put(value) : Decision.keep());
    countGet(outcome, begun);
    countPut(outcome, begun);
    return outcome.changed();
  }

  @Override
  public boolean remove(K key) {
    checkKey(key);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.change(key, there -> Decision.remove());
    countRemoval(outcome, begun);
    return outcome.changed();
  }

  @Override
  public boolean remove(K key, V oldValue) {
    checkEntry(key, oldValue);
    long begun = statistics.begin();
    Outcome<V> outcome =
        changes.change(
            key,
            there -> Objects.deepEquals(there, oldValue) ? Decision.remove() : Decision.access());
    countGet(outcome, begun);
    countRemoval(outcome, begun);
    return outcome.changed();
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getAndRemove(K key) {
    checkKey(key);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.change(key, there -> Decision.remove());
    countGet(outcome, begun);
    countRemoval(outcome, begun);
    return outcome.before();
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    checkEntry(key, oldValue);
    checkValue(newValue);
    long begun = statistics.begin();
    Outcome<V> outcome =
        changes.change(
            key,
            there ->
                Objects.deepEquals(there, oldValue) ? Decision.put(newValue) : Decision.access());
    countGet(outcome, begun);
    countPut(outcome, begun);
    return outcome.isPut();
  }

  @Override
  public boolean replace(K key, V value) {
    return replacing(key, value).wasThere();
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getAndReplace(K key, V value) {
    return replacing(key, value).before();
  }

  private Outcome<V> replacing(K key, V value) {
    checkEntry(key, value);
    long begun = statistics.begin();
    Outcome<V> outcome =
        changes.change(key, there -> there == null ? Decision.keep() : Decision.put(value));
    countGet(outcome, begun);
    countPut(outcome, begun);
    return outcome;
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    checkKeys(keys);
    removeAllOf(keys);
  }

  private void removeAllOf(Set<? extends K> keys) {
    long begun = statistics.begin();
    if (changes.areWatched() || statistics.isEnabled()) {
      statistics.removals(changes.removeAll(keys), begun);
      return;
    }
    try {
      kernel.invalidateAll(keys);
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  @Override
  public void removeAll() {
    ensureOpen();
    if (!changes.areWatched() && !statistics.isEnabled()) {
      clear();
      return;
    }
    Set<K> batch = new LinkedHashSet<>();
    for (Map.Entry<K, V> entry : kernel) {
      batch.add(entry.getKey());
      if (batch.size() == REMOVE_BATCH) {
        removeAllOf(batch);
        batch.clear();
      }
    }
    removeAllOf(batch);
  }

  @Override
  public void clear() {
    ensureOpen();
    try {
      kernel.clear();
    } catch (RockpoolException e) {
      throw Closing.wrapped(e);
    }
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public <T> T invoke(K key, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
    checkKey(key);
    Objects.requireNonNull(entryProcessor, "entryProcessor");
    Objects.requireNonNull(arguments, "arguments");
    return process(key, entryProcessor, arguments);
  }

  private <T> @Nullable T process(K key, EntryProcessor<K, V, T> processor, Object[] arguments) {
    long begun = statistics.begin();
    ProcessorRun<K, V, T> run = new ProcessorRun<>(key, processor, arguments, parts.readThrough());
    Outcome<V> outcome = changes.change(key, run::run, run::writesThrough);
    countGet(outcome, begun);
    if (run.hasPut()) {
      countPut(outcome, begun);
    } else if (run.hasRemoved()) {
      // As the reference implementation has it, also where there was nothing to remove.
      statistics.removals(1, begun);
      if (!outcome.wasThere()) {
        parts.listeners().raise(EventType.REMOVED, key, null, null);
      }
    }
    return run.result();
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
    checkKeys(keys);
    Objects.requireNonNull(entryProcessor, "entryProcessor");
    Objects.requireNonNull(arguments, "arguments");
    Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
    for (K key : keys) {
      try {
        T result = process(key, entryProcessor, arguments);
        if (result != null) {
          results.put(key, new InvocationResult<>(result, null));
        }
      } catch (RuntimeException e) {
        results.put(key, InvocationResult.failed(e));
      }
    }
    return results;
  }

  @Override
  public Iterator<Cache.Entry<K, V>> iterator() {
    ensureOpen();
    return new EntryIterator<>(kernel.iterator(), this::onIterated, this::remove);
  }

  private void onIterated(K key) {
    statistics.gets(1, 0, 0);
    if (parts.expiry().usesAccess()) {
      kernel.get(key);
    }
  }

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    ensureOpen();
    Objects.requireNonNull(configuration, "cacheEntryListenerConfiguration");
    parts.configuration().addListener(configuration);
    parts.listeners().register(configuration);
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    ensureOpen();
    Objects.requireNonNull(configuration, "cacheEntryListenerConfiguration");
    parts.configuration().removeListener(configuration);
    parts.listeners().deregister(configuration);
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    ensureOpen();
    return parts.configuration().as(type);
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public CacheManager getCacheManager() {
    return manager;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    ensureOpen();
    return Unwrapping.of(this, type, kernel);
  }

  void enableStatistics(boolean on) {
    parts.enableStatistics(on);
  }

  void enableManagement(boolean on) {
    parts.enableManagement(on);
  }

  @Override
  public void close() {
    manager.close(this);
  }

  /** Closes the cache, once. */
  void closeNow() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    parts.close();
  }

  DeclaredTypes<K, V> types() {
    return parts.types();
  }

  PersistentCache<K, V> kernel() {
    return kernel;
  }

  /** Whether it was closed, or its entries were dropped through another manager. */
  @Override
  public boolean isClosed() {
    return closed || kernel.isClosed();
  }

  private void ensureOpen() {
    if (closed) {
      throw new IllegalStateException(
          "The cache \"" + name + "\" is closed; get it from its manager again.");
    }
  }

  private void checkKey(@Nullable K key) {
    ensureOpen();
    Objects.requireNonNull(key, "key");
    parts.types().checkKey(key);
  }

  private void checkValue(@Nullable V value) {
    Objects.requireNonNull(value, "value");
    parts.types().checkValue(value);
  }

  private void checkEntry(K key, V value) {
    checkKey(key);
    checkValue(value);
  }

  private void checkKeys(Set<? extends K> keys) {
    ensureOpen();
    Objects.requireNonNull(keys, "keys").forEach(this::checkKey);
  }
}
