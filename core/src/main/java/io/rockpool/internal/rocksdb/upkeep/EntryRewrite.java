package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;

/**
 * Compacts all entries on a thorough reclaim, which drops expired ones. Otherwise RocksDB's
 * periodic compactions drop them.
 */
final class EntryRewrite implements Chore {
  private final Compactions compactions;

  EntryRewrite(Compactions compactions) {
    this.compactions = compactions;
  }

  @Override
  public boolean step(boolean thorough) {
    if (thorough) {
      compactions.rewrite(
          ColumnFamily.ENTRIES, Generation.prefix(0), Generation.prefix(Long.MAX_VALUE));
    }
    return false;
  }
}
