package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.rocksdb.files.ManifestFile;
import io.rockpool.internal.rocksdb.files.RecoveryFile;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.rows.StoreParts;

/**
 * Forces to the disk what is written, and keeps in the recovery point how far that has come. For
 * one thread.
 */
public final class SyncedPoint {
  private final StoreParts store;
  private final StoreDirectory directory;
  private final RecoveryFile recovery;

  /**
   * As it was a sync period ago, so that RocksDB has forced it to the disk since; what is kept must
   * not be ahead of that.
   */
  private ManifestFile settledManifest;

  private ManifestFile keptManifest;

  /** Goes on from a recovery point that has {@code manifest}. */
  public SyncedPoint(
      StoreParts store, StoreDirectory directory, RecoveryFile recovery, ManifestFile manifest) {
    this.store = store;
    this.directory = directory;
    this.recovery = recovery;
    this.settledManifest = manifest;
    this.keptManifest = manifest;
  }

  /** Forces to the disk what still is to be, if anything, and gives new files their modes. */
  public void sync() {
    if (store.writePath().takeUnsynced() || !settledManifest.equals(keptManifest)) {
      try {
        long sequence = store.writePath().sync();
        recovery.write(settledManifest.point(false, sequence));
        keptManifest = settledManifest;
      } catch (RuntimeException | Error e) {
        store.writePath().noteUnsynced();
        throw e;
      }
    }
    settledManifest = settledManifest.next(directory);
    directory.restrictNewFiles();
  }

  /** Keeps that all up to {@code sequence} is on the disk. */
  public void keep(long sequence) {
    recovery.write(keptManifest.point(false, sequence));
  }
}
