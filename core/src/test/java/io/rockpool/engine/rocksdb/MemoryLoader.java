package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.internal.rocksdb.natives.NativeHeap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A process that loads a cache, reads it at random, and walks over a part of it; it says what it
 * takes of memory.
 */
final class MemoryLoader {
  private static final int BATCH = 1_000;
  private static final int READS = 500_000;
  private static final int WALKED = 1_000_000;

  private MemoryLoader() {}

  /** Arguments: directory, entries, bytes of a value, memory budget in bytes. */
  public static void main(String[] arguments) {
    long entries = Long.parseLong(arguments[1]);
    int valueBytes = Integer.parseInt(arguments[2]);
    try (Rockpool pool =
        Rockpool.at(Path.of(arguments[0])).memoryBytes(Long.parseLong(arguments[3])).open()) {
      PersistentCache<Long, byte[]> cache =
          pool.cache("cache", Long.class, byte[].class, o -> o.hotEntries(0));
      SplittableRandom random = new SplittableRandom(1);
      for (long from = 0; from < entries; from += BATCH) {
        if (from == entries / 10) {
          say("begun");
        }
        Map<Long, byte[]> batch = new HashMap<>();
        for (long key = from; key < from + BATCH; key++) {
          byte[] value = new byte[valueBytes];
          random.nextBytes(value);
          batch.put(key * 0x9E3779B97F4A7C15L, value); // in no order
        }
        cache.putAll(batch);
      }
      say("loaded");
      for (int i = 0; i < Math.min(entries, READS); i++) {
        if (cache.get(random.nextLong(entries) * 0x9E3779B97F4A7C15L) == null) {
          throw new IllegalStateException("an entry is missing");
        }
      }
      say("read");
      int walked = 0;
      for (Map.Entry<Long, byte[]> unused : cache) {
        if (++walked == WALKED) {
          break;
        }
      }
      say("walked");
    }
  }

  private static void say(String when) {
    System.out.println(when + " " + (NativeHeap.residentBytes() >> 10));
  }
}
