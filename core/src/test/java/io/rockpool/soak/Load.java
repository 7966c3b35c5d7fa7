package io.rockpool.soak;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What an application does all day: mostly reads, entries that expire and some that do not, a
 * queue, a ranking.
 */
final class Load {
  private static final int KEYS = 500_000;
  private static final int MEMBERS = 20_000;
  private static final int MAX_TTL_SECONDS = 120;
  private static final int MAX_VALUE_BYTES = 16_000;

  private final PersistentCache<Integer, byte[]> cache;
  private final PersistentMap<Integer, String> map;
  private final PersistentDeque<byte[]> queue;
  private final PersistentScoredSet<Integer> ranking;
  private final PersistentCounter counter;
  private final Rockpool pool;

  Load(Rockpool pool) {
    this.pool = pool;
    this.cache = pool.cache("soak/cache", Integer.class, byte[].class);
    this.map = pool.map("soak/map", Integer.class, String.class);
    this.queue = pool.deque("soak/queue", byte[].class);
    this.ranking = pool.scoredSet("soak/ranking", Integer.class);
    this.counter = pool.counter("soak/counter");
  }

  /** How many entries of the cache were evicted for want of disk. */
  long evictions() {
    return cache.statistics().evictions();
  }

  /** Does one thing. */
  void step(SplittableRandom random) {
    // Small numbers more often than large ones.
    int key = (int) (KEYS * Math.pow(random.nextDouble(), 3));
    switch (random.nextInt(20)) {
      case 0, 1 -> cache.put(random.nextInt(KEYS), value(random));
      case 2, 3, 4 -> cache.put(key, value(random), ttl(random));
      case 5, 6, 7, 8, 9, 10, 11 -> cache.get(key);
      case 12 -> map.put(key, "value " + key, ttl(random));
      case 13, 14 -> map.get(key);
      case 15 -> queue.offerLast(value(random));
      case 16 -> queue.pollFirst();
      case 17 -> ranking.add(key % MEMBERS, random.nextInt(), ttl(random));
      case 18 -> ranking.reverseRank(key % MEMBERS);
      default ->
          pool.atomically(
              tx -> {
                map.remove(key);
                return counter.incrementAndGet();
              });
    }
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[random.nextInt(MAX_VALUE_BYTES)];
    random.nextBytes(value);
    return value;
  }

  private static Duration ttl(SplittableRandom random) {
    return Duration.ofSeconds(1 + random.nextInt(MAX_TTL_SECONDS));
  }
}
