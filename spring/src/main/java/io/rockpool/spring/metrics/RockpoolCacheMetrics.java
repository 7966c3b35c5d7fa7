package io.rockpool.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.spring.RockpoolCache;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a cache: those that all caches have, except for the size, which nothing knows
 * without a scan; evictions are those for the sake of a disk budget; and
 *
 * <ul>
 *   <li>{@code cache.hits}, tagged {@code tier}: {@code memory} or {@code disk}
 *   <li>{@code cache.removals}: entries found and removed
 *   <li>{@code cache.load}, tagged {@code result}: {@code success} or {@code failure}
 *   <li>{@code cache.load.duration}: the time spent in loaders
 *   <li>{@code cache.hits.stale}: reads answered with a value that was due to be refreshed
 *   <li>{@code cache.refresh}, tagged {@code result}: {@code success}, {@code failure} or {@code
 *       rejected}, where too many others ran
 *   <li>{@code cache.unencodable}: values that could not be encoded, and were not cached
 *   <li>{@code cache.undecodable}: values found that could not be decoded, and were misses
 *   <li>{@code cache.memory.entries}: entries in memory, about
 * </ul>
 */
public final class RockpoolCacheMetrics extends CacheMeterBinder<RockpoolCache> {
  /** The metrics of a cache, with these tags beside its name. */
  public RockpoolCacheMetrics(RockpoolCache cache, Iterable<Tag> tags) {
    super(cache, cache.getName(), tags);
  }

  @Override
  protected @Nullable Long size() {
    return null;
  }

  @Override
  protected long hitCount() {
    RockpoolCache cache = getCache();
    return cache == null ? 0 : statistics(cache).hits();
  }

  @Override
  protected Long missCount() {
    RockpoolCache cache = getCache();
    return cache == null ? 0L : statistics(cache).misses();
  }

  @Override
  protected Long evictionCount() {
    RockpoolCache cache = getCache();
    return cache == null ? 0L : statistics(cache).evictions();
  }

  @Override
  protected long putCount() {
    RockpoolCache cache = getCache();
    return cache == null ? 0 : statistics(cache).puts();
  }

  @Override
  protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
    RockpoolCache cache = getCache();
    if (cache == null) {
      return;
    }
    count(cache, "cache.hits", CacheStatistics::hotHits, "Reads answered from memory")
        .tag("tier", "memory")
        .register(registry);
    count(cache, "cache.hits", CacheStatistics::diskHits, "Reads answered from disk")
        .tag("tier", "disk")
        .register(registry);
    count(cache, "cache.removals", CacheStatistics::removals, "Entries found and removed")
        .register(registry);
    count(cache, "cache.load", CacheStatistics::loads, "Values loaded")
        .tag("result", "success")
        .register(registry);
    count(cache, "cache.load", CacheStatistics::loadFailures, "Loads that failed")
        .tag("result", "failure")
        .register(registry);
    count(cache, "cache.hits.stale", CacheStatistics::staleHits, "Values served that were due")
        .register(registry);
    count(cache, "cache.refresh", CacheStatistics::refreshes, "Values refreshed")
        .tag("result", "success")
        .register(registry);
    count(cache, "cache.refresh", CacheStatistics::refreshFailures, "Refreshes that failed")
        .tag("result", "failure")
        .register(registry);
    count(cache, "cache.refresh", CacheStatistics::refreshRejections, "Refreshes not begun")
        .tag("result", "rejected")
        .register(registry);
    count(cache, "cache.undecodable", CacheStatistics::undecodable, "Values that were not readable")
        .register(registry);
    count(cache, "cache.unencodable", CacheStatistics::unencodable, "Values that were not stored")
        .register(registry);
    TimeGauge.builder(
            "cache.load.duration",
            cache,
            TimeUnit.NANOSECONDS,
            c -> statistics(c).loadTime().toNanos())
        .tags(getTagsWithCacheName())
        .description("The time spent in loaders")
        .register(registry);
    Gauge.builder("cache.memory.entries", cache, c -> c.getNativeCache().hotSize())
        .tags(getTagsWithCacheName())
        .description("Entries in memory, about")
        .register(registry);
  }

  private FunctionCounter.Builder<RockpoolCache> count(
      RockpoolCache cache,
      String name,
      ToDoubleFunction<CacheStatistics> number,
      String description) {
    return FunctionCounter.builder(name, cache, c -> number.applyAsDouble(statistics(c)))
        .tags(getTagsWithCacheName())
        .description(description);
  }

  private static CacheStatistics statistics(RockpoolCache cache) {
    return cache.getNativeCache().statistics();
  }
}
