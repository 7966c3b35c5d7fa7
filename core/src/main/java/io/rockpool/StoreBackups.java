package io.rockpool;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.backup.BackupList;
import io.rockpool.internal.backup.BackupRestore;
import io.rockpool.internal.queue.Queues;
import io.rockpool.store.SalvageReport;
import io.rockpool.store.VerifyReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** The methods of {@link Rockpool} that make and restore backups. */
abstract class StoreBackups extends StoreNames {
  /** Hidden, so that only {@link Rockpool} extends this. */
  StoreBackups() {}

  @Override
  Queues queues() {
    return store().queues;
  }

  /** Like {@link #backup(BackupTarget, BackupOptions)}, with the default options. */
  public BackupInfo backup(BackupTarget target) {
    return backup(target, BackupOptions.defaults());
  }

  /**
   * Makes a backup of the store while it is read and written. It has every write that was
   * acknowledged before the call. Of later writes, it has those before some moment of the call,
   * each transaction as a whole.
   *
   * <pre>{@code
   * pool.backup(DirectoryTarget.at(path), BackupOptions.defaults().keep(7));
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
  public BackupInfo backup(BackupTarget target, BackupOptions options) {
    OpenStore store = store();
    RocksDbEngine engine = store.embedded;
    if (engine == null) {
      throw new UnsupportedOperationException(
          store.engine.description() + " has no files; make backups of stores in directories.");
    }
    return engine.backup(target, options, names(store));
  }

  private static List<BackedUpName> names(OpenStore store) {
    return store.catalog.list("").stream()
        .map(store::describe)
        .map(name -> new BackedUpName(name.name(), name.type(), name.count()))
        .toList();
  }

  /**
   * Verifies the newest backup of a target, in the directory of {@code java.io.tmpdir}, like {@link
   * #verifyBackup(BackupTarget, long, Path)}.
   */
  public VerifyReport verifyBackup(BackupTarget target) {
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
  public VerifyReport verifyBackup(BackupTarget target, long number, Path scratch) {
    return verify(
        scratch,
        directory -> BackupRestore.numbered(target, number, directory, BackupOptions.defaults()));
  }

  private VerifyReport verify(Path scratch, Function<Path, BackupInfo> restore) {
    OpenStore store = store();
    if (store.engine.inTransaction()) {
      throw new IllegalStateException(
          "Verifying a backup takes long and cannot be part of a transaction; call it before or"
              + " after atomically.");
    }
    RestoredCopy copy = RestoredCopy.create(scratch);
    try (copy) {
      BackupInfo info = restore.apply(copy.directory());
      VerifyReport report = copy.verify(store.engine.clock());
      if (report.isClean() && store.embedded != null) {
        store.embedded.noteVerifiedBackup(info.created());
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
  public static List<BackupInfo> backups(BackupTarget target) {
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
   * Copies what is readable of a damaged store into a new one. The damaged store stays as it is; no
   * process may have it open. Reads all of it, and takes its space again.
   *
   * <p>Tables with damaged blocks are read around them; missing files, a damaged MANIFEST, log,
   * journal or marker are passed over. Counts and indexes are made again, deques and scored sets
   * are built of their elements, and messages of a damaged queue are sent again. Where a block is
   * damaged, an older value of an element may be copied, or an element that was removed: the report
   * names these keys.
   *
   * @param damaged the directory of the damaged store
   * @param directory an empty directory, or one that does not exist
   * @return what was copied and what was not
   * @throws ForeignDirectoryException if {@code damaged} is no store, or the other is not empty
   * @throws io.rockpool.error.FormatVersionException if a newer library wrote the store
   * @throws StoreLockedException if a process has the store open
   * @throws StoreFullException if the disk is full
   * @throws StoreIoException if a file system fails
   */
  public static SalvageReport salvage(Path damaged, Path directory) {
    return StoreSalvage.run(damaged, directory);
  }
}
