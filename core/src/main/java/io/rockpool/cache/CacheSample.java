package io.rockpool.cache;

import java.time.Duration;
import java.util.List;

/**
 * What a look at some of a cache's entries has shown.
 *
 * @param whole whether the entries that were looked at are all there are
 * @param ttls how much longer each of them lives, in no particular order; {@link
 *     CacheExpiry#FOREVER} where it does not expire
 */
public record CacheSample(boolean whole, List<Duration> ttls) {
  /** The most entries that are looked at: what was found of them is in memory at once. */
  public static final int MAX_ENTRIES = 100_000;

  /** Copies. */
  public CacheSample {
    ttls = List.copyOf(ttls);
  }

  /**
   * Looks at up to {@code limit} entries, from several places of the cache but not at random.
   * Decodes nothing, moves no expiry, and is not counted as reads. Reads {@code limit} records at
   * most.
   *
   * @param limit from 1 to {@link #MAX_ENTRIES}
   * @throws IllegalArgumentException if {@code limit} is neither
   * @throws IllegalStateException if the cache is closed, and inside a transaction
   */
  public static CacheSample of(PersistentCache<?, ?> cache, int limit) {
    if (limit <= 0 || limit > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "limit is " + limit + "; give a number from 1 to " + MAX_ENTRIES + ".");
    }
    cache.ensureOpen();
    return new Sampling(cache.entries, limit).take();
  }
}
