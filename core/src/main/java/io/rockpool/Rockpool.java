package io.rockpool;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.HeapBudget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.EngineProvider;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.structure.StoreStructures;
import io.rockpool.internal.catalog.HandleLoader;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.engine.LatestReads;
import io.rockpool.internal.feed.Feeds;
import io.rockpool.internal.queue.Queues;
import io.rockpool.store.DiskState;
import io.rockpool.store.Durability;
import io.rockpool.store.KeyRotationState;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.RecoveryReport;
import io.rockpool.store.ServerState;
import io.rockpool.store.StoreStatistics;
import io.rockpool.store.UpkeepState;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store of caches and collections in one directory. Thread-safe.
 *
 * <pre>{@code
 * try (Rockpool pool = Rockpool.open(directory)) {
 *   PersistentCache<String, Order> orders = pool.cache("shop/orders", String.class, Order.class);
 *   orders.put("o-1", order);
 *   PersistentMap<String, Long> stock = pool.map("shop/stock", String.class, Long.class);
 *   stock.merge("apple", 5L, Long::sum);
 * }
 * }</pre>
 *
 * <p><b>Names</b> have levels, separated by {@code '/'}; a whole level can be listed and dropped.
 * The level {@code rockpool:hot} is reserved: it is in no list, and opening a name below it is
 * rejected.
 *
 * <p><b>Cost.</b> Opening a name that is open is one look-up on the heap. On an engine whose data
 * is shared with other processes, it is also one read. Creating a name is a forced write. Only one
 * process at a time can open a directory. Within that process, all handles on a directory share one
 * store, which closes with the last handle.
 *
 * <p><b>Atomicity.</b> Each operation on one key, element or row is atomic. {@link #atomically}
 * makes several operations one.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. The {@link Durability} of
 * the store, of a cache or structure, or of {@link #withDurability} says what survives a power
 * loss.
 *
 * <p><b>Transactions.</b> {@link #atomically} documents what joins a transaction and what is
 * refused in one.
 *
 * <p><b>Errors.</b> Errors of the store are {@link io.rockpool.error.RockpoolException}s. Every
 * method of a closed handle throws {@link StoreClosedException}.
 */
public final class Rockpool extends StoreTransactions implements AutoCloseable {
  /** The most native memory that a store takes by default, in bytes. */
  public static final long DEFAULT_MEMORY_BYTES = NativeMemory.MOST_BYTES;

  /** The directory name that means a {@link #temporary} store: {@value}. */
  public static final String TEMPORARY = "temporary";

  static {
    Internals.registerStores(Rockpool.class, Rockpool::store);
  }

  private final OpenStore store;
  private final @Nullable Path temporary;

  /** The application's own class loader; null if it is the store's. */
  private final @Nullable ClassLoader loader;

  private final StoreStructures structures;
  private final Queues queues;
  private final Feeds feeds;
  private boolean closed;

  /** Creates a handle. Closing the store deletes the directory {@code temporary}, unless null. */
  Rockpool(OpenStore store, @Nullable Path temporary) {
    this(store, temporary, null);
  }

  /**
   * Creates a handle of an application with a class loader other than that of the store's codecs.
   */
  Rockpool(OpenStore store, @Nullable Path temporary, @Nullable ClassLoader loader) {
    this.store = store;
    this.temporary = temporary;
    this.loader = loader;
    this.structures = loader == null ? store.structures : store.structures.in(loader);
    this.queues = loader == null ? store.queues : store.queues.in(loader);
    this.feeds = loader == null ? store.feeds : store.feeds.in(loader);
  }

  /**
   * Opens or creates the store in a directory, with the default options; see {@link
   * RockpoolBuilder#open}.
   */
  public static Rockpool open(Path directory) {
    return at(directory).open();
  }

  /** A builder that opens the store in a directory with other options. */
  public static RockpoolBuilder at(Path directory) {
    return new RockpoolBuilder(Objects.requireNonNull(directory, "directory"), null);
  }

  /** Like {@link #at(Path)}; {@link #TEMPORARY} means {@link #temporary}. */
  public static RockpoolBuilder at(String directory) {
    return directory.equals(TEMPORARY) ? temporary() : at(Path.of(directory));
  }

  /**
   * Opens the store that a URI names, with the default options; see {@link #at(URI)}.
   *
   * <pre>{@code
   * Rockpool pool = Rockpool.open(URI.create("redis://localhost:6379"));
   * }</pre>
   */
  public static Rockpool open(URI uri) {
    return at(uri).open();
  }

  /**
   * A builder that opens the store on a server that a URI names. The engine is found by the URI's
   * scheme, before which {@code rockpool+} may stand: {@code redis} and {@code rediss} need the
   * artifact {@code rockpool-redis}, {@code postgresql} needs {@code rockpool-postgresql}. Other
   * engines register an {@link EngineProvider}. Each opening is another handle of the data, as in
   * another process. Options of stores in directories are refused.
   *
   * @return the builder; its {@code open} throws {@link io.rockpool.error.EngineNotFoundException}
   *     if no engine for the scheme is on the class path, and {@link
   *     io.rockpool.error.ServerUnavailableException} if the server cannot be reached
   */
  public static RockpoolBuilder at(URI uri) {
    Objects.requireNonNull(uri, "uri");
    return at(options -> EngineUris.open(uri, options));
  }

  /** A builder that opens a store over another engine; like {@link #over}, but with options. */
  public static RockpoolBuilder at(EngineFactory engine) {
    return new RockpoolBuilder(null, Objects.requireNonNull(engine, "engine"));
  }

  /**
   * A builder that opens a new temporary store each time. Its directory is below {@code
   * java.io.tmpdir} and is deleted when the store closes. Opening the next temporary store deletes
   * directories of killed processes. For tests, and for caches that need not survive a restart.
   */
  public static RockpoolBuilder temporary() {
    return new RockpoolBuilder(null, null);
  }

  /**
   * A new, empty store on the heap, for unit tests. Caches and collections behave as on disk: they
   * encode values, expire entries, take part in transactions, and have iterators and snapshots.
   *
   * <p>It is no replacement for a cache in memory, and not for production: it is slow, has no bound
   * and ignores disk budgets and maximum sizes. Nothing survives {@link #close()}, durabilities
   * have no effect, and there is no {@link #storeStatistics}. To test restarts, full disks or
   * performance, use {@link #temporary} or a directory. For a store with a clock of the test, use
   * {@link #over} with {@link MemoryEngine#builder}.
   */
  public static Rockpool inMemory() {
    return over(MemoryEngine.open());
  }

  /** A store on an engine that no other store uses. Closing the store closes the engine. */
  public static Rockpool over(Engine engine) {
    return new Rockpool(OpenStore.over(Objects.requireNonNull(engine, "engine")), null);
  }

  /**
   * Opens a cache with its current options, or creates it with the default options. Opening it
   * twice returns the same cache.
   *
   * @throws NameConflictException if the name holds something else
   */
  public <K, V> PersistentCache<K, V> cache(String name, Class<K> keyType, Class<V> valueType) {
    return openCache(name, TypeRef.of(keyType), TypeRef.of(valueType), null);
  }

  /**
   * Like {@link #cache(String, Class, Class)}, for types with type arguments, such as {@code
   * List<Order>}.
   */
  public <K, V> PersistentCache<K, V> cache(String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return openCache(name, keyType, valueType, null);
  }

  /**
   * Opens or creates a cache with options.
   *
   * <pre>{@code
   * pool.cache("users", String.class, User.class, o -> o.hotEntries(10_000));
   * }</pre>
   *
   * @param options makes the options out of {@link CacheOptions#defaults}
   * @throws NameConflictException if the name holds something else, unless the options ask for a
   *     reset
   * @throws IllegalStateException if it is open with other options
   */
  public <K, V> PersistentCache<K, V> cache(
      String name,
      Class<K> keyType,
      Class<V> valueType,
      UnaryOperator<CacheOptions<K, V>> options) {
    return cache(name, TypeRef.of(keyType), TypeRef.of(valueType), options);
  }

  /**
   * Like {@link #cache(String, Class, Class, UnaryOperator)}, for types with type arguments, such
   * as {@code List<Order>}.
   */
  public <K, V> PersistentCache<K, V> cache(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<CacheOptions<K, V>> options) {
    return cache(name, keyType, valueType, options.apply(CacheOptions.defaults()));
  }

  /**
   * Opens or creates a cache.
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
   * Like {@link #cache(String, Class, Class, CacheOptions)}, for types with type arguments, such as
   * {@code List<Order>}.
   */
  public <K, V> PersistentCache<K, V> cache(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, CacheOptions<K, V> options) {
    Objects.requireNonNull(options, "options");
    return openCache(name, keyType, valueType, options);
  }

  private <K, V> PersistentCache<K, V> openCache(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable CacheOptions<K, V> options) {
    ClassLoader own = HandleLoader.ofCache(loader, List.of(keyType, valueType));
    return store().caches.open(name, keyType, valueType, options, own);
  }

  /**
   * Runs {@code writes} with a durability for all writes of the calling thread to this store, and
   * returns its result. The durability overrides those of the store, cache and structure, in both
   * directions. The innermost call takes precedence. Writes of other threads and background work
   * are not affected; see {@link Engine#withDurability}.
   *
   * <pre>{@code
   * Order old = pool.withDurability(Durability.SYNC, () -> orders.getAndPut(order.id(), order));
   * }</pre>
   *
   * <p>Not atomic: each write in it stays even if a later one throws. To combine, call {@link
   * #atomically} inside it: the transaction uses the durability in force at its commit. Costs what
   * the writes cost at that level. A forced write also forces all earlier writes.
   *
   * @throws IllegalStateException inside a transaction, which has one durability; {@code writes}
   *     did not run
   */
  public <R extends @Nullable Object> R withDurability(
      Durability durability, Supplier<? extends R> writes) {
    return store().engine.<R>withDurability(durability, writes);
  }

  /** Like {@link #withDurability}, without a result. */
  public void runWithDurability(Durability durability, Runnable writes) {
    store().engine.runWithDurability(durability, writes);
  }

  /**
   * Runs {@code reads} so that no read of the calling thread in this store is answered from memory,
   * and returns its result. Each read then returns what the engine has at a moment between its call
   * and its return: with writes, such reads are linearizable. Other reads of a cache whose data
   * other processes change see this process's own writes and never go backwards, but may miss what
   * another process has just written, until that is reported here.
   *
   * <pre>{@code
   * Order now = pool.withLatestReads(() -> orders.get(order.id()));
   * }</pre>
   *
   * <p>Each read costs a round trip. If no server answers, it throws, also where other reads are
   * misses instead. A loader that another thread runs already is joined. Expiry that reads of
   * another process have moved is known there only. On an embedded store all reads are so, and this
   * costs nothing. Reads of other threads are not affected. Collections are always read from the
   * engine.
   */
  public <R extends @Nullable Object> R withLatestReads(Supplier<? extends R> reads) {
    Objects.requireNonNull(reads, "reads");
    return LatestReads.<R>with(store().engine, reads);
  }

  /** Like {@link #withLatestReads}, without a result. */
  public void runWithLatestReads(Runnable reads) {
    Objects.requireNonNull(reads, "reads");
    this.<@Nullable Void>withLatestReads(
        () -> {
          reads.run();
          return null;
        });
  }

  /** Returns when every write acknowledged so far is on disk, whatever its durability. */
  public void flush() {
    store().engine.flush();
  }

  /**
   * Reclaims immediately what the background work would reclaim over time: expired elements, and
   * the disk space of data that was cleared, dropped or expired as a whole. Afterwards every {@code
   * size()} is exact. Listeners are notified of expired entries. It takes time in proportion to the
   * work, and other threads continue; what they clear meanwhile is left. See {@link
   * Engine#reclaim}.
   *
   * @return what was reclaimed
   * @throws IllegalStateException also from inside {@link #atomically}
   */
  public Reclaimed reclaim() {
    return store().reclaim();
  }

  /** What the store still has to reclaim, and what it has reclaimed since it was opened. */
  public ReclaimState reclaimState() {
    return store().upkeep().reclaimState();
  }

  /**
   * Gives every encrypted name a new key, and the store a new key that wraps them, which the {@link
   * io.rockpool.encryption.KeyProvider}'s current master key wraps. Values that are written from
   * now on have the new keys. In the background, all others are encrypted again; then the older
   * keys are dropped. Other threads continue to read and write. If the process is killed, the next
   * opening continues.
   *
   * <p>Another master key alone needs no rotation: opening the store with it as the current key
   * wraps the store's key again.
   *
   * @throws UnsupportedOperationException if nothing is encrypted, or if other handles may have the
   *     store open
   * @throws IllegalStateException inside a transaction
   */
  public void rotateKeys() {
    OpenStore open = store();
    EncryptedEngine encryption = open.encryption();
    if (encryption == null) {
      throw new UnsupportedOperationException(
          open.engine.description() + " is not encrypted, so it has no keys to replace.");
    }
    encryption.rotateKeys();
  }

  /** How far {@link #rotateKeys} has come. Reads the descriptions of all names. */
  public KeyRotationState keyRotation() {
    EncryptedEngine encryption = store().encryption();
    return encryption == null ? KeyRotationState.NONE : encryption.keyRotation();
  }

  /** Like {@link #verify(VerifyOptions)}, with the default options. */
  public VerifyReport verify() {
    return verify(VerifyOptions.defaults());
  }

  /**
   * Checks all stored data as of the start of the check: files and their checksums, the format of
   * each record, counts, indexes, and the records of each structure. Changes nothing and blocks no
   * other thread. Takes about as long as copying the store, and keeps data on disk that is
   * overwritten during the check. Findings are in the report and are not thrown. An interrupt stops
   * the check; the report records that, and the thread stays interrupted.
   *
   * @param options whether to decode values, a progress listener, and when to stop
   * @throws IllegalStateException inside a transaction, or if the store is closed during the check
   */
  public VerifyReport verify(VerifyOptions options) {
    Objects.requireNonNull(options, "options");
    return store().verify(options);
  }

  /**
   * The directory of the store, absolute and without symbolic links; empty for {@link #inMemory}
   * and on a custom engine.
   */
  public Optional<Path> directory() {
    return Optional.ofNullable(store().directory());
  }

  /**
   * The directory of the damaged store that this store replaces; see {@link
   * RockpoolBuilder#onCorruption}.
   */
  public Optional<Path> quarantined() {
    return Optional.ofNullable(store().embedded).map(RocksDbEngine::setAside);
  }

  /** What opening found out about the state after the last run; empty on a custom engine. */
  public Optional<RecoveryReport> recoveryReport() {
    return Optional.ofNullable(store().embedded).map(RocksDbEngine::recoveryReport);
  }

  /** The store's use of resources and its activity. Cheap; empty on a custom engine. */
  public Optional<StoreStatistics> storeStatistics() {
    return Optional.ofNullable(store().embedded).map(RocksDbEngine::statistics);
  }

  /**
   * The connection of the store to its servers, and how its caches fare while they are away. Cheap;
   * empty for a store without servers, and on an engine that does not measure them.
   */
  public Optional<ServerState> serverState() {
    return store().upkeep().serverState();
  }

  /** An estimate of the store's bytes on disk. */
  public long diskBytes() {
    return store().engine.diskBytes();
  }

  /** The store's disk usage and limits, and whether it rejects writes for lack of disk space. */
  public DiskState diskState() {
    return store().upkeep().diskState();
  }

  /** The heap budget that the store's caches without a bound of their own share. */
  public HeapBudget heapBudget() {
    return store().caches.heapBudget();
  }

  /** The number of snapshots and cursors that were never closed. */
  public long leaks() {
    return store().upkeep().leaks();
  }

  /** The state of the background threads of the store and its caches. */
  public UpkeepState upkeepState() {
    return store().upkeep().upkeep().state();
  }

  /** The kind of store and its location. */
  @Override
  public String toString() {
    return store.engine.description();
  }

  /**
   * Closes this handle. The last handle closes the whole store, even if closing a part fails. That
   * waits for running calls and makes every acknowledged write durable. Afterwards every use of the
   * store and of the objects opened in it throws {@link StoreClosedException}. Until then, an
   * object opened through a closed handle may still work. Closing the store inside a transaction is
   * rejected and changes nothing. A second call does nothing.
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

  @Override
  StoreStructures structures() {
    OpenStore unused = store(); // throws if this is closed
    return structures;
  }

  @Override
  Queues queues() {
    OpenStore unused = store();
    return queues;
  }

  @Override
  Feeds feeds() {
    OpenStore unused = store();
    return feeds;
  }

  @Override
  @Nullable ClassLoader loader() {
    return loader;
  }

  @Override
  synchronized OpenStore store() {
    if (closed) {
      throw new StoreClosedException(
          store.engine.description() + " was closed by this handle; open it again.");
    }
    return store;
  }
}
