package io.rockpool.engine.rocksdb;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.internal.backup.BackupRun;
import io.rockpool.internal.backup.LogMark;
import io.rockpool.internal.backup.LogSource;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.engine.BackgroundThread;
import io.rockpool.internal.engine.Upkeep;
import io.rockpool.internal.format.LibraryVersion;
import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.CheckpointDirectory;
import io.rockpool.internal.rocksdb.files.ClockFile;
import io.rockpool.internal.rocksdb.files.JournalFile;
import io.rockpool.internal.rocksdb.files.ManifestFile;
import io.rockpool.internal.rocksdb.files.RecoveryFile;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.files.StoreIdentity;
import io.rockpool.internal.rocksdb.files.VerifiedBackupFile;
import io.rockpool.internal.rocksdb.natives.BufferPool;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.Leaks;
import io.rockpool.internal.rocksdb.natives.Measures;
import io.rockpool.internal.rocksdb.natives.NativeCheckpoint;
import io.rockpool.internal.rocksdb.natives.OpenHandles;
import io.rockpool.internal.rocksdb.natives.OpenScans;
import io.rockpool.internal.rocksdb.natives.OpenSnapshots;
import io.rockpool.internal.rocksdb.natives.StallWatch;
import io.rockpool.internal.rocksdb.natives.StoreLimits;
import io.rockpool.internal.rocksdb.natives.WriteGate;
import io.rockpool.internal.rocksdb.natives.WritePath;
import io.rockpool.internal.rocksdb.rows.BuiltRows;
import io.rockpool.internal.rocksdb.rows.DurabilityScopes;
import io.rockpool.internal.rocksdb.rows.RowLocks;
import io.rockpool.internal.rocksdb.rows.RowMemory;
import io.rockpool.internal.rocksdb.rows.RunningTransactions;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import io.rockpool.internal.rocksdb.upkeep.DamageWatch;
import io.rockpool.internal.rocksdb.upkeep.DiskRoom;
import io.rockpool.internal.rocksdb.upkeep.Evictions;
import io.rockpool.internal.rocksdb.upkeep.FullDisk;
import io.rockpool.internal.rocksdb.upkeep.Reclaimer;
import io.rockpool.internal.rocksdb.upkeep.SyncRounds;
import io.rockpool.internal.rocksdb.upkeep.SyncedPoint;
import io.rockpool.store.OnCorruption;
import io.rockpool.store.RecoveryReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of an open store, from its files to its threads. */
final class EmbeddedStore {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private static final String OPENED =
      "Opened the store in {}: Rockpool {}, {} MiB in files, about {} records, up to {} MiB of"
          + " native memory. {}";

  /** The thread that drains works when it is woken. */
  private static final Duration IDLE = Duration.ofHours(1);

  final RecoveryReport report;
  final StoreParts parts;
  final RunningTransactions transactions = new RunningTransactions();
  final SpaceCatalog catalog;
  final Reclaimer reclaimer;
  final Evictions evictions;
  final DiskRoom room;
  private final StoreDirectory directory;
  private final boolean expendable;
  private final RecoveryFile recovery;
  private final StoreLog log;
  private final BackgroundThread syncThread;
  private final BackgroundThread stallThread;
  private final BackgroundThread drainThread;
  private volatile @Nullable Instant verifiedBackup;

