package io.rockpool.cache;

import io.rockpool.Rockpool;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.nio.file.Path;

/**
 * What every test of the cache runs on: each engine, with a roomy hot tier, one that always evicts,
 * and none; and an engine whose data other handles may change, though none does.
 */
enum CacheSetup {
  MEMORY_ROOMY(false, 10_000),
  MEMORY_COLD(false, 0),
  MEMORY_SHARED(false, 10_000),
  ROCKSDB_ROOMY(true, 10_000),
  ROCKSDB_TIGHT(true, 2),
  ROCKSDB_COLD(true, 0);

  private final boolean onDisk;
  private final long hotEntries;

  CacheSetup(boolean onDisk, long hotEntries) {
    this.onDisk = onDisk;
    this.hotEntries = hotEntries;
  }

  boolean isCold() {
    return hotEntries == 0;
  }

  Rockpool open(Path directory, FakeClock clock) {
    Engine engine =
        onDisk
            ? RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build())
            : memory(clock);
    return Rockpool.at(o -> engine).open();
  }

  private Engine memory(FakeClock clock) {
    return this == MEMORY_SHARED
        ? MemoryEngine.builder().clock(clock).shared().build()
        : TestServer.open(clock);
  }

  <K, V> CacheOptions<K, V> options() {
    return CacheOptions.<K, V>defaults().hotEntries(hotEntries);
  }
}
