package io.rockpool.spring;

import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.ValueLoader;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.RunningLoad;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;
import org.springframework.cache.support.NullValue;

/**
 * A Spring cache on a {@link PersistentCache}: it is there again, and warm, after a restart.
 * Thread-safe; made by {@link RockpoolCacheManager}.
 *
 * <p><b>Keys</b> are strings, numbers, {@code java.time} values, enums, records, arrays, lists,
 * sets and maps of these, {@code SimpleKey}s of these, and classes with a registered codec. Any
 * other is refused with an {@link io.rockpool.error.UnencodableValueException}, because two equal
 * ones could be different keys.
 *
 * <p><b>Values</b> need no interface; their classes must be allowed, see {@link
 * RockpoolCacheManager}. Each read has a value of its own. One that can no longer be decoded,
 * because its class changed, is a miss.
 *
 * <p><b>Atomicity, cost and durability</b> are those of {@link PersistentCache}: a change has
 * happened, at once and for all, when its method returns; evicting and clearing wait for nothing
 * else.
 *
 * <p><b>Errors</b> of the store are {@link io.rockpool.error.RockpoolException}s. After the manager
 * or the store is closed, every method throws {@link io.rockpool.error.StoreClosedException}.
 */
public final class RockpoolCache extends AbstractValueAdaptingCache {
  private final String name;
  private final PersistentCache<Object, Object> cache;
  private final CacheAccess<Object, Object> access;
  private final boolean refreshes;
  private final boolean writesBehind;
  private final Executor executor;

  /**
   * A cache of this name.
   *
   * @param refreshes whether values are ever due
   * @param writesBehind whether changes are written later
   * @param executor on which {@code retrieve} reads
   */
  RockpoolCache(
      String name,
      PersistentCache<Object, Object> cache,
      boolean refreshes,
      boolean writesBehind,
      Executor executor) {
    super(true);
    this.name = name;
    this.cache = cache;
    this.access = Internals.cache(cache);
    this.refreshes = refreshes;
    this.writesBehind = writesBehind;
    this.executor = executor;
  }

  @Override
  public String getName() {
    return name;
  }

  /**
   * The cache below. A null is {@link NullValue#INSTANCE} in it; to iterate over it skips keys that
   * hold records or enums which this process has not used as keys.
   */
  @Override
  public PersistentCache<Object, Object> getNativeCache() {
    return cache;
  }

  @Override
  protected @Nullable Object lookup(Object key) {
    if (CacheableCall.isRefetching(this, key)) {
      return null;
    }
    CacheableCall call = refreshes || writesBehind ? CacheableCall.current() : null;
    Object value =
        refreshes && call != null ? access.getOrRefresh(key, call.again(this)) : cache.get(key);
    return value == null ? missed(key) : value;
  }

  private @Nullable Object missed(Object key) {
    CacheableCall call = CacheableCall.current();
    if (call == null) {
      return null;
    }
    if (writesBehind) {
      return lookUpPending(key, call);
    }
    if (call.isTagged()) {
      RunningLoad unused = call.beginLoad(this, key, access);
    }
    return null;
  }

  /**
   * The value of a pending change of a key that a method is about to load, null if there is none. A
   * pending removal is a null that was loaded: the method might still find the value.
   */
  private @Nullable Object lookUpPending(Object key, CacheableCall call) {
    RunningLoad load = call.beginLoad(this, key, access);
    boolean[] none = new boolean[1];
    Object pending =
        access
            .pendingOrLoaded(
                Set.of(key),
                absent -> {
                  none[0] = true;
                  return Map.of();
                })
            .get(key);
    if (none[0]) {
      return null;
    }
    if (pending != null) {
      access.decide(
          key,
          there -> there == null ? Decision.put(pending).unlessSuperseded(load) : Decision.keep());
    }
    return pending == null ? NullValue.INSTANCE : pending;
  }

