package io.rockpool.internal.rocksdb.natives;

import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.RocksDBException;

/**
 * Writes files anew, without what was deleted from them, until the store is to be closed. Holds up
 * no writer: it waits itself where that would be so.
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

  /** Takes deletions down to what they are of: after it, deleted records take no disk. */
  public void settle(ColumnFamily family, byte[] from, byte[] to) {
    compact(family, from, to, downwards);
  }

  /** Writes every file anew. */
  public void rewrite(ColumnFamily family, byte[] from, byte[] to) {
    compact(family, from, to, whole);
  }

  /** Writes every file anew, those of large values too. */
  public void rewriteWithBlobs(ColumnFamily family, byte[] from, byte[] to) {
    try {
      database.setBlobShare(family, 1);
      rewrite(family, from, to);
    } finally {
      database.setBlobShare(family, NativeOptions.BLOB_SHARE);
    }
  }

  private void compact(ColumnFamily family, byte[] from, byte[] to, CompactRangeOptions how) {
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

  /** Ends what runs, and lets nothing begin any more. */
  public void stop() {
    stopped = true;
    downwards.setCanceled(true);
    whole.setCanceled(true);
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Frees what is native; nothing runs any more. */
  @Override
  public void close() {
    downwards.close();
    whole.close();
  }
}
