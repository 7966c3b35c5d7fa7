package io.rockpool.internal.rocksdb.natives;

import org.jspecify.annotations.Nullable;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.RocksDBException;

/**
 * Runs manual compactions until the store is closed. They never stall a writer: a compaction that
 * would, waits.
 */
public final class Compactions implements AutoCloseable {
  private final Database database;
  private final CompactRangeOptions downwards =
      options().setBottommostLevelCompaction(BottommostLevelCompaction.kSkip);
  private final CompactRangeOptions whole =
      options().setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized);
  private volatile boolean stopped;

  public Compactions(Database database) {
    this.database = database;
  }

  private static CompactRangeOptions options() {
    return new CompactRangeOptions().setExclusiveManualCompaction(false).setAllowWriteStall(false);
  }

  /** Compacts down to the level of the deleted records: afterwards these use no disk space. */
  public void settle(ColumnFamily family, byte[] from, byte[] to) {
    compact(family, from, to, downwards);
  }

  /** Rewrites every file with such keys; null for no bound. */
  public void rewrite(ColumnFamily family, byte @Nullable [] from, byte @Nullable [] to) {
    compact(family, from, to, whole);
  }

  /** Rewrites every file, including those of large values. */
  public void rewriteWithBlobs(ColumnFamily family, byte @Nullable [] from, byte @Nullable [] to) {
    try {
      database.setBlobShare(family, 1);
      rewrite(family, from, to);
    } finally {
      database.setBlobShare(family, NativeOptions.BLOB_SHARE);
    }
  }

  /** Rewrites every file of a column family, whatever its keys, including those of large values. */
  public void rewriteAll(ColumnFamily family) {
    if (family == ColumnFamily.ROWS) {
      rewriteWithBlobs(family, null, null);
    } else {
      rewrite(family, null, null);
    }
  }

  private void compact(
      ColumnFamily family, byte @Nullable [] from, byte @Nullable [] to, CompactRangeOptions how) {
    try {
      if (!stopped) {
        database.compact(family, from, to, how);
      }
    } catch (RocksDBException e) {
      if (!stopped) {
        throw database.failed(e, "compact");
      }
    }
  }

  /** Cancels running compactions and prevents new ones. */
  public void stop() {
    stopped = true;
    downwards.setCanceled(true);
    whole.setCanceled(true);
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Frees the native options. No compaction may be running. */
  @Override
  public void close() {
    downwards.close();
    whole.close();
  }
}
