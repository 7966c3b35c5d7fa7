package io.rockpool;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.HeapBudget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.DiskState;
import io.rockpool.engine.Durability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.ReclaimState;
import io.rockpool.engine.Reclaimed;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.UpkeepState;
import io.rockpool.engine.VerifyOptions;
import io.rockpool.engine.VerifyReport;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.error.NameConflictException;
import io.rockpool.store.RecoveryReport;
import io.rockpool.store.StoreStatistics;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.StructureOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of caches and collections in one directory. Thread-safe.
 *
 * <pre>{@code
 * try (Rockpool pool = Rockpool.open(Path.of("data"))) {
 *   PersistentCache<String, Order> orders = pool.cache("shop/orders", String.class, Order.class);
 *   orders.put("o-1", order);
 * }
 * }</pre>
 *
 * <p>Names have levels, split by {@code '/'}; a level can be listed and dropped whole. The level
 * {@code rockpool:hot} is the library's own: it is in no list, and nothing can be opened below it.
 * A directory belongs to one process at a time. In that process it may be opened more than once:
 * all share one store, which closes with the last handle. Every method of a closed handle throws
 * {@link IllegalStateException}.
 */
public final class Rockpool implements AutoCloseable {
  /** The native memory a store takes unless told otherwise, in bytes. */
  public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  /** The name of a directory that stands for a {@link #temporary} store: {@value}. */
  public static final String TEMPORARY = "temporary";

  private final Store store;
  private final @Nullable Path temporary;
  private boolean closed;

  /** The last argument is a directory that is removed when this handle has closed the store. */
  Rockpool(Store store, @Nullable Path temporary) {
    this.store = store;
    this.temporary = temporary;
  }

  /**
   * Opens the store in a directory with the default options, or creates it; see {@link
   * RockpoolBuilder#open}.
   */
  public static Rockpool open(Path directory) {
    return at(directory).open();
  }

  /** Begins to open the store in a directory with options of one's own. */
  public static RockpoolBuilder at(Path directory) {
    return new RockpoolBuilder(Objects.requireNonNull(directory, "directory"));
  }

  /** As {@link #at(Path)}; {@link #TEMPORARY} stands for {@link #temporary}. */
  public static RockpoolBuilder at(String directory) {
    return directory.equals(TEMPORARY) ? temporary() : at(Path.of(directory));
  }

  /**
   * Begins to open a temporary store: a new one each time, in a directory of its own below {@code
   * java.io.tmpdir}, which is removed when the store closes. What a killed process leaves there is
   * removed when the next temporary store opens. For tests, and caches that need not survive.
   */
  public static RockpoolBuilder temporary() {
    return new RockpoolBuilder(null);
  }

  /** A store on an engine of one's own, which it closes when it is closed itself. */
  public static Rockpool over(Engine engine) {
    return new Rockpool(Store.over(Objects.requireNonNull(engine, "engine")), null);
  }

  /**
   * Opens a cache as it is, or creates it with the default options. Opened twice, it is the same
   * cache.
   *
   * @throws NameConflictException if the name holds something else
   */
  public <K, V> PersistentCache<K, V> cache(String name, Class<K> keyType, Class<V> valueType) {
    return store().caches.open(name, TypeRef.of(keyType), TypeRef.of(valueType), null);
  }

  /**
   * Opens a cache, or creates it.
   *
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   * @throws IllegalStateException if it is open with other options
   */
  public <K, V> PersistentCache<K, V> cache(
      String name, Class<K> keyType, Class<V> valueType, CacheOptions<K, V> options) {
    return cache(name, TypeRef.of(keyType), TypeRef.of(valueType), options);
  }

  /**
   * As {@link #cache(String, Class, Class, CacheOptions)}, for types with type arguments: {@code
   * List<Order>}.
   */
  public <K, V> PersistentCache<K, V> cache(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, CacheOptions<K, V> options) {
    Objects.requireNonNull(options, "options");
    return store().caches.open(name, keyType, valueType, options);
  }

  /**
   * As {@link #cache(String, TypeRef, TypeRef, CacheOptions)}, but a cache of the caller's own,
   * beside any that is open under the name: with options and a hot tier that nobody shares. All see
   * each other's writes at once. For a layer that opens and closes caches by itself.
   *
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   */
  public <K, V> PersistentCache<K, V> ownCache(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, CacheOptions<K, V> options) {
    Objects.requireNonNull(options, "options");
    return store().caches.openOwn(name, keyType, valueType, options);
  }

