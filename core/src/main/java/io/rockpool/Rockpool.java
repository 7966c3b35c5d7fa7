package io.rockpool;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeFeed;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineFactory;
import io.rockpool.engine.EngineProvider;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.structure.StoreStructures;
import io.rockpool.internal.catalog.HandleLoader;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.engine.LatestReads;
import io.rockpool.internal.feed.Feeds;
import io.rockpool.internal.queue.Queues;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.QueueOptions;
import io.rockpool.queue.Schedule;
import io.rockpool.store.Durability;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
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
import io.rockpool.structure.TableKey;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
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
 * <p><b>Opening.</b> {@link Openers} has a method for each kind: with the name, the types, and
 * options at the end, if there are any.
 *
 * <p><b>Names</b> have levels, separated by {@code '/'}; a whole level can be listed and dropped,
 * see {@link #names}. The level {@code rockpool:hot} is reserved: it is in no list, and opening a
 * name below it is rejected.
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
public final class Rockpool implements Openers, AutoCloseable {
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
  private final StoreNames names = new StoreNames(this::store);
  private final StoreBackups backups = new StoreBackups(this::store);
  private final StoreState state = new StoreState(this::store);
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

  /**
   * A builder that opens a store on another engine, which no other store uses. Closing the store
   * closes the engine. An engine that is open is given as {@code options -> engine}.
   */
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
   * have no effect, and there are no {@link StoreState#statistics}. To test restarts, full disks or
   * performance, use {@link #temporary} or a directory. For a store with a clock of the test, use
   * {@link #at(EngineFactory)} with {@link MemoryEngine#builder}.
   */
  public static Rockpool inMemory() {
    return at(options -> MemoryEngine.open()).open();
  }

  /**
   * Runs {@code work} as one transaction over everything in this store. All its changes are applied
   * when this method returns, or none if it throws. No other thread changes what the transaction
   * has read or written before it commits. {@code work} may run more than once, so it should depend
   * only on what it reads here and have no other effects. Use {@link Transaction#afterCommit} for
   * other effects. One write.
   *
   * <p><b>What joins.</b> Every read and write of keys, elements and rows, and {@code atomically}
   * inside it.
   *
   * <p><b>What is refused</b> with an {@link IllegalStateException}: clearing or expiring a whole
   * cache or structure, iterating over a cache, snapshots, opening a name that is not open, {@link
   * StoreNames#drop}, {@link StoreNames#dropLevel}, {@link #withDurability}, {@link
   * Rockpool#reclaim}, {@link #verify} and {@link #close()}. Call them before or after the
   * transaction; for a durability, call {@link #withDurability} around it.
   *
   * <p><b>Threads.</b> A transaction belongs to the thread that calls {@code work}. Operations of
   * other threads do not join it, even if {@code work} started them: those of a {@code
   * parallelStream()}, an executor or a {@link java.util.concurrent.CompletableFuture}. They do not
   * see its changes, their writes are not undone with it, and nothing reports that. Another thread
   * that writes a row of the transaction waits for its end, so {@code work} must not wait for such
   * a thread: neither would continue. Collect what other threads compute before the transaction.
   *
   * <p>See {@link Engine#atomically} for the details.
   *
   * <pre>{@code
   * pool.atomically(
   *     tx -> {
   *       orders.put(order.id(), order);
   *       stock.compute(order.item(), (item, left) -> left - 1);
   *       tx.afterCommit(() -> mails.add(order.id()));
   *       return order.id();
   *     });
   * }</pre>
   *
   * @param work computes the result
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
   * Like {@link #atomically}, without a result.
   *
   * @throws UnsupportedOperationException if the store's engine has no such transactions
   */
  public void runAtomically(Consumer<? super Transaction> work) {
    Objects.requireNonNull(work, "work");
    this.<@Nullable Void>atomically(
        transaction -> {
          work.accept(transaction);
          return null;
        });
  }

  /**
   * Runs {@code work} once for a key: the first call that succeeds runs it and stores its result;
   * later calls return the stored result and do not run it.
   *
   * <pre>{@code
   * Receipt receipt =
   *     pool.once(
   *         "pay/" + order.id(),
   *         ofDays(1),
   *         tx -> {
   *           accounts.merge(order.customer(), -order.cents(), Long::sum);
   *           return new Receipt(order.id(), order.cents());
   *         });
   * }</pre>
   *
   * <p><b>Atomicity.</b> {@code work} is one transaction, as in {@link #atomically}: its changes in
   * this store and its result are stored together or not at all. If it throws, or if the process is
   * killed before the commit, nothing is kept and the next call runs it. Effects outside of this
   * store happen again then. As in {@link #atomically}, it may run more than once because of a
   * conflict; one run has an effect. Inside {@link #atomically} it joins: the result is stored if
   * and when the outer transaction commits.
   *
   * <p><b>Threads.</b> While one thread runs {@code work}, other threads with the same key wait and
   * return its result. If it throws, the next of them runs its own {@code work}. Calls with other
   * keys run at the same time. Two processes that share a store may both run {@code work}; one of
   * the runs is discarded.
   *
   * <p><b>Results</b> may be null, or of any class that the store's codecs can store. A later call
   * gets an equal copy. Calls with one key should ask for one type.
   *
   * <p><b>Cost.</b> One read if there is a result, else a transaction with one more read and write.
   * Results are in the table {@code rockpool:once}, which {@link StoreNames#list()} shows; {@link
   * StoreNames#drop} of that name forgets all of them.
   *
   * @param key names the work, in this store; at most as long as any key
   * @param ttl how long the result is kept, from the moment {@code work} has returned; {@link
   *     io.rockpool.structure.PersistentStructure#FOREVER} keeps it
   * @param work computes the result
   * @throws IllegalArgumentException if {@code ttl} is not positive
   * @throws IllegalStateException inside {@code work} of the same key
   * @throws UnencodableValueException if the result cannot be stored; nothing is kept
   * @throws io.rockpool.error.UndecodableValueException if the class of the stored result has
   *     changed so that it cannot be read; {@link #forgetOnce} removes it
   * @throws UnsupportedOperationException if the store's engine has no transactions over many rows
   */
  public <R extends @Nullable Object> R once(
      String key, Duration ttl, Function<? super Transaction, ? extends R> work) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(work, "work");
    if (ttl.isNegative() || ttl.isZero()) {
      throw new IllegalArgumentException(
          "The ttl of a result is " + ttl + "; give a positive one.");
    }
    OpenStore open = store();
    R result = open.once.<R>run(key, ttl, open.engine::afterCommit, work);
    return open.once.<R>inClassesOf(loader, result);
  }

  /**
   * Removes the result that {@link #once} has stored for a key, so that the next call runs again.
   * Joins {@link #atomically}.
   *
   * @return whether there was one
   */
  public boolean forgetOnce(String key) {
    return store().once.forget(Objects.requireNonNull(key, "key"));
  }

  @Override
  public <K, V> PersistentCache<K, V> cache(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<CacheOptions<K, V>> options) {
    CacheOptions<K, V> changed = CurrentOptions.change(options, CacheOptions.defaults());
    ClassLoader own = HandleLoader.ofCache(loader, List.of(keyType, valueType));
    return store().caches.open(name, keyType, valueType, changed, own);
  }

  @Override
  public <K, V> PersistentMap<K, V> map(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<StructureOptions> options) {
    return structures().map(name, keyType, valueType, changed(options));
  }

  @Override
  public <K, V> PersistentSortedMap<K, V> sortedMap(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      UnaryOperator<StructureOptions> options) {
    return structures().sortedMap(name, keyType, valueType, changed(options));
  }

  @Override
  public <E> PersistentSet<E> set(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options) {
    return structures().set(name, elementType, changed(options));
  }

  @Override
  public <E> PersistentSortedSet<E> sortedSet(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options) {
    return structures().sortedSet(name, elementType, changed(options));
  }

  @Override
  public <E> PersistentScoredSet<E> scoredSet(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options) {
    return structures().scoredSet(name, elementType, changed(options));
  }

  @Override
  public <E> PersistentDeque<E> deque(
      String name, TypeRef<E> elementType, UnaryOperator<StructureOptions> options) {
    return structures().deque(name, elementType, changed(options));
  }

  @Override
  public <H, S, V> PersistentTable<H, S, V> table(
      String name,
      TypeRef<H> hashKeyType,
      TypeRef<S> sortKeyType,
      TypeRef<V> valueType,
      UnaryOperator<StructureOptions> options) {
    return structures().table(name, hashKeyType, sortKeyType, valueType, changed(options));
  }

  @Override
  public <T> PersistentValue<T> value(
      String name, TypeRef<T> type, UnaryOperator<StructureOptions> options) {
    return structures().value(name, type, changed(options));
  }

  @Override
  public PersistentCounter counter(String name, UnaryOperator<StructureOptions> options) {
    return structures().counter(name, changed(options));
  }

  @Override
  public <T> PersistentQueue<T> queue(
      String name, TypeRef<T> type, UnaryOperator<QueueOptions> options) {
    return queues().open(name, type, CurrentOptions.change(options, QueueOptions.defaults()));
  }

  @Override
  public <T> PersistentTimer<T> timer(
      String name, Schedule schedule, TypeRef<T> type, UnaryOperator<QueueOptions> options) {
    QueueOptions changed = CurrentOptions.change(options, QueueOptions.defaults());
    return queues().schedule(name, type, Objects.requireNonNull(schedule, "schedule"), changed);
  }

  @Override
  public <K, V> ChangeFeed<K, V> changes(String name, TypeRef<K> keyType, TypeRef<V> valueType) {
    return feeds().open(Objects.requireNonNull(name, "name"), keyType, valueType);
  }

  @Override
  public <H, S, V> ChangeFeed<TableKey<H, S>, V> tableChanges(
      String name, TypeRef<H> hashKeyType, TypeRef<S> sortKeyType, TypeRef<V> valueType) {
    return feeds().open(Objects.requireNonNull(name, "name"), hashKeyType, sortKeyType, valueType);
  }

  private static @Nullable StructureOptions changed(UnaryOperator<StructureOptions> options) {
    return CurrentOptions.change(options, StructureOptions.defaults());
  }

  /** The names of the store: lists, describes, renames, copies and drops them. */
  public StoreNames names() {
    OpenStore unused = store(); // throws if this is closed
    return names;
  }

  /** The backups of the store: makes, ships and verifies them. */
  public StoreBackups backups() {
    OpenStore unused = store(); // throws if this is closed
    return backups;
  }

  /** What the store measures and knows of itself: disk, heap, statistics, background work. */
  public StoreState state() {
    OpenStore unused = store(); // throws if this is closed
    return state;
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
      last = !closed && SharedStores.letGo(store);
      closed = true;
    }
    if (last) {
      try {
        SharedStores.close(store);
      } finally {
        if (temporary != null) {
          TemporaryDirectory.remove(temporary);
        }
      }
    }
  }

  private StoreStructures structures() {
    OpenStore unused = store(); // throws if this is closed
    return structures;
  }

  private Queues queues() {
    OpenStore unused = store(); // throws if this is closed
    return queues;
  }

  private Feeds feeds() {
    OpenStore unused = store(); // throws if this is closed
    return feeds;
  }

  synchronized OpenStore store() {
    if (closed) {
      throw new StoreClosedException(
          store.engine.description() + " was closed by this handle; open it again.");
    }
    return store;
  }
}
