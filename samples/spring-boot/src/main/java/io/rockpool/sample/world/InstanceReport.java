package io.rockpool.sample.world;

import java.time.Instant;
import java.util.List;

/**
 * What an instance says of itself once a second.
 *
 * @param address where its own page is
 * @param prepared the messages of the queue that it has handled
 * @param firings the firings of the timer that it has handled
 */
public record InstanceReport(
    String address,
    long pid,
    Instant started,
    List<CacheNumbers> caches,
    long prepared,
    long firings) {
  /**
   * What a cache of an instance has done.
   *
   * @param storeHits reads that found the entry on disk or on the server
   * @param memoryEntries the entries in its hot tier
   * @param invalidations changes by other instances that it has heard of
   */
  public record CacheNumbers(
      String name,
      long memoryHits,
      long storeHits,
      long misses,
      long puts,
      long memoryEntries,
      long invalidations) {}
}
