package io.rockpool.spring;

import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.ValueLoader;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.CacheAccess;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.RunningLoad;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
 * because its class changed, is a miss. With {@link CacheableRefresher}, so is one that the method
 * with {@code @Cacheable} cannot return, because its return type changed.
 *
 * <p><b>Atomicity, cost and durability</b> are those of {@link PersistentCache}: a change has
 * happened, at once and for all, when its method returns; evicting and clearing wait for nothing
 * else.
 *
 * <p><b>Dropped caches.</b> If the name is dropped, as by another process or because a server was
 * emptied, the next call opens it again, empty.
 *
 * <p><b>Errors</b> of the store are {@link io.rockpool.error.RockpoolException}s. After the manager
 * or the store is closed, every method throws {@link StoreClosedException}; a {@code @Cacheable}
 * method that runs meanwhile returns its value, which is not stored.
 */
public final class RockpoolCache extends AbstractValueAdaptingCache {
  private static final Logger logger = LoggerFactory.getLogger("io.rockpool.spring");
  private final String name;

  /** Methods for which a value of another type was logged. */
  private final Set<Method> mismatched = ConcurrentHashMap.newKeySet();

  private final Consumer<PersistentCache<Object, Object>> reopen;
  private volatile Kernel kernel;
  private final boolean refreshes;
  private final boolean writesBehind;
  private final Executor executor;

