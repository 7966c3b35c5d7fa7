package io.rockpool.cache;

import java.time.Duration;

/**
 * What a cache has done since it was opened. Each number is exact once the calls it counts have
 * returned; they are read one after another, not at one instant.
 *
 * @param hotHits reads answered from memory
 * @param diskHits reads answered from disk
 * @param misses reads that found nothing
 * @param puts values written, loaded ones included
 * @param removals entries removed by a call; {@link PersistentCache#clear}, expiry and evictions do
 *     not count
 * @param loads values loaded by {@link PersistentCache#get(Object, ValueLoader)}
 * @param loadFailures loads that threw
 * @param loadTime the time spent in loaders
 * @param undecodable values found that could not be decoded
 * @param unencodable values that could not be encoded and were not stored; see {@link
 *     CacheOptions.OnUnencodable}
 * @param warmed entries that were brought back into memory after the cache was opened; see {@link
 *     CacheOptions#warmRestart}
 * @param staleHits hits, counted above, whose value was due to be refreshed; see {@link
 *     CacheSettings#softTtl(java.time.Duration)}
 * @param refreshes refreshes whose loader returned, whatever became of the result; not counted as
 *     loads
 * @param refreshFailures refreshes that failed
 * @param refreshRejections refreshes that were not begun because the executor was full
 * @param evictions entries removed because the disk they took was needed, or there were too many;
 *     see {@link CacheOptions#diskBudgetBytes(long)} and {@link CacheOptions#maximumSize(long)}.
 *     Some of them may have expired
 */
public record CacheStatistics(
    long hotHits,
    long diskHits,
    long misses,
    long puts,
    long removals,
    long loads,
    long loadFailures,
    Duration loadTime,
    long undecodable,
    long unencodable,
    long warmed,
    long staleHits,
    long refreshes,
    long refreshFailures,
    long refreshRejections,
    long evictions) {
  /** Reads that found a value. */
  public long hits() {
    return hotHits + diskHits;
  }

  /** The part of reads that found a value, from 0 to 1; 1 if there was none. */
  public double hitRatio() {
    long reads = hits() + misses;
    return reads == 0 ? 1 : (double) hits() / reads;
  }
}
