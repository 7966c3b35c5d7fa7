package io.rockpool.engine.rocksdb;

import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import java.util.ArrayList;
import java.util.List;

/** What lies in a store, whether anyone sees it or not. */
final class RawRecords {
  private RawRecords() {}

  /** The keys of a column family. */
  static List<byte[]> keys(RocksDbEngine engine, ColumnFamily family) {
    Database database = engine.internals().database();
    List<byte[]> keys = new ArrayList<>();
    try (NativeScan all =
        database.scan(
            database.now(),
            family,
            Generation.prefix(0),
            Generation.prefix(Long.MAX_VALUE),
            false,
            true)) {
      while (all.next()) {
        keys.add(all.key());
      }
    }
    return keys;
  }

  /** How many there are in a column family. */
  static int count(RocksDbEngine engine, ColumnFamily family) {
    return keys(engine, family).size();
  }
}
