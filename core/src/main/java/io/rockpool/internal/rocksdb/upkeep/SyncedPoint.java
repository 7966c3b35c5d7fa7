package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.rocksdb.files.ManifestFile;
import io.rockpool.internal.rocksdb.files.RecoveryFile;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.natives.WritePath;

/** Forces writes to disk, and keeps in the recovery point how far that has come. For one thread. */
public final class SyncedPoint {
  private final WritePath writePath;
  private final StoreDirectory directory;
  private final RecoveryFile recovery;

  /**
   * The manifest of a sync period ago, which RocksDB has forced to disk since; the recovery point
   * must not be ahead of it.
   */
  private ManifestFile settledManifest;

  private ManifestFile keptManifest;

  /** Continues from a recovery point with {@code manifest}. */
  public SyncedPoint(
      WritePath writePath, StoreDirectory directory, RecoveryFile recovery, ManifestFile manifest) {
    this.writePath = writePath;
    this.directory = directory;
    this.recovery = recovery;
    this.settledManifest = manifest;
    this.keptManifest = manifest;
  }

  /** Forces pending writes to disk, if any, and sets the modes of new files. */
  public void sync() {
    if (writePath.takeUnsynced() || !settledManifest.equals(keptManifest)) {
      try {
        long sequence = writePath.sync();
        recovery.write(settledManifest.point(false, sequence));
        keptManifest = settledManifest;
      } catch (RuntimeException | Error e) {
        writePath.noteUnsynced();
        throw e;
      }
    }
    settledManifest = settledManifest.next(directory);
    directory.restrictNewFiles();
  }

  /** Records that all changes up to {@code sequence} are on disk. */
  public void keep(long sequence) {
    recovery.write(keptManifest.point(false, sequence));
  }
}
