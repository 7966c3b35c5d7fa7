package io.rockpool.engine.rocksdb;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.FakeClock;
import java.time.Duration;

/** Fills a store with some of everything: each structure, what expires, what was removed. */
final class StoreOfEverything {
  static final int ELEMENTS = 400;

  /** Larger than what lies in blob files. */
  private static final int LARGE = 20 << 10;

  private static final Duration SHORT = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofDays(10);

  private StoreOfEverything() {}

  /** Fills a store; some of what expires has done so afterwards. */
  static void fill(Rockpool pool, FakeClock clock) {
    PersistentCache<String, String> cache = pool.cache("all/cache", String.class, String.class);
    PersistentMap<String, String> map = pool.map("all/map", String.class, String.class);
    PersistentTable<String, Long, String> table =
        pool.table("all/table", String.class, Long.class, String.class);
    PersistentDeque<Integer> deque = pool.deque("all/deque", Integer.class);
    PersistentScoredSet<String> scored = pool.scoredSet("all/scored", String.class);
    PersistentScoredSet<String> unranked =
        pool.scoredSet("all/unranked", TypeRef.of(String.class), o -> o.ranked(false));
    for (int i = 0; i < ELEMENTS; i++) {
      String text = "element-" + i;
      Duration ttl = i % 3 == 0 ? SHORT : LONG;
      cache.put(text, text);
      cache.put(text + "x", text, ttl);
      map.put(text, text);
      map.put(text + "x", text, ttl);
      table.put("row-" + i % 7, (long) i, text);
      table.put("short-" + i, (long) i, text, ttl);
      pool.set("all/set", String.class).add(text);
      pool.sortedMap("all/sorted-map", Integer.class, String.class).put(i, text);
      pool.sortedSet("all/sorted-set", Integer.class).add(i);
      deque.offerLast(i);
      deque.offerFirstExpiring(i, ttl);
      deque.insert(i / 2, -i);
      scored.add(text, i % 10);
      scored.add(text + "x", i, ttl);
      unranked.add(text, i, ttl);
    }
    map.put("large", "x".repeat(LARGE));
    pool.value("all/value", String.class).set("one");
    pool.counter("all/counter").incrementAndGet();
    pool.map("all/cleared", String.class, String.class).put("a", "b");
    pool.map("all/cleared", String.class, String.class).clear();
    pool.map("all/cleared", String.class, String.class).put("c", "d");
    pool.set("all/dropped", String.class).add("e");
    pool.names().drop("all/dropped");
    pool.set("all/expires", String.class).add("f");
    pool.set("all/expires", String.class).clearAfter(SHORT);
    clock.advanceMillis(SHORT.toMillis() + 1);
    for (int i = 0; i < ELEMENTS; i += 2) {
      cache.invalidate("element-" + i);
      map.remove("element-" + i);
      deque.pollFirst();
      deque.pollLast();
      scored.remove("element-" + i);
    }
  }
}
