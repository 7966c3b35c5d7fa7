package io.rockpool.engine.rocksdb;

import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.store.Durability;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** Writes what Rockpool itself never would, past all that keeps it in order. */
final class CorruptedStore {
  private CorruptedStore() {}

  static void put(RocksDbEngine engine, ColumnFamily family, byte[] key, byte[] record) {
    engine
        .internals()
        .writePath()
        .put(family, key, key.length, record, record.length, Durability.BUFFERED);
  }

  static void delete(RocksDbEngine engine, ColumnFamily family, byte[] key) {
    engine.internals().writePath().delete(family, key, key.length, Durability.BUFFERED);
  }

  /** Puts into files what is in memory. */
  static void flush(RocksDbEngine engine) {
    Database database = engine.internals().database();
    try (FlushOptions options = new FlushOptions()) {
      for (ColumnFamily family : ColumnFamily.values()) {
        database.nativeDatabase().flush(options, database.handle(family));
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }
}
