package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.Slow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What caches take of the heap that have few entries, and what is left of closed ones. */
@Slow
final class CacheHeapTest {
  private static final int CACHES = 1_000;

  /** About four times what was measured. */
  private static final long MOST_BYTES_A_CACHE = 68 << 10;

  /** What the store itself keeps of a name, and what others allocate meanwhile. */
  private static final long MOST_BYTES_A_CLOSED_CACHE = 8 << 10;

  private static long usedBytes() {
    return usedBytes(3, 0);
  }

  /**
   * The least that was used in some looks; {@code enough} ends them. What a test before has left to
   * other threads may be there for a moment, and a leak stays.
   */
  private static long usedBytes(int looks, long enough) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < looks && least > enough; i++) {
      System.gc();
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }

  @Test
  void aCallThatGoesOnWhileItsCacheIsClosedIsSeenByTheNextOne() {
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.open()).open()) {
      PersistentCache<String, String> cache = use(pool, "cache");
      cache.close();
      System.gc();
      assertThat(use(pool, "cache").entries.shared).isSameAs(cache.entries.shared);
    }
  }

  @Test
  void aCacheTakesHeapAsItIsUsedAndGivesItBackWhenItIsClosed() {
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.open()).open()) {
      use(pool, "first");
      long before = usedBytes();
      List<PersistentCache<String, String>> caches = new ArrayList<>();
      for (int i = 0; i < CACHES; i++) {
        caches.add(use(pool, "cache-" + i));
      }
      long open = (usedBytes() - before) / CACHES;
      assertThat(open).as("bytes an open cache").isLessThan(MOST_BYTES_A_CACHE);
      caches.forEach(PersistentCache::close);
      caches.clear();
      long most = before + CACHES * MOST_BYTES_A_CLOSED_CACHE - CACHES;
      long closed = (usedBytes(50, most) - before) / CACHES;
      assertThat(closed).as("bytes a closed cache").isLessThan(MOST_BYTES_A_CLOSED_CACHE);
      assertThat(use(pool, "cache-7").get("key")).isEqualTo("value");
    }
  }

  private static PersistentCache<String, String> use(Rockpool pool, String name) {
    PersistentCache<String, String> cache = pool.cache(name, String.class, String.class);
    cache.put("key", "value");
    assertThat(cache.get("key")).isEqualTo("value");
    return cache;
  }
}
