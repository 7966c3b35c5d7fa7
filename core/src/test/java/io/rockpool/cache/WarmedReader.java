package io.rockpool.cache;

import io.rockpool.Rockpool;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The child of {@link WarmRestartTest}: fills a cache, reads from it until it is warm, has its hot
 * keys kept as the timer does, says how warm it is, and waits to be killed.
 */
final class WarmedReader {
  static final int ENTRIES = 20_000;
  static final int HOT_ENTRIES = 2_000;
  static final int READS = 40_000;

  private WarmedReader() {}

  static PersistentCache<String, String> open(Rockpool pool) {
    return pool.cache("users", String.class, String.class, o -> o.hotEntries(HOT_ENTRIES));
  }

  /** Puts every entry, and reads until the hot tier has settled; returns its ratio then. */
  static double fillAndWarm(PersistentCache<String, String> cache, long seed) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < ENTRIES; i++) {
      all.put(ZipfReads.key(i), "value of " + i);
    }
    cache.putAll(all);
    ZipfReads reads = new ZipfReads(ENTRIES, seed);
    reads.hotRatio(cache, 2 * READS);
    return reads.hotRatio(cache, READS);
  }

  /** Arguments: directory, seed. */
  public static void main(String[] args) throws InterruptedException {
    PersistentCache<String, String> cache = open(Rockpool.open(Path.of(args[0])));
    double ratio = fillAndWarm(cache, Long.parseLong(args[1]));
    WarmRestart<String, String> warm = Objects.requireNonNull(cache.warmRestart);
    warm.broughtBack.join();
    warm.keep();
    System.out.println(ratio);
    System.out.flush();
    Thread.currentThread().join();
  }
}
