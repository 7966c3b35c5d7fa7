package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A cache into which more is put than its disk budget lets it keep: the same keys again and again,
 * with values that say in which round they were put. What is evicted follows from chance; but an
 * entry that is there has a value of the last round, or of the one that was being put.
 */
final class Crowd {
  static final int KEYS = 400;

  private static final long BUDGET_BYTES = 64 << 10;
  private static final long HOT_ENTRIES = 20;

  /** Of random ones, so that all together do not fit in, compressed or not. */
  private static final int VALUE_LONGS = 60;

  private final PersistentCache<Integer, String> cache;

  Crowd(Rockpool pool) {
    this.cache =
        pool.cache(
            "shared/crowd",
            Integer.class,
            String.class,
            o -> o.diskBudgetBytes(BUDGET_BYTES).hotEntries(HOT_ENTRIES));
  }

  /** Puts a value of that round at each key. */
  void put(int round) {
    Map<Integer, String> values = new HashMap<>();
    for (int key = 0; key < KEYS; key++) {
      values.put(key, value(key, round));
    }
    cache.putAll(values);
  }

  /** How many entries were evicted since it was opened. */
  long evictions() {
    return cache.statistics().evictions();
  }

  /** The rounds whose values are there, by key; -1 for a value that was never put. */
  Map<Integer, Integer> rounds() {
    Map<Integer, Integer> rounds = new HashMap<>();
    for (Map.Entry<Integer, String> entry : cache) {
      String value = entry.getValue();
      int round = Integer.parseInt(value.substring(0, value.indexOf(' ')));
      rounds.put(entry.getKey(), value.equals(value(entry.getKey(), round)) ? round : -1);
    }
    return rounds;
  }

  private static String value(int key, int round) {
    Random random = new Random(((long) round << Integer.SIZE) + key);
    StringBuilder value = new StringBuilder().append(round).append(' ');
    random.longs(VALUE_LONGS).forEach(number -> value.append(Long.toHexString(number)));
    return value.toString();
  }
}
