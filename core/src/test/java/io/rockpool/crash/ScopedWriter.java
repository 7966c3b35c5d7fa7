package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that writes with levels for single writes, and ends without closing its stores. No log
 * of theirs is forced by the clock.
 */
final class ScopedWriter {
  private ScopedWriter() {}

  public static void main(String[] arguments) {
    Rockpool loose = open(Path.of(arguments[0]), Durability.BUFFERED);
    PersistentMap<String, String> map = map(loose);
    PersistentCache<String, String> cache = cache(loose);
    map.put("before", "v");
    loose.withDurability(Durability.SYNC, () -> map.put("within", "v"));
    cache.put("before", "v");
    loose.runWithDurability(Durability.SYNC, () -> cache.put("within", "v"));
    map.put("after", "v");
    cache.put("after", "v");

    Rockpool safe = open(Path.of(arguments[1]), Durability.SYNC);
    PersistentMap<String, String> safeMap = map(safe);
    safeMap.put("before", "v");
    safe.withDurability(Durability.BUFFERED, () -> safeMap.put("within", "v"));
    Runtime.getRuntime().halt(0);
  }

  private static Rockpool open(Path directory, Durability level) {
    RocksDbOptions options =
        RocksDbOptions.builder().durability(level).syncPeriod(Duration.ofHours(1)).build();
    return Rockpool.at(o -> RocksDbEngine.open(directory, options)).open();
  }

  static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("map", String.class, String.class);
  }

  /** With nothing in memory: to keep what is there would write, and force, by itself. */
  static PersistentCache<String, String> cache(Rockpool pool) {
    return pool.cache("cache", String.class, String.class, o -> o.hotEntries(0));
  }
}
