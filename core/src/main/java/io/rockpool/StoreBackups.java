package io.rockpool;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.RestorableTimes;
import io.rockpool.backup.RestoredMoment;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.backup.BackupList;
import io.rockpool.internal.backup.BackupRestore;
import io.rockpool.internal.backup.LogHistory;
import io.rockpool.store.VerifyReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The backups of a store. {@link Rockpool#backups} makes them; the static methods list and restore
 * those of a target. Thread-safe.
 */
public final class StoreBackups {
  private final Supplier<OpenStore> store;

  /** The backups of a store that the supplier returns; it throws if the handle is closed. */
  StoreBackups(Supplier<OpenStore> store) {
    this.store = store;
  }

  /** Like {@link #make(BackupTarget, BackupOptions)}, with the default options. */
  public BackupInfo make(BackupTarget target) {
    return make(target, BackupOptions.defaults());
  }

  /**
   * Makes a backup of the store while it is read and written. It has every write that was
   * acknowledged before the call. Of later writes, it has those before some moment of the call,
   * each transaction as a whole.
   *
   * <pre>{@code
   * pool.backups().make(DirectoryTarget.at(path), BackupOptions.defaults().keep(7));
   * }</pre>
   *
   * <p><b>Cost.</b> Writes the newest changes to files, then reads files that the newest backup
   * does not have, and copies those that the target does not have. Files do not change once they
   * are written, so a later backup copies what was written or compacted since. Until it ends, data
   * that is overwritten, deleted or compacted stays on the store's disk.
   *
   * <p><b>Atomicity.</b> The backup is in the target when this returns, durably. If it throws, or
   * if the process is killed, there is none, and the next one copies only what is missing. One
   * target is for the backups of one store, one at a time.
   *
   * @return what was made
   * @throws UnsupportedOperationException if the store is not in a directory
   * @throws ForeignDirectoryException if the target is a directory with other content, or inside of
   *     a store
   * @throws StoreLockedException if another backup to this target runs
   * @throws StoreFullException if the target's disk is full, or the store's
   * @throws StoreIoException if the target or the store's file system fails
   * @throws CorruptStoreException if a file of the store has changed since the last backup
   * @throws StoreClosedException if the store is closed before the backup is complete
   * @throws java.util.concurrent.CancellationException if it was stopped, by an interrupt or by the
   *     options
   * @throws IllegalStateException inside a transaction
   */
  public BackupInfo make(BackupTarget target, BackupOptions options) {
    OpenStore open = store.get();
    return embedded(open).backup(target, options, names(open));
  }

  /**
   * Makes a backup, and from then on ships the log of the store to the same target while it is read
   * and written, until the result or the store is closed. So each moment since then can be
   * restored: see {@link #restore(BackupTarget, Instant, Path, BackupOptions)}.
   *
   * <pre>{@code
   * pool.backups().ship(DirectoryTarget.at(path), ShippingOptions.defaults().keep(ofDays(7)));
   * }</pre>
   *
   * <p><b>What can be lost.</b> If the store's disk is lost, so is what was acknowledged in the
   * last interval; {@link Shipping#until} and {@link
   * io.rockpool.store.StoreStatistics#shippedUntil} show what is safe. While the target cannot be
   * written, the log waits on the store's disk.
   *
   * <p><b>Cost.</b> Twice a second one native call and a look at the names of the store's files. At
   * each interval, one forced write of the log, and one object with the changes since the last one.
   * Restarting the application begins with a backup again, which copies only new files.
   *
   * <p>Backups to the same target may be made meanwhile. One target is for one store.
   *
   * @throws UnsupportedOperationException if the store is not in a directory
   * @throws ForeignDirectoryException if the target is a directory with other content, or inside of
   *     a store
   * @throws StoreLockedException if another shipping or backup to this target runs
   * @throws StoreFullException if the target's disk is full, or the store's
   * @throws StoreIoException if the target or the store's file system fails
   * @throws IllegalStateException inside a transaction, or if the log of this store is being
   *     shipped
   */
  public Shipping ship(BackupTarget target, ShippingOptions options) {
    OpenStore open = store.get();
    return embedded(open).ship(target, options, () -> names(open));
  }

  private static RocksDbEngine embedded(OpenStore store) {
    RocksDbEngine engine = store.embedded;
    if (engine == null) {
      throw new UnsupportedOperationException(
          store.engine.description()
              + " has no files to back up. Keep the data in a directory, or, if it is on a server,"
              + " use the server's tools.");
    }
    return engine;
  }

  private static List<BackedUpName> names(OpenStore store) {
    return store.catalog.list("").stream()
        .map(store::describe)
        .map(name -> new BackedUpName(name.name(), name.type(), name.count()))
        .toList();
  }

  /**
   * Verifies the newest backup of a target, in the directory of {@code java.io.tmpdir}, like {@link
   * #verify(BackupTarget, long, Path)}.
   */
  public VerifyReport verify(BackupTarget target) {
    return verify(
        TemporaryDirectory.parent(),
        directory -> BackupRestore.newest(target, directory, BackupOptions.defaults()));
  }

  /**
   * Verifies a backup: restores it to a temporary directory, opens it, and checks all of it as
   * {@link Rockpool#verify()} does. If it is sound, {@link
   * io.rockpool.store.StoreStatistics#verifiedBackup} of this store shows its time from then on.
   * Takes the space of the backup, and the time to copy it and to read it twice.
   *
   * @param number {@link BackupInfo#number}
   * @param scratch where to create the temporary directory, which is deleted at the end
   * @return what was found; if it is not clean, make another backup
   * @throws CorruptStoreException if the backup is damaged or does not open
   * @throws StoreIoException if there is no such backup, or a file system fails
   * @throws StoreFullException if the disk is full
   * @throws IllegalStateException inside a transaction
   */
  public VerifyReport verify(BackupTarget target, long number, Path scratch) {
    return verify(
        scratch,
        directory -> BackupRestore.numbered(target, number, directory, BackupOptions.defaults()));
  }

  /**
   * Verifies that a point in time can be restored, like {@link #verify(BackupTarget, long, Path)}.
   *
   * @param moment the point in time
   * @throws StoreIoException also if the target cannot restore this moment
   */
  public VerifyReport verify(BackupTarget target, Instant moment, Path scratch) {
    return verify(
        scratch,
        directory ->
            BackupRestore.at(target, moment, directory, BackupOptions.defaults()).backup());
  }

  private VerifyReport verify(Path scratch, Function<Path, BackupInfo> restore) {
    OpenStore open = store.get();
    if (open.engine.inTransaction()) {
      throw new IllegalStateException(
          "Verifying a backup takes long and cannot be part of a transaction; call it before or"
              + " after atomically.");
    }
    RestoredCopy copy = RestoredCopy.create(scratch);
    try (copy) {
      BackupInfo info = restore.apply(copy.directory());
      VerifyReport report = copy.verify(open.optionsOfCopies());
      if (report.isClean() && open.embedded != null) {
        open.embedded.noteVerifiedBackup(info.created());
      }
      return report;
    }
  }

  /**
   * The complete backups in a target, the oldest first. Leaves out those whose description is
   * damaged, which are logged; their files may be. Reads their descriptions, not their files.
   *
   * @throws StoreIoException if there are none, or the target cannot be read
   */
  public static List<BackupInfo> list(BackupTarget target) {
    return BackupList.of(target);
  }

  /**
   * Restores the newest backup of a target to a directory, which is then a closed store. Each file
   * is compared with its checksum. If this throws, the directory is empty again, or does not exist.
   * If the process is killed, the directory is no store; delete it.
   *
   * @param directory an empty directory, or one that does not exist
   * @return what was restored
   * @throws ForeignDirectoryException if the directory is not empty; it is left untouched
   * @throws CorruptStoreException if the backup is damaged
   * @throws StoreIoException if there is no backup, or a file system fails
   * @throws StoreFullException if the disk is full
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public static BackupInfo restore(BackupTarget target, Path directory) {
    return BackupRestore.newest(target, directory, BackupOptions.defaults());
  }

  /**
   * Restores one backup, like {@link #restore(BackupTarget, Path)}.
   *
   * @param number {@link BackupInfo#number}
   * @param options the pace, a progress listener, and when to stop
   */
  public static BackupInfo restore(
      BackupTarget target, long number, Path directory, BackupOptions options) {
    return BackupRestore.numbered(target, number, directory, options);
  }

  /**
   * The times that a target can restore, the earliest first: from a backup until the end of the log
   * that was shipped after it, without a gap. Reads descriptions of backups and names of objects.
   *
   * @throws StoreIoException if there are no backups, or the target cannot be read
   */
  public static List<RestorableTimes> restorableTimes(BackupTarget target) {
    return LogHistory.of(target);
  }

  /**
   * Restores a point in time, like {@link #restore(BackupTarget, Path)}: the newest backup before,
   * and the log that {@link #ship} has added to it until then. The store has exactly the changes
   * that were acknowledged until some moment in the last second before the point in time, normally
   * half a second, each transaction as a whole.
   *
   * @param moment the point in time, by the clock of the store
   * @param options the pace, a progress listener, and when to stop
   * @return what was restored
   * @throws StoreIoException if the target cannot restore this moment; the message says which times
   *     it can restore. Also if a file system fails
   * @throws CorruptStoreException if the backup or the log is damaged
   * @throws ForeignDirectoryException if the directory is not empty; it is left untouched
   * @throws StoreFullException if the disk is full
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public static RestoredMoment restore(
      BackupTarget target, Instant moment, Path directory, BackupOptions options) {
    return BackupRestore.at(target, moment, directory, options);
  }

  /**
   * Opens the newest backup of a target, which is only read, like {@link RockpoolBuilder#openCopy}.
   * Restores it to the directory of {@code java.io.tmpdir}; closing the result deletes that.
   *
   * <pre>{@code
   * try (Rockpool backup = StoreBackups.open(DirectoryTarget.at(path))) {
   *   backup.map("users", String.class, User.class).forEach(report);
   * }
   * }</pre>
   *
   * <p>The store's clock stands still at the time of the backup, so it shows what had not expired
   * then. Takes the space of the backup and the time to copy it.
   *
   * @throws CorruptStoreException if the backup is damaged
   * @throws StoreIoException if there is no backup, or a file system fails
   * @throws StoreFullException if the disk is full
   */
  public static Rockpool open(BackupTarget target) {
    return open(target, options -> options);
  }

  /**
   * Like {@link #open(BackupTarget)}, with options, as in {@code o -> o.encryption(keys)}: an
   * encrypted backup needs its keys, and a store with codecs of its own needs these. Its clock
   * stands still whatever the options say.
   *
   * @throws io.rockpool.error.EncryptionKeyException if a key is missing or wrong
   */
  public static Rockpool open(BackupTarget target, UnaryOperator<RockpoolBuilder> options) {
    return RestoredCopy.open(
        target,
        options,
        directory -> BackupRestore.newest(target, directory, BackupOptions.defaults()).created());
  }

  /**
   * Opens a point in time, like {@link #open(BackupTarget)}.
   *
   * @param moment see {@link #restore(BackupTarget, Instant, Path, BackupOptions)}
   * @throws StoreIoException also if the target cannot restore this moment
   */
  public static Rockpool open(BackupTarget target, Instant moment) {
    return open(target, moment, options -> options);
  }

  /**
   * Opens a point in time with options, like {@link #open(BackupTarget, UnaryOperator)} and {@link
   * #open(BackupTarget, Instant)}.
   */
  public static Rockpool open(
      BackupTarget target, Instant moment, UnaryOperator<RockpoolBuilder> options) {
    return RestoredCopy.open(
        target,
        options,
        directory -> {
          BackupRestore.at(target, moment, directory, BackupOptions.defaults());
          return moment;
        });
  }
}
