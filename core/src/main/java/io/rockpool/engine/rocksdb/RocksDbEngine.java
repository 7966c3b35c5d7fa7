package io.rockpool.engine.rocksdb;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.engine.Capability;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.NativeLibraryException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.concurrent.HeldLocks;
import io.rockpool.internal.engine.Arguments;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.internal.engine.HeapLender;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.engine.Verification;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.NativeLibrary;
import io.rockpool.internal.rocksdb.natives.NativeResource;
import io.rockpool.internal.rocksdb.rows.BoundRun;
import io.rockpool.internal.rocksdb.rows.RocksDbSpace;
import io.rockpool.internal.rocksdb.rows.RowMemory;
import io.rockpool.internal.rocksdb.rows.RunningTransactions;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import io.rockpool.internal.rocksdb.upkeep.Evictions;
import io.rockpool.internal.rocksdb.upkeep.Reclaimer;
import io.rockpool.internal.rocksdb.verify.StoreVerification;
import io.rockpool.store.DiskState;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.RecoveryReport;
import io.rockpool.store.StoreStatistics;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded engine: a store in a directory of this machine, open in one process at a time.
 *
 * <p>No native object is reachable from outside, and none is used after {@link #close}: closing
 * rejects new operations and waits for running ones.
 */
public final class RocksDbEngine implements Engine, EngineUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private final StoreDirectory directory;
  private final Durability durability;
  private final @Nullable Path setAside;
  private final EmbeddedStore opened;
  private final StoreParts store;
  private final RunningTransactions transactions;
  private final SpaceCatalog catalog;
  private final Reclaimer reclaimer;
  private final Evictions evictions;
  private final AtomicBoolean closing = new AtomicBoolean();

  private RocksDbEngine(StoreDirectory directory, RocksDbOptions options, @Nullable Path setAside) {
    this.directory = directory;
    this.durability = options.durability();
    this.setAside = setAside;
    this.opened = new EmbeddedStore(directory, options, this);
    this.store = opened.parts;
    this.transactions = opened.transactions;
    this.catalog = opened.catalog;
    this.reclaimer = opened.reclaimer;
    this.evictions = opened.evictions;
  }

  /**
   * Opens the store in {@code directory}, or creates it if there is none and {@code options} allow
   * it.
   *
   * @throws StoreLockedException if the store is open, in another process or in this one
   * @throws ForeignDirectoryException if the directory holds something else; it is left untouched
   * @throws FormatVersionException if a newer library wrote the store; it is left untouched
   * @throws CorruptStoreException if its files are damaged, unless the options say to set such a
   *     store aside
   * @throws IllegalStateException if the options say to set a damaged store aside, and the store
   *     holds collections
   * @throws StoreFullException if the disk has no space left for what opening writes
   * @throws StoreIoException if the file system fails, or there is no store and the options forbid
   *     to create one
   * @throws NativeLibraryException if RocksDB is not on the class path, or its native code cannot
   *     be loaded
   */
  public static RocksDbEngine open(Path directory, RocksDbOptions options) {
    Objects.requireNonNull(options, "options");
    Path path = Objects.requireNonNull(directory, "directory").toAbsolutePath().normalize();
    NativeLibrary.requireClasses();
    StoreDirectory home = StoreDirectory.open(path, options.createIfMissing());
    Path setAside;
    try {
      NativeLibrary.load(home.nativeCode());
      return new RocksDbEngine(home, options, null);
    } catch (CorruptStoreException e) {
      setAside = setAside(home, options, e);
    } catch (RuntimeException | Error e) {
      new EveryStep().take(home::close).addTo(e);
      throw e;
    }
    return openAnew(path, options, setAside);
  }

  /**
   * Opens a copy of a store, which is only read: every change throws a {@link
   * io.rockpool.error.ReadOnlyStoreException}. The engine removes nothing in the background.
   *
   * @param copy the directory of the copy
   * @param what it is, for messages
   * @throws CorruptStoreException if its files are damaged
   * @throws StoreFullException if the disk has no space left for what opening writes
   * @throws StoreIoException if the file system fails
   * @throws NativeLibraryException if RocksDB's native code cannot be loaded
   */
  public static RocksDbEngine openCopy(Path copy, String what, RocksDbOptions options) {
    RocksDbEngine engine = open(copy, options);
    engine
        .store
        .writePath()
        .gate()
        .setReadOnly(
            "This is " + what + ", which is only read. Open the store itself to change it.");
    return engine;
  }

  private static Path setAside(
      StoreDirectory home, RocksDbOptions options, CorruptStoreException damage) {
    try (home) {
      if (options.onCorruption() == OnCorruption.FAIL) {
        throw damage;
      }
      Path aside = home.setAside(options.clock(), damage);
      LOG.error(
          "The store at {} was set aside as {}; an empty one takes its place.",
          home.path(),
          aside,
          damage);
      return aside;
    }
  }

  private static RocksDbEngine openAnew(Path path, RocksDbOptions options, Path setAside) {
    StoreDirectory home = StoreDirectory.open(path, /* createIfMissing= */ true);
    try {
      return new RocksDbEngine(home, options, setAside);
    } catch (RuntimeException | Error e) {
      new EveryStep().take(home::close).addTo(e);
      throw e;
    }
  }

  /**
   * The name of the class path resource with RocksDB's native code for this machine. For tools that
   * package an application for it.
   *
   * @throws NativeLibraryException if there is none
   */
  public static String nativeLibrary() {
    NativeLibrary.requireClasses();
    return NativeResource.nameForThisMachine();
  }

  /** The new path of the damaged store that this store replaces, or null. */
  public @Nullable Path setAside() {
    return setAside;
  }

  /** What opening found out about the store's last use. */
  public RecoveryReport recoveryReport() {
    return opened.report;
  }

  @Override
  public String description() {
    return "The embedded store at " + directory.path();
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.SHARED, Capability.EXACT_COUNTS));
  }

  @Override
  public InstantSource clock() {
    return store.clock();
  }

  @Override
  public Space create(SpaceSpec spec) {
    Objects.requireNonNull(spec, "spec");
    return guarded(() -> handle(catalog.create(spec)));
  }

  @Override
  public @Nullable Space open(String name) {
    Objects.requireNonNull(name, "name");
    return guarded(
        () -> handleOrNull(catalog.open(name, store.durabilities().inForce(durability))));
  }

  @Override
  public @Nullable Space openForUpkeep(String name) {
    Objects.requireNonNull(name, "name");
    return guarded(() -> handleOrNull(catalog.named(name)));
  }

  @Override
  public Space reset(SpaceSpec spec) {
    Objects.requireNonNull(spec, "spec");
    return guarded(() -> handle(catalog.reset(spec)));
  }

  @Override
  public @Nullable SpaceInfo describe(String name) {
    Objects.requireNonNull(name, "name");
    return guarded(() -> catalog.describe(name));
  }

  @Override
  public List<SpaceInfo> list(String level) {
    SpaceName.checkLevel(level);
    return guarded(() -> catalog.list(level));
  }

  @Override
  public void setAttributes(String name, Map<String, String> attributes) {
    Objects.requireNonNull(name, "name");
    Map<String, String> copy = Map.copyOf(Objects.requireNonNull(attributes, "attributes"));
    guarded(
        () -> {
          catalog.setAttributes(name, copy);
          return name;
        });
  }

  @Override
  public boolean drop(String name) {
    Objects.requireNonNull(name, "name");
    return guarded(() -> catalog.drop(name));
  }

  @Override
  public int dropAll(String level) {
    SpaceName.checkLevel(level);
    return guarded(() -> catalog.dropAll(level));
  }

  @Override
  public boolean rename(String from, String to, boolean replace) {
    Arguments.checkRename(from, to);
    return guarded(() -> catalog.rename(from, to, replace));
  }

  @Override
  public <R extends @Nullable Object> R atomically(Supplier<R> work) {
    return transactions.atomically(store, Objects.requireNonNull(work, "work"));
  }

  @Override
  public BoundTransaction beginTransaction(BoundRules rules) {
    return BoundRun.begin(store, transactions, Objects.requireNonNull(rules, "rules"));
  }

  @Override
  public boolean inTransaction() {
    return transactions.current() != null;
  }

  @Override
  public void afterCommit(Runnable action) {
    transactions.note(action, TransactionNotes::afterCommit);
  }

  @Override
  public void tellAfterCommit(Runnable action, @Nullable CommitLock lock) {
    transactions.note(action, (notes, message) -> notes.tellAfterCommit(message, lock));
  }

  @Override
  public void afterTransaction(Runnable action) {
    transactions.note(action, TransactionNotes::afterTransaction);
  }

  @Override
  public <R extends @Nullable Object> R withDurability(
      Durability level, Supplier<? extends R> writes) {
    Objects.requireNonNull(level, "durability");
    Objects.requireNonNull(writes, "writes");
    store.guard().check();
    Arguments.refuseDurabilityInTransaction(this);
    return store.durabilities().within(level, writes);
  }

  @Override
  public void flush() {
    guarded(() -> store.writePath().sync());
  }

  @Override
  public Reclaimed reclaim() {
    transactions.refuseInside("Reclaiming");
    return guarded(
        () -> store.durabilities().outside(() -> evictions.enforceAfter(reclaimer::reclaim)));
  }

  @Override
  public void compact() {
    transactions.refuseInside("Compacting");
    guarded(
        () -> {
          reclaimer.compact();
          return directory;
        });
  }

  @Override
  public void whenReclaiming(Supplier<List<BooleanSupplier>> sweeps) {
    reclaimer.add(Objects.requireNonNull(sweeps, "sweeps"));
  }

  @Override
  public void keepRecordsIn(HeapLender lender) {
    RowMemory recent = store.recent();
    if (recent != null) {
      recent.keepIn(Objects.requireNonNull(lender, "lender"));
    }
  }

  @Override
  public void evictBy(Evictor evictor) {
    evictions.evictBy(Objects.requireNonNull(evictor, "evictor"));
  }

  @Override
  public ReclaimState reclaimState() {
    return guarded(reclaimer::state);
  }

  /** Memory, disk and background work of the store; about twenty native calls. */
  public StoreStatistics statistics() {
    return guarded(store.database().measures()::statistics)
        .damagedFiles(store.database().damagedTables().count())
        .verifiedBackup(opened.verifiedBackup())
        .shippedUntil(opened.shippedUntil())
        .build();
  }

  /** The total size of the store's files; a file deleted during the call counts as zero. */
  @Override
  public long diskBytes() {
    return guarded(opened.room::takenBytes);
  }

  @Override
  public OptionalLong diskBytes(String name) {
    Objects.requireNonNull(name, "name");
    return guarded(() -> catalog.diskBytes(name));
  }

  @Override
  public OptionalLong countedEntries(String name) {
    return evictions.countedEntries(Objects.requireNonNull(name, "name"));
  }

  @Override
  public DiskState diskState() {
    return guarded(() -> opened.room.state(store.writePath().gate()));
  }

  @Override
  public void probeWrite() {
    guarded(
        () -> {
          store.writePath().probe();
          return directory;
        });
  }

  @Override
  public long leaks() {
    return store.handles().leaks().count();
  }

  @Override
  public Upkeep upkeep() {
    return store.upkeep();
  }

  @Override
  public VerifyReport verify(VerifyOptions options, RecordChecks checks) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(checks, "checks");
    transactions.refuseInside("A verification");
    Verification run = new Verification(options);
    try (StoreVerification verification =
        guarded(() -> new StoreVerification(store, catalog, directory, run, checks))) {
      verification.run();
    }
    return run.report(description());
  }

  /**
   * Makes a backup of the store as of now, while it is read and written; see {@code
   * StoreBackups.make}.
   *
   * @param names what the backup's description lists
   * @throws IllegalStateException inside a transaction
   */
  public BackupInfo backup(BackupTarget target, BackupOptions options, List<BackedUpName> names) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(options, "options");
    transactions.refuseInside("A backup");
    return opened.backup(target, options, List.copyOf(names));
  }

  /**
   * Makes a backup, and ships the log from then on; see {@code StoreBackups.ship}.
   *
   * @param names what the description of a backup lists
   * @throws IllegalStateException inside a transaction, or if the log is being shipped
   */
  public Shipping ship(
      BackupTarget target, ShippingOptions options, Supplier<List<BackedUpName>> names) {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(options, "options");
    transactions.refuseInside("Shipping a log");
    return opened.ship(target, options, names);
  }

  /**
   * Records that a backup of this store was restored elsewhere and found sound; see {@link
   * StoreStatistics#verifiedBackup}. Survives a restart.
   *
   * @param created when the backup was made
   */
  public void noteVerifiedBackup(Instant created) {
    Objects.requireNonNull(created, "created");
    guarded(() -> opened.noteVerifiedBackup(created));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException from inside a transaction; nothing is closed
   */
  @Override
  public void close() {
    transactions.refuseInside("Closing");
    HeldLocks.checkNone(this, "closing the store");
    if (!closing.getAndSet(true)) {
      opened.close();
    }
  }

  private Space handle(SpaceState state) {
    return new RocksDbSpace(store, transactions, catalog, state, durability);
  }

  private @Nullable Space handleOrNull(@Nullable SpaceState state) {
    return state == null ? null : handle(state);
  }

  private <R extends @Nullable Object> R guarded(Supplier<R> operation) {
    store.guard().enter();
    try {
      return operation.get();
    } finally {
      store.guard().leave();
    }
  }

  /** The parts of the store, for tests that provoke failures. */
  StoreParts internals() {
    return store;
  }
}
