package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.Chore;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Compactions;

/**
 * Leaves it to RocksDB to drop entries that have expired when it writes files anew, which it does
 * with each once in a while; has all of them written where that is asked for.
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
