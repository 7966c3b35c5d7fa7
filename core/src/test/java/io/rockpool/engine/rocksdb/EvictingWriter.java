package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentMap;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A process that writes to a cache beyond its budget, and to a map, until it is killed; it says the
 * number of each round that is done. In a round the same keys get values of the round.
 */
final class EvictingWriter {
  static final int KEYS = 400;
  static final long BUDGET = 1 << 20;
  private static final int VALUE_BYTES = 4_000;

  private EvictingWriter() {}

  static Rockpool open(Path directory) {
    return Rockpool.over(
        RocksDbEngine.open(
            directory,
            RocksDbOptions.builder()
                .memoryBudgetBytes(8 << 20)
                .reclaimPeriod(Duration.ofMillis(1))
                .build()));
  }

  static PersistentCache<Integer, byte[]> cache(Rockpool pool) {
    return pool.cache(
        "cache",
        Integer.class,
        byte[].class,
        CacheOptions.<Integer, byte[]>defaults().diskBudgetBytes(BUDGET).hotEntries(20));
  }

  static PersistentMap<Integer, Integer> map(Rockpool pool) {
    return pool.map("map", Integer.class, Integer.class);
  }

  /** The value of a key in a round: the round, and bytes that are the same each time. */
  static byte[] value(int key, int round) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(((long) round << Integer.SIZE) + key).nextBytes(value);
    ByteBuffer.wrap(value).putInt(round);
    return value;
  }

  public static void main(String[] arguments) {
    Rockpool pool = open(Path.of(arguments[0]));
    PersistentCache<Integer, byte[]> cache = cache(pool);
    Map<Integer, Integer> map = map(pool);
    PrintStream said = new PrintStream(System.out, true);
    for (int round = Integer.parseInt(arguments[1]); ; round++) {
      Map<Integer, byte[]> values = new HashMap<>();
      for (int key = 0; key < KEYS; key++) {
        values.put(key, value(key, round));
      }
      cache.putAll(values);
      map.put(round, round);
      said.println(round);
    }
  }
}
