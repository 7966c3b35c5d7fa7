package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.LoadStoring;
import io.rockpool.internal.access.TaggedLoader;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.store.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A cache that lives on disk and survives the death of its process, with its most used entries in
 * memory. Thread-safe.
 *
 * <pre>{@code
 * PersistentCache<String, Order> orders =
 *     pool.cache("orders", String.class, Order.class, o -> o.hotEntries(10_000));
 * Order order = orders.get("o-1", id -> database.get(id)); // loads it once
 * orders.put("o-2", new Order("o-2", true), ofMinutes(5)); // lives for five minutes
 * orders.computeIfPresent("o-2", (id, draft) -> new Order(id, false));
 * orders.invalidate("o-1");
 * }</pre>
 *
 * <p><b>Cost.</b> A hit in memory touches nothing else: no lock, no native call, and no clock
 * unless the entry can expire. A read from disk is one native call. A put is one native call, and
 * does not read, unless the {@link CacheExpiry expiry} treats creation and update differently. What
 * depends on the entry's state is three native calls and runs its function again if another thread
 * changed the entry meanwhile; such a function is called with no lock held and may use any cache.
 *
 * <p><b>Atomicity.</b> Each operation on one key is atomic and is seen by every later read of the
 * key; bulk operations are so key by key. A read never returns a value that a put or remove had
 * replaced before the read began. For each key, what one thread sees never goes backwards: after a
 * read, conditional operation or iterator has shown it a write, none shows it an older state,
 * through whatever handles of the cache it reads and writes. What a transaction reads of its own
 * changes is excepted if it does not commit.
 *
 * <p><b>Several processes.</b> If the engine's data is {@link io.rockpool.engine.Capability#SHARED
 * shared}, reads see the writes through this store's handles as described above. A write of another
 * process is seen by reads of memory once it is reported. All other operations see it at once:
 * those that depend on the entry's state, reads in a transaction, and reads of a cache with {@link
 * CacheOptions#hotEntries hotEntries(0)}. Reads never go backwards, also between processes. A
 * deadline that reads have moved is seen by other processes once it is late by a tenth of the idle
 * time. Listeners are notified only of what this process does.
 *
 * <p><b>Durability.</b> An operation that has returned survives {@code kill -9}; what it survives
 * of a power loss is the {@link io.rockpool.store.Durability} the cache was opened with, or what
 * {@link io.rockpool.Rockpool#withDurability} says around it.
 *
 * <p><b>Transactions.</b> Inside {@link Engine#atomically} every operation on keys joins the
 * transaction, and reads see what it wrote; nothing is read from memory then, and a loader's result
 * is not shared. {@link #clear}, {@link #refresh} and iteration are refused with an {@link
 * IllegalStateException}. {@link #statistics} count what a transaction did, whatever became of it.
 *
 * <p><b>Values</b> go in and come out by value: an instance is shared between callers only if its
 * type is known to be immutable, otherwise each read decodes its own. A value that can no longer be
 * decoded, because its class changed, is by default a miss: counted, and removed. A key that only
 * another class loader's cache of this name can decode is absent here: iteration counts it. {@link
 * CacheOptions#sharesValues} gives the instance in memory to all readers instead.
 *
 * <table>
 *   <caption>Its methods, and those of other interfaces that do the same</caption>
 *   <tr><th>here<th>{@code Map}<th>JCache<th>Caffeine, Guava
 *   <tr><td>{@code get(k)}<td>{@code get}<td>{@code get}<td>{@code getIfPresent}
 *   <tr><td>{@code get(k, loader), computeIfAbsent}<td>{@code computeIfAbsent}
 *       <td>{@code get, read-through}<td>{@code get(k, f)}
 *   <tr><td>{@code getAll(keys, loader)}<td>
 *       <td>{@code getAll, read-through}<td>{@code getAll(keys, f)}
 *   <tr><td>{@code getAsync}<td><td><td>{@code AsyncCache.get}
 *   <tr><td>{@code put}<td><td>{@code put}<td>{@code put}
 *   <tr><td>{@code putAll}<td>{@code putAll}<td>{@code putAll}<td>{@code putAll}
 *   <tr><td>{@code getAndPut}<td>{@code put}<td>{@code getAndPut}<td>{@code asMap().put}
 *   <tr><td>{@code putIfAbsent}<td>{@code putIfAbsent}
 *       <td>{@code putIfAbsent}<td>{@code asMap().putIfAbsent}
 *   <tr><td>{@code remove(k)}<td><td>{@code remove(k)}<td>
 *   <tr><td>{@code getAndRemove}<td>{@code remove(k)}
 *       <td>{@code getAndRemove}<td>{@code asMap().remove}
 *   <tr><td>{@code invalidate}<td><td><td>{@code invalidate}
 *   <tr><td>{@code invalidateAll(keys)}<td>
 *       <td>{@code removeAll(keys)}<td>{@code invalidateAll(keys)}
 *   <tr><td>{@code clear}<td>{@code clear}<td>{@code clear}<td>{@code invalidateAll()}
 *   <tr><td>{@code replace, remove(k, v)}<td>{@code replace, remove(k, v)}
 *       <td>{@code replace, remove(k, v)}<td>{@code asMap().replace}
 *   <tr><td>{@code compute, merge}<td>{@code compute, merge}
 *       <td>{@code invoke}<td>{@code asMap().compute}
 *   <tr><td>{@code put(k, v, ttl), putAll(m, ttl), ttl, expireAfter, expireAt, persist}<td>
 *       <td><td>{@code policy().expireVariably()}
 *   <tr><td>{@code refresh}<td><td>{@code loadAll(keys, true, listener)}<td>{@code refresh}
 *   <tr><td>{@code onExpired}<td><td>{@code CacheEntryExpiredListener}<td>{@code removalListener}
 *   <tr><td>{@code countedSize}<td>{@code size}<td><td>{@code estimatedSize}
 *   <tr><td>{@code asMap}<td><td><td>{@code asMap}
 * </table>
 *
 * <p><b>Errors.</b> Nulls are refused with a {@link NullPointerException} that names the argument.
 * After the store is closed, or the cache dropped, every operation throws {@link
 * io.rockpool.error.StoreClosedException}, an {@link IllegalStateException}. Errors of the store
 * are {@link io.rockpool.error.RockpoolException}s; a write that failed has no effect unless its
 * exception says otherwise.
 *
 * @param <K> the type of keys; two keys are the same if {@code equals} returns true
 * @param <V> the type of values
 */
public final class PersistentCache<K, V> extends CacheWrites<K, V>
    implements Iterable<Map.Entry<K, V>>, AutoCloseable {
  static {
    Internals.registerCaches(Caches::new, cache -> cache.hooks);
  }

  private final Caches owner;
  private final CacheHooks<K, V> hooks;

  /** What brings back its hot entries; null if nothing does. */
  final @Nullable WarmRestart<K, V> warmRestart;

  PersistentCache(
      Caches owner,
      CacheEntries<K, V> entries,
      CacheOptions<K, V> options,
      @Nullable WarmRestart<K, V> warmRestart) {
    super(entries, options);
    this.owner = owner;
    this.warmRestart = warmRestart;
    this.hooks = new CacheHooks<>(entries, reads, decisions, deadlines, refreshes);
  }

  /** The cache's name. */
  public String name() {
    return entries.space().name();
  }

  /**
   * The value of a key, or null. It loads nothing, also in a cache with a {@link
   * CacheOptions#refreshLoader}; {@link #get(Object, ValueLoader)} does.
   */
  public @Nullable V get(K key) {
    return reads.get(key, null);
  }

  /**
   * The value of a key; if there is none, what {@code loader} returns for it, which is stored.
   * However many threads ask for a missing key, the loader runs once and all get its result. A null
   * is returned and not stored. If the loader throws, all get that exception and nothing is stored;
   * a checked exception is the cause of a {@link java.util.concurrent.CompletionException}. If the
   * key is removed while the loader runs, its result is returned but not stored; if the key is put
   * meanwhile, what was put is returned and stays. A value that is due to be refreshed is returned,
   * and refreshed by this loader in the background; see {@link
   * CacheSettings#softTtl(java.time.Duration)}.
   *
   * @throws IllegalStateException if the loader asks for a key whose load waits for this one
   */
  public @Nullable V get(K key, ValueLoader<? super K, ? extends @Nullable V> loader) {
    Objects.requireNonNull(loader, "loader");
    V value = reads.get(key, loader);
    return value != null ? value : hooks.load(key, loader, LoadStoring.plain());
  }

  /**
   * As {@link #get(Object, ValueLoader)}, with tags of a value that is loaded, see {@link
   * #invalidateTag}. If one of them is invalidated while the loader runs, the value is returned and
   * no later read returns it.
   *
   * @param tags returns the tags of the key and the loaded value; those of {@link
   *     CacheOptions#tags} are added
   */
  public @Nullable V get(
      K key,
      ValueLoader<? super K, ? extends @Nullable V> loader,
      BiFunction<? super K, ? super V, ? extends Set<String>> tags) {
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(tags, "tags");
    return get(key, tagged(loader, tags));
  }

  private static <K, V> TaggedLoader<K, V> tagged(
      ValueLoader<? super K, ? extends @Nullable V> loader,
      BiFunction<? super K, ? super V, ? extends Set<String>> tags) {
    return new TaggedLoader<>() {
      @Override
      public @Nullable V load(K key) throws Exception {
        return loader.load(key);
      }

      @Override
      public Set<String> tags(K key, V value) {
        return tags.apply(key, value);
      }
    };
  }

  /** The tags of an entry; empty if it has none, or there is no entry. Counts as no read. */
  public Set<String> tags(K key) {
    return reads.tags(key(key));
  }

  /**
   * As {@link #get(Object, ValueLoader)}, where no thread waits for the loader: it returns at once,
   * and its value is stored later on {@code executor}. The read itself is on the calling thread.
   *
   * @return completes with the value once it is stored, or with what the loader has thrown
   * @throws IllegalStateException if the loader of this key, which still runs on this thread, asks
   *     for it
   */
  public CompletableFuture<@Nullable V> getAsync(
      K key,
      Function<? super K, ? extends CompletionStage<? extends @Nullable V>> loader,
      Executor executor) {
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(executor, "executor");
    V value = reads.get(key, due -> loader.apply(due).toCompletableFuture().join());
    return value != null
        ? CompletableFuture.completedFuture(value)
        : hooks.loadAsync(key, loader, executor);
  }

  /**
   * Loads the value of a key again in the background, by {@link CacheOptions#refreshLoader},
   * whether there is an entry or not. Until the new value is stored, reads return the old one. It
   * replaces the entry as a refresh after {@link CacheSettings#softTtl(Duration)} does, which is
   * not needed for this: null removes the entry; if the key is put or removed meanwhile, the loaded
   * value is dropped. While a refresh or load of the key runs, its result is that of this call,
   * too.
   *
   * @return completes with the value that is there after the refresh, or null; fails with what the
   *     loader has thrown, and then the entry stays as it is. Fails with a {@link
   *     java.util.concurrent.RejectedExecutionException} if too many refreshes wait
   * @throws IllegalStateException if the cache has no such loader, inside a transaction, or if the
   *     loader of this key asks for it
   */
  public CompletableFuture<@Nullable V> refresh(K key) {
    EntryKey entryKey = key(key);
    if (refreshes == null || !refreshes.hasLoader()) {
      throw new IllegalStateException(
          "The cache \""
              + name()
              + "\" has no loader to refresh by; set CacheOptions.refreshLoader, or call get with a"
              + " loader.");
    }
    if (entries.inTransaction()) {
      throw new IllegalStateException(
          "A refresh of the cache \""
              + name()
              + "\" cannot run in a transaction; call refresh after the commit.");
    }
    return refreshes.begin(key, entryKey);
  }

  /**
   * The entries of those of {@code keys} that have one, in the order of {@code keys}. One native
   * call for 512 keys.
   */
  public Map<K, V> getAll(Collection<? extends K> keys) {
    return reads.getAll(keys);
  }

  /**
   * The entries of {@code keys}; those that are missing are loaded by one call of {@code loader}
   * and stored. The loader gets only keys without an entry that no other thread is loading. {@link
   * #get(Object, ValueLoader)} documents the rest, except that the cache's own loader refreshes a
   * value that is due. Atomic for each key, not for all. One native call for 512 keys, and a
   * conditional write for each loaded value.
   *
   * @param loader returns the values of those keys that have one; other keys are ignored
   * @return the entries that are there now, in the order of {@code keys}
   * @throws IllegalStateException if the loader asks for a key whose load waits for this one
   */
  public Map<K, V> getAll(
      Collection<? extends K> keys,
      ValueLoader<? super Set<K>, ? extends Map<? extends K, ? extends @Nullable V>> loader) {
    Objects.requireNonNull(loader, "loader");
    Map<K, V> found = reads.getAll(keys);
    List<K> missed = new ArrayList<>(keys);
    missed.removeIf(found::containsKey);
    if (missed.isEmpty()) {
      return found;
    }
    Map<K, V> loaded = hooks.loadAll(missed, loader, LoadStoring.plain());
    Map<K, V> all = new LinkedHashMap<>();
    for (K key : keys) {
      V value = found.containsKey(key) ? found.get(key) : loaded.get(key);
      if (value != null) {
        all.put(key, value);
      }
    }
    return all;
  }

  /** Whether there is an entry. Counts as no read, and moves no expiry. */
  public boolean containsKey(K key) {
    EntryKey entryKey = key(key);
    return entries.reader.hotIdle(entryKey) != null || entries.reader.isPresent(entryKey);
  }

  /**
   * As {@link #get(Object, ValueLoader)}: the function runs once, however many threads ask, and its
   * null is not stored.
   */
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return get(key, function::apply);
  }

  /** How much longer an entry lives, {@link CacheExpiry#FOREVER} or empty. Moves no expiry. */
  public Optional<Duration> ttl(K key) {
    return reads.ttl(key(key));
  }

  /**
   * The entries, in no particular order. Weakly consistent: every entry that is there all the time
   * is seen once, one that is put or removed meanwhile may be. An entry is read when {@code
   * hasNext} finds it, or {@code next} where that was not asked. Holds nothing open, and a bounded
   * number of entries in memory. Reading so moves no expiry and is not counted. {@code remove}
   * removes the last entry from the cache.
   */
  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    ensureOpen();
    return new CacheIterator<>(entries, read -> remove(read.entry().getKey()));
  }

  /**
   * Removes the entries that pass a filter, each unless its value has changed since it was tested.
   *
   * @param one whether to stop after the first that was removed
   * @return whether any was removed
   */
  boolean removeIf(Predicate<? super Map.Entry<K, V>> filter, boolean one) {
    Objects.requireNonNull(filter, "filter");
    ensureOpen();
    boolean[] removed = new boolean[1];
    Iterator<Map.Entry<K, V>> all =
        new CacheIterator<>(
            entries, read -> removed[0] |= decisions.count(entries.updates.removeRead(read)));
    while (!(one && removed[0]) && all.hasNext()) {
      if (filter.test(all.next())) {
        all.remove();
      }
    }
    return removed[0];
  }

  /** The keys, read as {@link #iterator} reads entries: nothing is held open or in memory. */
  public Stream<K> keys() {
    return StreamSupport.stream(spliterator(), false).map(Map.Entry::getKey);
  }

  /**
   * The cache as a map: a view, with the operations and the atomicity of this cache. {@code
   * computeIfAbsent} and {@code compute} are those of the cache. Iterators are weakly consistent.
   * {@code size()} reads all entries, and {@code containsValue} may; {@link #countedSize} is cheap.
   * {@code removeIf}, {@code removeAll} and {@code retainAll} of its views remove one key after the
   * other, on a server with a round trip each; {@link #invalidateAll} removes in batches. Those of
   * values and entries remove no value that was put since they tested the entry.
   */
  public ConcurrentMap<K, V> asMap() {
    return new CacheMap<>(this);
  }

  /**
   * Adds a listener that is called once for each entry that has expired, with its key and last
   * value. A read, conditional write, iterator, {@code reclaim} or scan that meets the entry calls
   * it, on its own thread, after the entry is removed; in a transaction, after the commit. A scan
   * begins a minute after the last one and uses about a fifth of a processor. No lock is held, so
   * the listener may use any cache. Its exceptions are logged. It does not hear of evictions, nor
   * of entries that end by a {@link CacheExpiry#limit}.
   *
   * <p>While there is a listener, new entries stay on disk for twice their time to live, at least
   * five minutes. The listener does not hear of entries that nothing meets until then, nor of
   * entries that were written before it was added. Puts read the entry that is there.
   */
  public Registration onExpired(BiConsumer<? super K, ? super V> listener) {
    ensureOpen();
    return entries.ended.add(listener);
  }

  /**
   * Adds a listener that is called once for each entry that was refreshed, with its key and new
   * value, after that was stored; null stands for an entry that the refresh removed. It runs on the
   * thread of the refresh, without a lock. Its exceptions are logged. See {@link #refresh} and
   * {@link CacheSettings#softTtl(Duration)}; if the cache does not refresh, it is never called.
   */
  public Registration onRefreshed(BiConsumer<? super K, ? super @Nullable V> listener) {
    ensureOpen();
    Objects.requireNonNull(listener, "listener");
    return refreshes == null ? () -> {} : refreshes.add(listener);
  }

  /** The changes that a writer has yet to write; see {@link CacheOptions#writeBehind}. */
  public WriteBehind<K, V> writeBehind() {
    ensureOpen();
    return new WriteBehind<>(entries);
  }

  /** What the cache has done since it was opened. */
  public CacheStatistics statistics() {
    return entries.counters.snapshot(entries.pendingAmount(), entries.clock().millis());
  }

  /** How many entries are in memory, about. */
  public long hotSize() {
    return entries.hotSize();
  }

  /**
   * How many entries there are, as last counted. The first call starts the counting: in the
   * background, within a second or two, then at most once a minute after writes. Empty before the
   * first count, or if the engine does not count.
   */
  public OptionalLong countedSize() {
    return EngineUpkeep.of(entries.engine).countedEntries(name());
  }

  /** What is in memory, and what may be. Takes the lock of the hot tier for a moment. */
  public HotMemory hotMemory() {
    return entries.hotMemory();
  }

  /** Whether every operation throws: the store or the cache was closed, dropped or reset. */
  public boolean isClosed() {
    return entries.isClosed();
  }

  /**
   * Closes the cache. Its entries stay on disk; every later use throws {@link
   * IllegalStateException}, also for other callers that have opened this object by its name. Does
   * nothing if it is closed. Inside a transaction, data that is only in memory is written after the
   * transaction. Closing the store closes its caches.
   */
  @Override
  public void close() {
    owner.close(this);
  }

  /** From now on every operation throws {@link IllegalStateException} with this message. */
  void end(String message) {
    entries.close(message);
    if (refreshes != null) {
      refreshes.close();
    }
  }
}