  /**
   * {@inheritDoc}
   *
   * <p>However many threads ask for a missing key, one calls its loader, and all get the result, or
   * the exception. If the key is put or evicted meanwhile, the result is not stored.
   *
   * @throws IllegalStateException if the loader asks this cache to load the same key
   */
  @Override
  @SuppressWarnings("unchecked") // the caller's claim, as everywhere in Spring's caches
  public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
    Objects.requireNonNull(valueLoader, "valueLoader");
    if (CacheableCall.isRefetching(this, key)) {
      Object loaded = load(key, valueLoader);
      put(key, fromStoreValue(loaded));
      return (T) fromStoreValue(loaded);
    }
    CacheableCall call = CacheableCall.current();
    ValueLoader<Object, @Nullable Object> loader = k -> load(k, valueLoader);
    return (T)
        fromStoreValue(
            cache.get(
                key,
                call != null && call.isTagged()
                    ? new CacheableCall.TaggedCall(loader, call::tags)
                    : loader));
  }

  private Object load(Object key, Callable<?> valueLoader) {
    try {
      return toStoreValue(new RunningLoader(cache, key).call(valueLoader));
    } catch (Exception e) {
      throw new ValueRetrievalException(key, valueLoader, e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads on the manager's executor, because a read may go to the disk; the value is wrapped,
   * and null if there is none.
   */
  @Override
  public CompletableFuture<@Nullable ValueWrapper> retrieve(Object key) {
    Objects.requireNonNull(key, "key");
    return CompletableFuture.supplyAsync(() -> get(key), executor);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads, and calls the loader, on the manager's executor; no thread waits for what it returns.
   * All callers that ask for a missing key share one load, those of {@code get} too. If the key is
   * put or evicted meanwhile, the result is not stored.
   *
   * @return completes with the value; fails with an {@link IllegalStateException} if the loader
   *     asks this cache to load the same key
   */
  @Override
  @SuppressWarnings("unchecked") // the caller's claim, as everywhere in Spring's caches
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(valueLoader, "valueLoader");
    RunningLoader running = new RunningLoader(cache, key);
    Supplier<CompletableFuture<Object>> loader =
        () -> running.load(valueLoader).thenApply(this::toStoreValue);
    return (CompletableFuture<T>)
        CompletableFuture.completedFuture(key)
            .thenComposeAsync(it -> retrieveStored(it, loader, running), executor)
            .thenApply(this::fromStoreValue);
  }

  private CompletableFuture<Object> retrieveStored(
      Object key, Supplier<CompletableFuture<Object>> loader, RunningLoader running) {
    Object there = access.getOrRefresh(key, due -> loader.get().join());
    if (there != null) {
      return CompletableFuture.completedFuture(there);
    }
    running.refuseRecursion();
    return access.loadAsync(key, missing -> loader.get(), executor);
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    Object stored = toStoreValue(value);
    CacheableCall call = CacheableCall.current();
    if (call != null && call.takes(this, key, stored)) {
      return;
    }
    RunningLoad load = call == null ? null : call.load(this, key);
    if (load == null) {
      cache.put(key, stored, call == null ? Set.of() : call.tags());
    } else { // what the method has loaded is not written behind
      access.decide(key, there -> Decision.put(stored).unlessSuperseded(load).tagged(call.tags()));
    }
  }

  /**
   * Removes all entries with one of these tags; see {@link CacheTags} and {@link
   * PersistentCache#invalidateTags}. O(1).
   */
  public void invalidateTags(Collection<String> tags) {
    cache.invalidateTags(tags);
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    return toValueWrapper(cache.putIfAbsent(key, toStoreValue(value)));
  }

  /** {@inheritDoc} One write, without a read. */
  @Override
  public void evict(Object key) {
    cache.invalidate(key);
  }

  /** {@inheritDoc} Always determined: one read, and a write if there is an entry. */
  @Override
  public boolean evictIfPresent(Object key) {
    return cache.remove(key);
  }

  /** {@inheritDoc} O(1), one write; disk space is freed later. */
  @Override
  public void clear() {
    cache.clear();
  }

  /**
   * {@inheritDoc} Like {@link #clear}, after a check for any entry. An entry that is put in between
   * is removed, but the result may not show it.
   */
  @Override
  public boolean invalidate() {
    boolean hadEntries = cache.iterator().hasNext();
    clear();
    return hadEntries;
  }

  /** The name, and where the cache lies. */
  @Override
  public String toString() {
    return "RockpoolCache \"" + name + "\" in \"" + cache.name() + "\"";
  }
}