  /**
   * Replaces the {@link CacheOptions#attributes attributes} that are kept beside a cache's name,
   * which {@link #describe} shows; its entries and its other options stay as they are. Durable on
   * return.
   *
   * @throws IllegalStateException if the cache is closed; nothing was changed
   */
  public void keepAttributes(PersistentCache<?, ?> cache, Map<String, String> attributes) {
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(attributes, "attributes");
    store().caches.keep(cache, attributes);
  }

  /**
   * Closes a cache that this store has opened: its entries stay, and every use of it throws {@link
   * IllegalStateException} from then on. Does nothing if it is closed. From inside a transaction,
   * what was in memory alone is written once that has ended.
   */
  public void close(PersistentCache<?, ?> cache) {
    Objects.requireNonNull(cache, "cache");
    store().caches.close(cache);
  }

  /**
   * Runs {@code work} as one transaction over everything in this store: all it changes is there
   * when this returns, or nothing is if it throws; and nothing that it read or wrote is changed by
   * others meanwhile. It may run more than once, so it should be a function of what it reads here
   * and have no other effect; {@link Transaction#afterCommit} is for these. One write; see {@link
   * Engine#atomically} for what can be part of it.
   *
   * <pre>{@code
   * pool.atomically(
   *     tx -> {
   *       orders.put(order.id(), order);
   *       stock.compute(order.item(), (item, left) -> left - 1);
   *       tx.afterCommit(() -> mails.confirm(order));
   *       return order.id();
   *     });
   * }</pre>
   *
   * @param work what to do; what it returns is returned
   * @throws UnsupportedOperationException if the store's engine has no such transactions
   */
  public <R extends @Nullable Object> R atomically(
      Function<? super Transaction, ? extends R> work) {
    Objects.requireNonNull(work, "work");
    Engine engine = store().engine;
    Transaction transaction = engine::afterCommit;
    return engine.<R>atomically(() -> work.apply(transaction));
  }

  /**
   * Opens a map as it is, or creates it with the default options. Opened twice, it is the same map.
   *
   * @throws NameConflictException if the name holds something else
   */
  public <K, V> PersistentMap<K, V> map(String name, Class<K> keyType, Class<V> valueType) {
    return store().structures.map(name, TypeRef.of(keyType), TypeRef.of(valueType), null);
  }

  /**
   * Opens a map, or creates it.
   *
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   * @throws IllegalStateException if it is open with other options
   */
  public <K, V> PersistentMap<K, V> map(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.map(name, keyType, valueType, options);
  }

  /** Opens a set as {@link #map(String, Class, Class)} does a map. */
  public <E> PersistentSet<E> set(String name, Class<E> elementType) {
    return store().structures.set(name, TypeRef.of(elementType), null);
  }

  /** Opens a set as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map. */
  public <E> PersistentSet<E> set(String name, TypeRef<E> elementType, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.set(name, elementType, options);
  }

  /**
   * Opens a table as {@link #map(String, Class, Class)} does a map.
   *
   * @throws IllegalArgumentException also if sort keys of this type have no order
   */
  public <H, S, V> PersistentTable<H, S, V> table(
      String name, Class<H> hashKeyType, Class<S> sortKeyType, Class<V> valueType) {
    return store()
        .structures
        .table(name, TypeRef.of(hashKeyType), TypeRef.of(sortKeyType), TypeRef.of(valueType), null);
  }

  /**
   * Opens a table as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map.
   *
   * @throws IllegalArgumentException also if sort keys of this type have no order
   */
  public <H, S, V> PersistentTable<H, S, V> table(
      String name,
      TypeRef<H> hashKeyType,
      TypeRef<S> sortKeyType,
      TypeRef<V> valueType,
      StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.table(name, hashKeyType, sortKeyType, valueType, options);
  }

  /** Opens a single value as {@link #map(String, Class, Class)} does a map. */
  public <T> PersistentValue<T> value(String name, Class<T> type) {
    return store().structures.value(name, TypeRef.of(type), null);
  }

  /** Opens a value as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map. */
  public <T> PersistentValue<T> value(String name, TypeRef<T> type, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.value(name, type, options);
  }

  /** Opens a counter as {@link #map(String, Class, Class)} does a map. */
  public PersistentCounter counter(String name) {
    return store().structures.counter(name, null);
  }

