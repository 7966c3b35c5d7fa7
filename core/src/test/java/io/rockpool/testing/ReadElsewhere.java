package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import java.time.Duration;

/** An entry that one store has read lately is not idle to another. */
public final class ReadElsewhere {
  private static final Duration IDLE = Duration.ofSeconds(4);
  private static final long PAUSE_MILLIS = 50;
  private static final int ATTEMPTS = 10;

  private ReadElsewhere() {}

  /**
   * Reads two entries through one store for nine tenths of their idle time, and through the other
   * when the entries would have expired without these reads.
   */
  public static void check(Rockpool mine, Rockpool theirs) throws InterruptedException {
    PersistentCache<String, Long> reader = cache(mine);
    PersistentCache<String, Long> other = cache(theirs);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      reader.put("seen", 1L);
      reader.put("unseen", 2L);
      assertThat(other.get("seen")).isEqualTo(1L);
      long begun = System.nanoTime();
      long read = begun;
      while (read - begun < IDLE.toNanos() * 9 / 10) {
        reader.get("seen");
        reader.get("unseen");
        Thread.sleep(PAUSE_MILLIS);
        read = System.nanoTime();
      }
      while (System.nanoTime() - begun < IDLE.toNanos() * 5 / 4) {
        Thread.sleep(PAUSE_MILLIS);
      }
      Long seen = other.get("seen");
      Long unseen = other.get("unseen");
      if (System.nanoTime() - read < IDLE.toNanos() * 7 / 10) { // the machine did not hold it up
        assertThat(seen).as("in its memory since it was put").isEqualTo(1L);
        assertThat(unseen).as("never read there").isEqualTo(2L);
        return;
      }
    }
    throw new AssertionError("the machine holds the reader up");
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache(
        "shop/idle", String.class, Long.class, o -> o.expiry(CacheExpiry.afterAccess(IDLE)));
  }
}
