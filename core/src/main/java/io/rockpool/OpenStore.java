package io.rockpool;

import io.rockpool.cache.HeapBudget;
import io.rockpool.codec.Codecs;
import io.rockpool.encryption.Encryption;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.StoreAccess;
import io.rockpool.internal.access.StoreCaches;
import io.rockpool.internal.access.StoreClasses;
import io.rockpool.internal.access.structure.StoreStructures;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.change.ChangeLogCheck;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.concurrent.StoreCount;
import io.rockpool.internal.encryption.EncryptedEngine;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.OutsideTransaction;
import io.rockpool.internal.feed.Feeds;
import io.rockpool.internal.queue.Queues;
import io.rockpool.internal.rocksdb.files.RestoredMark;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open store; {@link SharedStores} opens and closes it. */
final class OpenStore implements StoreAccess {
  final Engine engine;
  final Catalog catalog;
  final Codecs codecs;
  final StoreCaches caches;
  final StoreStructures structures;
  final OnceRuns once;
  final Queues queues;
  final Feeds feeds;
  private final StoreClasses classes;

  /** The embedded engine; null on another engine. */
  final @Nullable RocksDbEngine embedded;

  final StoreOptions options;
  private final @Nullable Path path;

  /** How many handles are open; {@link SharedStores} guards it. */
  int handles = 1;

  OpenStore(
      Engine engine,
      StoreOptions options,
      @Nullable Path path,
      @Nullable RocksDbEngine embedded,
      boolean readOnly) {
    this.engine = engine;
    this.catalog = new Catalog(engine, readOnly);
    this.embedded = embedded;
    this.options = options;
    this.path = path;
    this.classes =
        engine.capabilities().contains(Capability.SHARED)
            ? SharedClasses.of(engine)
            : new LearnedClasses(path);
    this.codecs =
        options
            .orElse(StoreOptions.CODECS, Codecs::defaults)
            .require(StoreOptions.CODECS)
            .learningIn(classes);
    Long heapBytes = options.get(StoreOptions.HEAP_BUDGET_BYTES);
    HeapBudget heap = heapBytes == null ? HeapBudget.ofProcess() : new HeapBudget(heapBytes);
    this.caches = Internals.caches().create(engine, catalog, codecs, heap);
    this.structures = StoreStructures.create(engine, catalog, codecs);
    this.once = new OnceRuns(engine, this, structures, codecs);
    this.queues = new Queues(engine, catalog, codecs);
    this.feeds = new Feeds(engine, catalog, codecs);
    StoreCount.opened(); // last, as close() follows only if nothing has thrown
  }

  /** Begins new epochs of change feeds in a restored store. */
  OpenStore startEpochs() {
    feeds.startEpochs();
    engine.flush();
    RestoredMark.delete(Objects.requireNonNull(path));
    return this;
  }

  /** The encryption of the store; null if nothing is encrypted. */
  @Nullable EncryptedEngine encryption() {
    return engine instanceof EncryptedEngine encrypted ? encrypted : null;
  }

  /** The options for opening a copy of the store. */
  StoreOptions optionsOfCopies() {
    StoreOptions copies = StoreOptions.UNSET.with(StoreOptions.CLOCK, engine.clock());
    Encryption encryption = options.get(StoreOptions.ENCRYPTION);
    return encryption == null ? copies : copies.with(StoreOptions.ENCRYPTION, encryption);
  }

  /** The directory of the store; null on another engine. */
  @Nullable Path directory() {
    return path;
  }

  EngineUpkeep upkeep() {
    return EngineUpkeep.of(engine);
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public StoreCaches caches() {
    return caches;
  }

  @Override
  public SortedMap<String, PersistentQueue<?>> queues() {
    return queues.all();
  }

  @Override
  public Map<String, Instant> nextFirings() {
    return queues.nextFirings();
  }

  /** Drops every name. */
  int dropAll() {
    int dropped = catalog.dropAll("");
    if (classes instanceof SharedClasses shared) {
      shared.forget();
    }
    return dropped;
  }

  @Override
  public StoreClasses classes() {
    return classes;
  }

  @Override
  public BoundTransaction beginTransaction(BoundRules rules) {
    engine.require(Capability.MULTI_ROW_TRANSACTIONS);
    return upkeep().beginTransaction(rules);
  }

  @Override
  public boolean inTransaction() {
    return engine.inTransaction();
  }

  @Override
  public <R> R outsideTransaction(Supplier<R> work) {
    return OutsideTransaction.run(engine, work);
  }

  /** See {@link Rockpool#reclaim}. */
  Reclaimed reclaim() {
    if (!engine.inTransaction()) {
      caches.notifyExpired();
    }
    return engine.reclaim();
  }

  /** The description of a name. */
  Description describe(Entry entry) {
    String name = entry.space().name();
    return new Description(
        entry,
        count(entry),
        upkeep().diskBytes(name),
        caches.diskBudgetBytes(name),
        structures.expiryMillis(entry));
  }

  /** The number of elements; empty also if the name was dropped or renamed since it was listed. */
  private OptionalLong count(Entry entry) {
    String name = entry.space().name();
    try {
      return isQueue(entry) ? queues.count(name) : structures.count(name);
    } catch (StoreClosedException e) {
      Object unused = engine.describe(name); // throws if the store is closed
      return OptionalLong.empty();
    }
  }

  private static boolean isQueue(Entry entry) {
    return Queues.isType(entry.identity().type());
  }

  /** Checks all stored data; see {@link Rockpool#verify(VerifyOptions)}. */
  VerifyReport verify(VerifyOptions verifyOptions) {
    boolean decode = verifyOptions.decodeValues();
    return engine.verify(
        verifyOptions,
        (space, view, problems) -> {
          if (Catalog.isChangeLog(space.name())) {
            return new ChangeLogCheck(problems);
          }
          Entry entry = Catalog.entry(space);
          if (isQueue(entry)) {
            return queues.check(space.name(), problems, decode);
          }
          return entry.identity().type().equals(StoreCaches.TYPE)
              ? caches.check(space.name(), decode)
              : structures.check(entry, view, problems, decode);
        });
  }

  /** Closes everything, even if closing a part throws; {@link SharedStores#close} calls it. */
  void close() {
    new EveryStep()
        .take(caches::finishWriting)
        .take(catalog::close)
        .take(queues::close) // first, so that no listener takes a closed name for an error
        .take(structures::close)
        .take(feeds::close)
        .take(caches::close)
        .take(engine::close)
        .take(StoreCount::closed)
        .end();
  }
}
