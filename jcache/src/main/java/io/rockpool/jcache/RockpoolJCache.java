package io.rockpool.jcache;

import io.rockpool.cache.PersistentCache;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.CacheTransactions;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheException;
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
 * <p>{@code get} is the kernel's. So is {@code put}, one native write without a read, if the expiry
 * policy treats creation and update alike and the cache has neither writer nor listeners.
 * Operations that need the old value are one optimistic update. Statistics are counted here, by the
 * rules of the specification.
 */
final class RockpoolJCache<K, V> implements Cache<K, V> {
  /** Keys removed at once by {@link #removeAll()}: bounds what lies in memory. */
  private static final int REMOVE_BATCH = 1_024;

  private final RockpoolJCacheManager manager;
  private final String name;
  private final HibernateRegion region;
  private final PersistentCache<K, V> kernel;
  private final CacheParts<K, V> parts;
  private final ObservedChanges<K, V> watching;
  private final EntryChanges<K, V> changes;
  private final BulkChanges<K, V> bulk;
  private final CacheAccess<K, V> access;
  private final StatisticsBean statistics;
  private final RunningLoads loads = new RunningLoads(this::ensureOpen);

  /** Held while listeners come and go, which is made of several steps. */
  private final Object registering = new Object();

  private volatile boolean closed;

  /** Makes the parts first: opening the kernel stores what it is opened with. */
  RockpoolJCache(
      RockpoolJCacheManager manager,
      String name,
      HibernateRegion region,
      PartsFactory<K, V> factory,
      Function<CacheParts<K, V>, PersistentCache<K, V>> kernels) {
    this.manager = manager;
    this.name = name;
    this.region = region;
    this.parts = factory.create(this);
    this.kernel = kernels.apply(parts);
    this.access = Internals.cache(kernel);
    this.statistics = parts.statistics();
    CacheTransactions transactions = access.transactions();
    statistics.join(transactions);
    KeyLocks<K> locks = new KeyLocks<>(parts.copies().keys(), transactions);
    this.watching = new ObservedChanges<>(locks, parts.writing(), parts.listeners(), transactions);
    StoreChanges<K, V> store = new StoreChanges<>(kernel);
    ProcessorLocks<K> processed = new ProcessorLocks<>(parts.copies().keys(), transactions);
    this.changes = new EntryChanges<>(store, watching, parts.processors(), processed);
    this.bulk = new BulkChanges<>(store, watching, parts.processors(), processed);
    listenForExpired();
    access.onRefreshed(watching::refreshed);
  }

  /** Makes what belongs to a cache, once there is one. */
  interface PartsFactory<K, V> {
    CacheParts<K, V> create(RockpoolJCache<K, V> cache);
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V get(K key) {
    checkKey(key);
    long begun = statistics.begin();
    V value = StoreChanges.call(() -> kernel.get(key));
    statistics.gets(value == null ? 0 : 1, value == null ? 1 : 0, begun);
    Loading<K, V> loading = parts.readThrough();
    return value == null && loading != null ? changes.load(key, loading) : value;
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    checkKeys(keys);
    long begun = statistics.begin();
    Map<K, V> found = StoreChanges.call(() -> kernel.getAll(keys));
    statistics.gets(found.size(), keys.size() - found.size(), begun);
    Loading<K, V> loading = parts.readThrough();
    if (loading == null || found.size() == keys.size()) {
      return found;
    }
    Set<K> missed = new LinkedHashSet<>(keys);
    missed.removeAll(found.keySet());
    Map<K, V> all = new HashMap<>(found);
    all.putAll(bulk.load(missed, loading));
    return all;
  }

  @Override
  public boolean containsKey(K key) {
    checkKey(key);
    return StoreChanges.call(() -> kernel.containsKey(key));
  }

