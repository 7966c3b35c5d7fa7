package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;
import io.rockpool.internal.rocksdb.natives.Database;

/**
 * Rewrites the files of large values if much of them is garbage, when a thorough reclaim is
 * requested. Otherwise RocksDB rewrites the oldest of them, after compactions have found the
 * garbage.
 */
final class BlobRewrite implements Chore {
  /** One part in so many of the bytes of large values may remain garbage. */
  private static final int SPARED_SHARE = 4;

  private static final byte[] FIRST = Generation.prefix(0);
  private static final byte[] END = Generation.prefix(Long.MAX_VALUE);

  private final Database database;
  private final Compactions compactions;

  BlobRewrite(Database database, Compactions compactions) {
    this.database = database;
    this.compactions = compactions;
  }

  @Override
  public boolean step(boolean thorough) {
    if (thorough && blobBytes() > 0) {
      compactions.settle(ColumnFamily.ROWS, FIRST, END);
      if (SPARED_SHARE * database.measures().blobGarbageBytes(ColumnFamily.ROWS) > blobBytes()) {
        compactions.rewriteWithBlobs(ColumnFamily.ROWS, FIRST, END);
      }
    }
    return false;
  }

  private long blobBytes() {
    return database.measures().blobBytes(ColumnFamily.ROWS);
  }
}