  /**
   * Opens the store in {@code directory}. If this fails, closes the parts opened so far, the last
   * one first, but not the directory.
   *
   * @param engine identifies the store in the order of locks
   */
  EmbeddedStore(StoreDirectory directory, RocksDbOptions options, Object engine) {
    this.directory = directory;
    this.expendable = options.onCorruption() == OnCorruption.QUARANTINE;
    Path path = directory.path();
    StoreLimits limits = options.limits();
    Deque<Runnable> undo = new ArrayDeque<>();
    try {
      CheckpointDirectory.removeAll(directory);
      this.verifiedBackup = VerifiedBackupFile.read(directory);
      this.recovery = RecoveryFile.open(directory);
      undo.push(recovery::close);
      RecoveryPoint before = recovery.read();
      if (before != null && !directory.isNew()) {
        ManifestFile.check(directory, before);
      }
      boolean hasJournal = Files.exists(JournalFile.path(path));
      Database database = Database.open(path, directory.database(), limits, directory.isNew());
      undo.push(database::close);
      this.report =
          directory.isNew()
              ? new RecoveryReport(true, 0, "The store is new.")
              : RecoveryFile.report(before, database.latestSequence(), hasJournal);
      ManifestFile manifest = ManifestFile.of(directory);
      recovery.writeDurably(manifest.point(false, database.latestSequence()));
      directory.restrictNewFiles();
      directory.finishCreation();
      ClockFile.opened(directory.path(), options.clock().instant());
      this.parts = parts(database, path, options, engine);
      this.catalog =
          new SpaceCatalog(
              database,
              parts.writePath(),
              parts.locks(),
              transactions,
              parts.clock(),
              this::beforeRows);
      if (expendable) {
        catalog.refuseUnlessCachesOnly(path);
      }
      parts.writePath().setBuffered(directory.hasAmpleRoom());
      this.log = new StoreLog(parts, directory);
      this.syncThread = sync(manifest, options);
      undo.push(syncThread::close);
      StallWatch stalls = parts.writePath().stalls();
      this.stallThread =
          new BackgroundThread(
                  "rockpool-watch " + path.getFileName(),
                  stalls.period(),
                  stalls::watch,
                  parts.upkeep())
              .start();
      undo.push(stallThread::close);
      this.drainThread =
          new BackgroundThread(
              "rockpool-drain " + path.getFileName(), IDLE, this::drain, parts.upkeep());
      undo.push(drainThread::close);
      parts.writePath().drainOn(() -> drainThread.execute(this::drain));
      this.reclaimer = new Reclaimer(parts, catalog, path, limits);
      undo.push(reclaimer::close);
      undo.push(reclaimer::stop);
      this.room = new DiskRoom(directory, options.diskBudgetBytes(), options.freeSpaceFloorBytes());
      this.evictions =
          new Evictions(
              parts, transactions, catalog, room, reclaimer::reclaim, path, limits.reclaimPeriod());
      log(limits.memoryBudgetBytes());
    } catch (RuntimeException | Error e) {
      EveryStep undone = new EveryStep();
      undo.forEach(undone::take);
      undone.addTo(e);
      throw e;
    }
  }

  private static StoreParts parts(
      Database database, Path path, RocksDbOptions options, Object engine) {
    WritePath writePath = new WritePath(database, path, options.stallLimit());
    CloseGuard guard = new CloseGuard("The store at " + path + " is closed; open it again.");
    return new StoreParts(
        database,
        writePath,
        guard,
        new RowLocks(writePath.stalls(), engine),
        rowMemory(options.rowMemoryBytes()),
        new BuiltRows(),
        new EmptyStretches(),
        new DurabilityScopes(),
        new BufferPool(database::dropCounts),
        new OpenHandles(
            new OpenScans(), new OpenSnapshots(), new Leaks(guard, options.leakDetection())),
        new Upkeep(),
        options.clock());
  }

  private static @Nullable RowMemory rowMemory(OptionalLong bytes) {
    if (bytes.isEmpty()) {
      return RowMemory.borrowing();
    }
    return bytes.getAsLong() == 0 ? null : RowMemory.of(bytes.getAsLong());
  }

  private BackgroundThread sync(ManifestFile manifest, RocksDbOptions options) {
    WritePath writePath = parts.writePath();
    WriteGate gate = writePath.gate();
    SyncedPoint synced = new SyncedPoint(writePath, directory, recovery, manifest);
    FullDisk fullDisk =
        new FullDisk(parts.database(), writePath, parts.guard(), directory, synced::keep);
    DamageWatch damage = new DamageWatch(parts, directory);
    SyncRounds rounds =
        new SyncRounds(
            options.syncPeriod(),
            () -> lookAround(gate),
            synced::sync,
            () -> {
              fullDisk.look();
              damage.look();
            });
    BackgroundThread thread =
        new BackgroundThread(
            "rockpool-sync " + directory.path().getFileName(),
            rounds.period(),
            rounds::next,
            parts.upkeep());
    gate.onDamage(
        parts.guard(),
        () -> {
          boolean unused = thread.execute(damage::look);
        });
    return thread.start();
  }

  /** Drains the buffer of writes; called when a part of it is full. */
  private void drain() {
    if (parts.guard().tryEnter()) {
      try {
        parts.writePath().drainFilled();
      } finally {
        parts.guard().leave();
      }
    }
  }