  @Override
  public void loadAll(
      Set<? extends K> keys,
      boolean replaceExistingValues,
      @Nullable CompletionListener completionListener) {
    checkKeys(keys);
    watching.refuseLoadAllInTransaction(name);
    Set<K> copies = new LinkedHashSet<>();
    keys.forEach(key -> copies.add(parts.copies().ofKey(key)));
    manager.execute(
        new BulkLoad<>(
            copies, replaceExistingValues, parts.loading(), bulk, loads, completionListener));
  }

  @Override
  public void put(K key, V value) {
    checkEntry(key, value);
    if (region.isHibernates(key, value)) {
      region.prepare(key, value);
      try {
        store(key, value);
      } catch (CacheException e) {
        region.skip(e, () -> remove(key));
      }
    } else {
      store(key, value);
    }
  }

  private void store(K key, V value) {
    long begun = statistics.begin();
    if (isBlind()) {
      changes.putBlind(key, value);
      statistics.puts(1, begun);
    } else {
      countPut(changes.make(key, Decision.put(value)), begun);
    }
  }

  /** Whether a put needs not know what is there. */
  private boolean isBlind() {
    // A skipped value is no put, and removes what is there.
    boolean counted = statistics.isEnabled() && parts.configuration().skips();
    return parts.expiry().updatesAsCreation() && !parts.listeners().hearOfPuts() && !counted;
  }

  private void countPut(Outcome<V> outcome, long begun) {
    statistics.puts(outcome.puts(), begun);
  }

