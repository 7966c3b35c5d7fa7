package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import java.io.IOException;
import java.nio.file.Files;
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
  private static final int VALUE_BYTES = 100;
  private static final int READS = 500_000;
  private static final int WALKED = 1_000_000;

  private MemoryLoader() {}

  /** Arguments: directory, entries, memory budget in bytes. */
  public static void main(String[] arguments) throws IOException {
    long entries = Long.parseLong(arguments[1]);
    try (Rockpool pool =
        Rockpool.at(Path.of(arguments[0])).memoryBytes(Long.parseLong(arguments[2])).open()) {
      PersistentCache<Long, byte[]> cache =
          pool.cache(
              "cache",
              Long.class,
              byte[].class,
              CacheOptions.<Long, byte[]>defaults().hotEntries(0));
      SplittableRandom random = new SplittableRandom(1);
      for (long from = 0; from < entries; from += BATCH) {
        Map<Long, byte[]> batch = new HashMap<>();
        for (long key = from; key < from + BATCH; key++) {
          byte[] value = new byte[VALUE_BYTES];
          random.nextBytes(value);
          batch.put(key * 0x9E3779B97F4A7C15L, value); // in no order
        }
        cache.putAll(batch);
      }
      say("loaded");
      for (int i = 0; i < READS; i++) {
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

  private static void say(String when) throws IOException {
    long kib =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .findFirst()
            .orElseThrow();
    System.out.println(when + " " + kib);
  }
}