  /** What is checked twice a second. */
  private void lookAround(WriteGate gate) {
    gate.setGone(directory.isGone());
    try {
      parts.writePath().setBuffered(directory.hasAmpleRoom());
    } finally {
      boolean unused = parts.writePath().drain();
    }
    log.look();
  }

  /**
   * Makes a backup of the store as of now, which stays open. Other calls continue; closing the
   * store ends it.
   */
  BackupInfo backup(BackupTarget target, BackupOptions options, List<BackedUpName> names) {
    return backUp(target, options, names).info();
  }

  /**
   * A backup.
   *
   * @param until when its last change had been made
   */
  private record Made(BackupInfo info, Instant until) {}

  private Made backUp(BackupTarget target, BackupOptions options, List<BackedUpName> names) {
    parts.guard().check();
    Instant created = log.now();
    try (BackupRun run = BackupRun.begin(target);
        CheckpointDirectory copy = CheckpointDirectory.create(directory)) {
      long sequence = checkpoint(copy);
      Instant until = log.now();
      BackupRun.Source source =
          new BackupRun.Source(
              copy.path(),
              directory.path(),
              sequence,
              created,
              until,
              StoreIdentity.of(directory.path()),
              log.timeline(),
              names);
      return new Made(run.run(source, options, parts.guard()::check), until);
    }
  }

  /** Makes a backup, and ships the log from then on. */
  Shipping ship(BackupTarget target, ShippingOptions options, Supplier<List<BackedUpName>> names) {
    return log.ship(
        target,
        options,
        how -> {
          Made made = backUp(target, how, names.get());
          LogMark end = new LogMark(made.info().sequence(), made.until().toEpochMilli());
          return new LogSource.Full(end, made.info().bytes());
        });
  }

  /** The newest moment that was shipped, or null. */
  @Nullable Instant shippedUntil() {
    return log.shippedUntil();
  }

  /** When the newest backup was made that was verified, or null. */
  @Nullable Instant verifiedBackup() {
    return verifiedBackup;
  }

  /** Records a verified backup; returns the newest. */
  synchronized Instant noteVerifiedBackup(Instant created) {
    Instant before = verifiedBackup;
    Instant newest = before == null || created.isAfter(before) ? created : before;
    VerifiedBackupFile.write(directory, newest);
    verifiedBackup = newest;
    return newest;
  }

  /** Returns the sequence number of the last change in the copy. */
  private long checkpoint(CheckpointDirectory copy) {
    parts.guard().enter();
    try {
      long sequence = NativeCheckpoint.write(parts.database(), parts.writePath(), copy.database());
      copy.complete(sequence);
      return sequence;
    } finally {
      parts.guard().leave();
    }
  }

  private void log(long memoryBytes) {
    Measures measures = parts.database().measures();
    Object[] found = {
      directory.path(),
      LibraryVersion.TEXT,
      measures.fileBytes() >> 20,
      measures.approximateRecords(),
      memoryBytes >> 20,
      report.message()
    };
    if (report.changesLost() == 0) {
      LOG.info(OPENED, found);
    } else {
      LOG.warn(OPENED, found);
    }
  }

  /** Called before a space of rows is created: rejects it in a store that may be set aside. */
  private void beforeRows() {
    if (expendable) {
      throw new IllegalStateException(
          "The store at "
              + directory.path()
              + " was opened to be set aside when it is damaged, so it holds caches alone. Open"
              + " collections in a store with OnCorruption.FAIL.");
    }
    directory.noteCollections();
  }

  /** Rejects new operations, waits for running ones, and closes all parts and the directory. */
  void close() {
    reclaimer.stop();
    evictions.stop();
    parts.guard().close();
    new EveryStep()
        .take(reclaimer::close)
        .take(evictions::close)
        .take(log::close)
        .take(syncThread::close)
        .take(stallThread::close)
        .take(drainThread::close)
        .take(parts.handles()::closeAll)
        .take(parts::freeRows)
        .take(this::closeFiles)
        .end();
    LOG.info("Closed the store in {}.", directory.path());
  }

  private void closeFiles() {
    try (directory;
        recovery) {
      long sequence;
      try (Database database = parts.database()) {
        sequence = parts.writePath().sync();
        if (!parts.writePath().gate().isFull()) {
          database.shortenLog();
        }
        directory.restrictNewFiles();
      }
      recovery.writeDurably(ManifestFile.of(directory).point(true, sequence));
      if (!directory.isGone()) {
        ClockFile.note(directory.path(), parts.clock().instant());
      }
    }
  }
}