  /** Opens a counter as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map. */
  public PersistentCounter counter(String name, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.counter(name, options);
  }

  /**
   * Opens a sorted map as {@link #map(String, Class, Class)} does a map.
   *
   * @throws IllegalArgumentException also if keys of this type have no order
   */
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, Class<K> keyType, Class<V> valueType) {
    return store().structures.sortedMap(name, TypeRef.of(keyType), TypeRef.of(valueType), null);
  }

  /**
   * Opens a sorted map as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map.
   *
   * @throws IllegalArgumentException also if keys of this type have no order
   */
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.sortedMap(name, keyType, valueType, options);
  }

  /** Opens a sorted set as {@link #sortedMap(String, Class, Class)} does a sorted map. */
  public <E> PersistentSortedSet<E> sortedSet(String name, Class<E> elementType) {
    return store().structures.sortedSet(name, TypeRef.of(elementType), null);
  }

  /** Opens one as {@link #sortedMap(String, TypeRef, TypeRef, StructureOptions)} does a map. */
  public <E> PersistentSortedSet<E> sortedSet(
      String name, TypeRef<E> elementType, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.sortedSet(name, elementType, options);
  }

  /** Opens a deque as {@link #map(String, Class, Class)} does a map. */
  public <E> PersistentDeque<E> deque(String name, Class<E> elementType) {
    return store().structures.deque(name, TypeRef.of(elementType), null);
  }

  /**
   * Opens a deque as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map; one with
   * a {@link StructureOptions#capacity} is bounded.
   */
  public <E> PersistentDeque<E> deque(
      String name, TypeRef<E> elementType, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.deque(name, elementType, options);
  }

  /** Opens a scored set as {@link #map(String, Class, Class)} does a map. */
  public <E> PersistentScoredSet<E> scoredSet(String name, Class<E> elementType) {
    return store().structures.scoredSet(name, TypeRef.of(elementType), null);
  }

  /**
   * Opens a scored set as {@link #map(String, TypeRef, TypeRef, StructureOptions)} does a map.
   *
   * @throws IllegalArgumentException also if it was created with ranks and is opened without, or
   *     the other way round
   */
  public <E> PersistentScoredSet<E> scoredSet(
      String name, TypeRef<E> elementType, StructureOptions options) {
    Objects.requireNonNull(options, "options");
    return store().structures.scoredSet(name, elementType, options);
  }

  /**
   * What the names at or below {@code level} hold, sorted by name; all of them for the empty level.
   *
   * @throws IllegalArgumentException if the level is no name, such as {@code "shop/"}
   */
  public List<Description> list(String level) {
    SpaceName.checkLevel(level);
    Store open = store();
    return open.catalog.list(level).stream().map(open::describe).toList();
  }

  /** What a name holds, or empty. */
  public Optional<Description> describe(String name) {
    Objects.requireNonNull(name, "name");
    Store open = store();
    return Optional.ofNullable(open.catalog.find(name)).map(open::describe);
  }

  /**
   * Removes a name and all it holds. O(1), atomic; the name is free at once. What was opened under
   * it throws {@link IllegalStateException} from then on.
   *
   * @return whether there was one
   */
  public boolean drop(String name) {
    Objects.requireNonNull(name, "name");
    return store().catalog.drop(name);
  }

  /**
   * Removes the names at or below {@code level}, all of them or none; all there are for the empty
   * level.
   *
   * @return how many there were
   * @throws IllegalArgumentException as for {@link #list}; nothing is removed then
   */
  public int dropAll(String level) {
    SpaceName.checkLevel(level);
    return store().catalog.dropAll(level);
  }

  /**
   * Returns codecs that learn in this store, as those do that it was opened with: for layers that
   * make the codecs of its caches. See {@link Codecs#learningIn}.
   *
   * @param codecs what to begin with
   * @return the same, with the classes that this store has
   */
  public Codecs learning(Codecs codecs) {
    return codecs.learningIn(store.classes);
  }

  /**
   * Returns what {@code writes} returns, and whatever the calling thread writes to this store
   * meanwhile, through any cache or structure, is as durable as is said here when its call returns:
   * more or less than the store, cache or structure is by itself. Of two, one inside the other, the
   * inner one counts; it ends with {@code writes}, well or not. What other threads and upkeep write
   * is left as it is, see {@link Engine#withDurability(Durability, Supplier)}.
   *
   * <pre>{@code
   * pool.withDurability(Durability.SYNC, () -> orders.put(order.id(), order));
   * }</pre>
   *
   * <p>Not atomic: each call in it is a write of its own, and stays where a later one throws. To be
   * put around {@link #atomically}, which takes what is in force when it commits. Costs what the
   * writes cost at that level; one that is forced forces all that was written before it.
   */
  public <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes) {
    return store().engine.<R>withDurability(durability, writes);
  }

  /** As {@link #withDurability(Durability, Supplier)}, for what returns nothing. */
  public void withDurability(Durability durability, Runnable writes) {
    store().engine.withDurability(durability, writes);
  }

  /** Returns when every write acknowledged so far is on the disk, whatever its durability. */
  public void flush() {
    store().engine.flush();
  }

  /**
   * Gives back at once what the store otherwise gives back little by little: expired elements,
   * after which every {@code size()} is exact, and the disk of what was cleared, dropped or expired
   * as a whole. Listeners are told of expired entries. Takes as long as there is much to do; others
   * may go on meanwhile. See {@link Engine#reclaim}.
   *
   * @return what was given back
   * @throws IllegalStateException also from inside {@link #atomically}
   */
  public Reclaimed reclaim() {
    return store().reclaim();
  }

  /** What the store has still to give back, and what it gave back since it was opened. */
  public ReclaimState reclaimState() {
    return store().engine.reclaimState();
  }

  /** As {@link #verify(VerifyOptions)}, with the default options. */
  public VerifyReport verify() {
    return verify(VerifyOptions.defaults());
  }

  /**
   * Checks all that is stored as it was when the check began: files and their checksums, each
   * record's format, counts, indexes, and that the records of each structure agree. Changes nothing
   * and blocks no other thread. Takes about as long as to copy the store, and keeps on disk what is
   * overwritten meanwhile. Findings are in the report, and are not thrown. An interrupt stops the
   * check, and the report says so; the thread stays interrupted.
   *
   * @param options whether to decode values, who is told how far it is, and when to stop
   * @throws IllegalStateException from inside a transaction; or if the store is closed meanwhile
   */
  public VerifyReport verify(VerifyOptions options) {
    Objects.requireNonNull(options, "options");
    return store().verify(options);
  }

  /** The damaged store this one replaces; see {@link RockpoolBuilder#onCorruption}. */
  public Optional<Path> quarantined() {
    return Optional.ofNullable(store().embedded).map(RocksDbEngine::setAside);
  }

  /** What opening found out about the time before; empty for an engine of one's own. */
  public Optional<RecoveryReport> recoveryReport() {
    return Optional.ofNullable(store().embedded).map(RocksDbEngine::recoveryReport);
  }

  /** What the store takes and how it copes, cheaply; empty for an engine of one's own. */
  public Optional<StoreStatistics> storeStatistics() {
    return Optional.ofNullable(store().embedded).map(RocksDbEngine::statistics);
  }

  /** The bytes the store takes on disk, about. */
  public long diskBytes() {
    return store().engine.diskBytes();
  }

  /** How much disk the store takes and may take, and whether it refuses writes for lack of it. */
  public DiskState diskState() {
    return store().engine.diskState();
  }

  /** What the caches of the store that have no bound of their own keep in memory together. */
  public HeapBudget heapBudget() {
    return store().caches.heapBudget();
  }

  /** How many snapshots and cursors were never closed, see {@link Engine#leaks}. */
  public long leaks() {
    return store().engine.leaks();
  }

  /** How the background threads of the store and its caches fare. */
  public UpkeepState upkeepState() {
    return store().engine.upkeep().state();
  }

  /** What kind of store this is and where it lies. */
  @Override
  public String toString() {
    return store.engine.description();
  }

  /**
   * Closes this handle. The last one closes the store, all of it, also where a part fails: that
   * waits for running calls and makes every acknowledged write durable; afterwards every use of the
   * store and what was opened in it throws {@link IllegalStateException}. In a transaction that is
   * refused, and changes nothing. A second call does nothing.
   */
  @Override
  public void close() {
    boolean last;
    synchronized (this) {
      last = !closed && store.letGo();
      closed = true;
    }
    if (last) {
      try {
        store.close();
      } finally {
        if (temporary != null) {
          TemporaryDirectory.remove(temporary);
        }
      }
    }
  }

  private synchronized Store store() {
    if (closed) {
      throw new IllegalStateException(
          store.engine.description() + " was closed by this handle; open it again.");
    }
    return store;
  }
}
