package io.rockpool.internal.access;

import io.rockpool.cache.CacheExpiry;
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
}