  /** The cache below, until its name is dropped. */
  record Kernel(PersistentCache<Object, Object> cache, CacheAccess<Object, Object> access) {
    static Kernel of(PersistentCache<Object, Object> cache) {
      return new Kernel(cache, Internals.cache(cache));
    }
  }

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
    this(name, cache, refreshes, writesBehind, executor, dropped -> {});
  }

  /**
   * A cache of this name.
   *
   * @param reopen replaces the cache below if it is the given one and can be opened again
   */
  RockpoolCache(
      String name,
      PersistentCache<Object, Object> cache,
      boolean refreshes,
      boolean writesBehind,
      Executor executor,
      Consumer<PersistentCache<Object, Object>> reopen) {
    super(true);
    this.name = name;
    this.reopen = reopen;
    this.kernel = Kernel.of(cache);
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
   * hold records or enums which this process has not used as keys. After its name was dropped it is
   * closed, until this cache is used.
   */
  @Override
  public PersistentCache<Object, Object> getNativeCache() {
    return kernel.cache();
  }

  /** Runs an operation; once more on the cache that was opened again if the first was dropped. */
  <R extends @Nullable Object> R use(Function<Kernel, R> operation) {
    Kernel there = kernel;
    if (!there.cache().isClosed()) {
      try {
        return operation.apply(there);
      } catch (StoreClosedException e) {
        // The operation may have found the drop before it was reported.
      }
    }
    reopen.accept(there.cache());
    return operation.apply(kernel);
  }

  /** On which values are read and stored for methods that return before their work is done. */
  Executor executor() {
    return executor;
  }

  /** Replaces the cache below, which was dropped. */
  void replaceNativeCache(PersistentCache<Object, Object> cache) {
    kernel = Kernel.of(cache);
  }

  private void run(Consumer<Kernel> operation) {
    this.<@Nullable Void>use(
        there -> {
          operation.accept(there);
          return null;
        });
  }

  @Override
  protected @Nullable Object lookup(Object key) {
    if (CacheableCall.isRefetching(this, key)) {
      return null;
    }
    CacheableCall call = CacheableCall.current();
    return this.<@Nullable Object>use(
        there -> {
          Object value =
              refreshes && call != null
                  ? there.access().getOrRefresh(key, call.again(this))
                  : there.cache().get(key);
          if (value != null && call != null && !call.accepts(value)) {
            discard(there, key, value, call);
            value = there.cache().get(key); // counts the miss
            if (value != null && !call.accepts(value)) {
              value = null;
            }
          }
          return value == null ? missed(key, there.access()) : value;
        });
  }

  /** Removes a value that the method of a call cannot return, unless it was replaced. */
  private void discard(Kernel there, Object key, Object value, CacheableCall call) {
    there
        .access()
        .decide(
            key,
            now ->
                now == null || call.accepts(now)
                    ? Decision.keep()
                    : Decision.<Object>remove().unwritten());
    if (mismatched.add(call.getMethod())) {
      logger.warn(
          "The cache \"{}\" holds a {} for {}, which cannot return it. Such entries are misses.",
          name,
          value.getClass().getName(),
          call.getMethod());
    }
  }

  private @Nullable Object missed(Object key, CacheAccess<Object, Object> access) {
    CacheableCall call = CacheableCall.current();
    if (call == null) {
      return null;
    }
    if (writesBehind) {
      return lookUpPending(key, call, access);
    }
    if (call.isTagged()) {
      RunningLoad unused = call.beginLoad(this, key, access);
    } else {
      call.noteMiss(this, key);
    }
    return null;
  }

  /**
   * The value of a pending change of a key that a method is about to load, null if there is none. A
   * pending removal is a null that was loaded: the method might still find the value.
   */
  private @Nullable Object lookUpPending(
      Object key, CacheableCall call, CacheAccess<Object, Object> access) {
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
      Object loaded = load(getNativeCache(), key, valueLoader);
      put(key, fromStoreValue(loaded));
      return (T) fromStoreValue(loaded);
    }
    CacheableCall call = CacheableCall.current();
    Object found = getOrLoad(key, valueLoader, call);
    if (found != null && call != null && !call.accepts(found)) {
      Object wrong = found;
      run(there -> discard(there, key, wrong, call));
      found = getOrLoad(key, valueLoader, call);
      if (found != null && !call.accepts(found)) { // of another method, which shares the entry
        found = load(getNativeCache(), key, valueLoader);
      }
    }
    return (T) fromStoreValue(found);
  }

  private @Nullable Object getOrLoad(
      Object key, Callable<?> valueLoader, @Nullable CacheableCall call) {
    return this.<@Nullable Object>use(
        there -> {
          ValueLoader<Object, @Nullable Object> loader = k -> load(there.cache(), k, valueLoader);
          return there
              .cache()
              .get(
                  key,
                  call != null && call.isTagged()
                      ? new CacheableCall.TaggedCall(loader, call::tags)
                      : loader);
        });
  }

  /** Of any instance of {@link NullValue}: a class loader or a codec may have made another. */
  @Override
  protected @Nullable Object fromStoreValue(@Nullable Object storeValue) {
    return storeValue instanceof NullValue ? null : super.fromStoreValue(storeValue);
  }

  @Override
  protected Object toStoreValue(@Nullable Object userValue) {
    return super.toStoreValue(userValue instanceof NullValue ? null : userValue);
  }

  private Object load(PersistentCache<Object, Object> cache, Object key, Callable<?> valueLoader) {
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
    // Of the thread that asks, as it knows which loads are running.
    RunningLoader running = new RunningLoader(getNativeCache(), key);
    Supplier<CompletableFuture<Object>> loader =
        () -> running.load(valueLoader).thenApply(this::toStoreValue);
    return (CompletableFuture<T>)
        CompletableFuture.completedFuture(key)
            .thenComposeAsync(
                it -> use(there -> retrieveStored(there.access(), it, loader, running)), executor)
            .thenApply(this::fromStoreValue);
  }

  private CompletableFuture<Object> retrieveStored(
      CacheAccess<Object, Object> access,
      Object key,
      Supplier<CompletableFuture<Object>> loader,
      RunningLoader running) {
    Object there = access.getOrRefresh(key, due -> loader.get().join());
    if (there != null) {
      return CompletableFuture.completedFuture(there);
    }
    running.refuseRecursion();
    return access.loadAsync(key, missing -> loader.get(), executor);
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    Put put = preparePut(key, value, false);
    if (put != null) {
      store(put);
    }
  }

  /**
   * A put, with what it takes from the call that makes it.
   *
   * @param fills whether the call has missed the entry
   */
  record Put(
      Object key, Object value, Set<String> tags, @Nullable RunningLoad load, boolean fills) {
    /** Ends the load, if it was kept. */
    void endLoad() {
      if (load != null) {
        load.close();
      }
    }
  }

  /**
   * Takes what a put needs from the call that this thread is in; null if there is nothing to put.
   *
   * @param deferred whether the load is kept after the call, until the caller ends it
   */
  @Nullable Put preparePut(Object key, @Nullable Object value, boolean deferred) {
    Object stored = toStoreValue(value);
    CacheableCall call = CacheableCall.current();
    if (call == null) {
      return new Put(key, stored, Set.of(), null, false);
    }
    if (call.takes(this, key, stored)) {
      return null;
    }
    RunningLoad load = deferred ? call.keepLoad(this, key) : call.load(this, key);
    return new Put(key, stored, call.tags(), load, call.hasMissed(this, key));
  }

  /** Stores a value. What a method has loaded is its caller's, also if the cache was closed. */
  void store(Put put) {
    try {
      storeOpen(put);
    } catch (StoreClosedException e) {
      if (!put.fills) {
        throw e;
      }
    }
  }

  private void storeOpen(Put put) {
    RunningLoad load = put.load;
    if (load == null) {
      run(there -> there.cache().put(put.key, put.value, put.tags));
    } else { // what the method has loaded is not written behind
      run(
          there ->
              there
                  .access()
                  .decide(
                      put.key,
                      old -> Decision.put(put.value).unlessSuperseded(load).tagged(put.tags)));
    }
  }

  /**
   * Removes all entries with one of these tags; see {@link CacheTags} and {@link
   * PersistentCache#invalidateTags}. O(1).
   */
  public void invalidateTags(Collection<String> tags) {
    run(there -> there.cache().invalidateTags(tags));
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    return toValueWrapper(
        this.<@Nullable Object>use(there -> there.cache().putIfAbsent(key, toStoreValue(value))));
  }

  /** {@inheritDoc} One write, without a read. */
  @Override
  public void evict(Object key) {
    run(there -> there.cache().invalidate(key));
  }

  /** {@inheritDoc} Always determined: one read, and a write if there is an entry. */
  @Override
  public boolean evictIfPresent(Object key) {
    return use(there -> there.cache().remove(key));
  }

  /**
   * {@inheritDoc} O(1), one write; disk space is freed later. In a transaction of the store, the
   * clear follows the commit, and is left out if that rolls back. If it fails then, the failure is
   * logged.
   */
  @Override
  public void clear() {
    kernel.access().transactions().afterCommit(() -> run(there -> there.cache().clear()));
  }

  /**
   * {@inheritDoc} Like {@link #clear}, after a check for any entry. An entry that is put in between
   * is removed, but the result may not show it. In a transaction of the store, the result is false:
   * it is unknown.
   */
  @Override
  public boolean invalidate() {
    boolean hadEntries =
        !kernel.access().transactions().isInside()
            && use(there -> there.cache().iterator().hasNext());
    clear();
    return hadEntries;
  }

  /** The name, and where the cache lies. */
  @Override
  public String toString() {
    return "RockpoolCache \"" + name + "\" in \"" + getNativeCache().name() + "\"";
  }
}