  private void countGet(Outcome<V> outcome, long begun) {
    statistics.gets(outcome.wasThere() ? 1 : 0, outcome.wasThere() ? 0 : 1, begun);
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getAndPut(K key, V value) {
    checkEntry(key, value);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.make(key, Decision.put(value));
    countGet(outcome, begun);
    countPut(outcome, begun);
    return outcome.before();
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    ensureOpen();
    map.forEach(this::checkEntry);
    long begun = statistics.begin();
    bulk.putAll(map, isBlind(), puts -> statistics.puts(puts, begun));
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    checkEntry(key, value);
    long begun = statistics.begin();
    Outcome<V> outcome =
        changes.decide(key, there -> there == null ? Decision.put(value) : Decision.keep());
    countGet(outcome, begun);
    countPut(outcome, begun);
    return outcome.changed();
  }

  @Override
  public boolean remove(K key) {
    checkKey(key);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.make(key, Decision.remove());
    statistics.removals(outcome.removals(), begun);
    return outcome.changed();
  }

  @Override
  public boolean remove(K key, V oldValue) {
    checkEntry(key, oldValue);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.remove(key, oldValue);
    countGet(outcome, begun);
    statistics.removals(outcome.removals(), begun);
    return outcome.changed();
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public V getAndRemove(K key) {
    checkKey(key);
    long begun = statistics.begin();
    Outcome<V> outcome = changes.make(key, Decision.remove());
    countGet(outcome, begun);
    statistics.removals(outcome.removals(), begun);
    return outcome.before();
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    checkEntry(key, oldValue);
    checkValue(newValue);
    long begun = statistics.begin();
    Outcome<V> outcome =
        changes.decide(
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
        changes.decide(key, there -> there == null ? Decision.keep() : Decision.put(value));
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
    boolean blindly = !statistics.isEnabled() && !parts.listeners().hearOfRemovals();
    bulk.removeAll(keys, blindly, removals -> statistics.removals(removals, begun));
  }

  @Override
  public void removeAll() {
    ensureOpen();
    if (!watching.isOn() && !statistics.isEnabled() && parts.behind() == null) {
      clear();
      return;
    }
    access.supersedeLoads();
    Failures failures = new Failures();
    Set<K> batch = new LinkedHashSet<>();
    Iterator<Map.Entry<K, V>> entries = StoreChanges.call(kernel::iterator);
    while (StoreChanges.call(entries::hasNext)) {
      batch.add(StoreChanges.call(entries::next).getKey());
      if (batch.size() == REMOVE_BATCH) {
        failures.tryTo(() -> removeAllOf(batch));
        batch.clear();
      }
    }
    failures.tryTo(() -> removeAllOf(batch));
    failures.throwFirst();
  }

  @Override
  public void clear() {
    ensureOpen();
    StoreChanges.run(() -> kernel.clear());
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public <T> T invoke(K key, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
    checkKey(key);
    Objects.requireNonNull(entryProcessor, "entryProcessor");
    Objects.requireNonNull(arguments, "arguments");
    long begun = statistics.begin();
    ProcessorRun<K, V, T> run =
        new ProcessorRun<>(key, List.of(key), entryProcessor, arguments, parts, access);
    try {
      changes.process(key, run);
    } finally {
      statistics.count(run.tally(), begun);
    }
    return run.result();
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
    checkKeys(keys);
    Objects.requireNonNull(entryProcessor, "entryProcessor");
    Objects.requireNonNull(arguments, "arguments");
    long begun = statistics.begin();
    Map<K, ProcessorRun<K, V, T>> runs = new LinkedHashMap<>();
    keys.forEach(
        key ->
            runs.put(key, new ProcessorRun<>(key, keys, entryProcessor, arguments, parts, access)));
    try {
      bulk.process(runs.keySet(), key -> Objects.requireNonNull(runs.get(key)));
    } finally {
      statistics.count(
          runs.values().stream().map(ProcessorRun::tally).reduce(Tally.NOTHING, Tally::plus),
          begun);
    }
    Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
    runs.forEach(
        (key, run) -> {
          InvocationResult<T> result = run.resultOfMany();
          if (result != null) {
            results.put(key, result);
          }
        });
    return results;
  }

  @Override
  public Iterator<Cache.Entry<K, V>> iterator() {
    ensureOpen();
    return new EntryIterator<>(
        StoreChanges.call(kernel::iterator),
        parts.copies(),
        this::nextOf,
        this::ensureOpen,
        this::remove);
  }

  private Map.Entry<K, V> nextOf(Iterator<Map.Entry<K, V>> entries) {
    long begun = statistics.begin();
    Map.Entry<K, V> entry = entries.next();
    if (parts.expiry().usesAccess()) {
      kernel.get(entry.getKey());
    }
    statistics.gets(1, 0, begun);
    return entry;
  }

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    ensureOpen();
    Objects.requireNonNull(configuration, "cacheEntryListenerConfiguration");
    synchronized (registering) {
      parts.configuration().addListener(configuration);
      try {
        parts.listeners().register(configuration);
      } catch (Throwable e) {
        parts.configuration().removeListener(configuration);
        throw e;
      }
      listenForExpired();
    }
    ensureOpen();
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    ensureOpen();
    Objects.requireNonNull(configuration, "cacheEntryListenerConfiguration");
    synchronized (registering) {
      parts.configuration().removeListener(configuration);
      parts.listeners().deregister(configuration);
      listenForExpired();
    }
  }

  /** Has the kernel report expired entries while there are listeners for them. */
  private void listenForExpired() {
    boolean heard = !closed && parts.listeners().hear(EventType.EXPIRED);
    access.onExpired(heard ? new ExpiredEvents<>(watching, manager.getClassLoader()) : null);
    if (closed) {
      ignoreExpired();
    }
  }

  /** What expires from now on is for those who open the cache again. */
  private void ignoreExpired() {
    try {
      access.onExpired(null);
    } catch (IllegalStateException e) {
      // It was closed, or its entries were dropped, by others.
    }
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
    access.finishWriting(); // before it is closed: the writer may use it
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      parts.hide();
    }
    ignoreExpired();
    loads.awaitEnd();
    try {
      if (parts.behind() != null && !kernel.isClosed()) {
        StoreChanges.run(kernel::close); // before the writer is closed
      }
    } finally {
      parts.close();
    }
  }

  DeclaredTypes<K, V> types() {
    return parts.types();
  }

  /** The loader that reads go through, if they do. */
  @Nullable Loading<K, V> readThrough() {
    return parts.readThrough();
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
      throw new StoreClosedException(
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
