package io.rockpool.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.cache.HotMemory;
import io.rockpool.cache.PersistentCache;
import io.rockpool.spring.RockpoolCache;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a cache: those that all caches have, of which evictions are those for the sake of
 * a disk budget or a maximum size; and
 *
 * <ul>
 *   <li>{@code cache.size}: entries, as they were counted last, see {@link
 *       io.rockpool.cache.PersistentCache#countedSize}; NaN for the first second or two
 *   <li>{@code cache.hits}, tagged {@code tier}: {@code memory} or {@code disk}
 *   <li>{@code cache.removals}: entries found and removed
 *   <li>{@code cache.invalidations}: changes by other processes that were reported
 *   <li>{@code cache.load}, tagged {@code result}: {@code success} or {@code failure}
 *   <li>{@code cache.load.duration}: the time spent in loaders
 *   <li>{@code cache.hits.stale}: reads answered with a value that was due to be refreshed
 *   <li>{@code cache.refresh}, tagged {@code result}: {@code success}, {@code failure} or {@code
 *       rejected}, where too many others ran
 *   <li>{@code cache.pending}, {@code cache.pending.size}, {@code cache.pending.age}, {@code
 *       cache.pending.dead}: the changes that a writer has yet to write, their bytes, the age of
 *       the oldest, and those that were given up; {@code cache.written}: changes written; {@code
 *       cache.write.failures}: calls of the writer that failed
 *   <li>{@code cache.unencodable}: values that could not be encoded, and were not cached
 *   <li>{@code cache.undecodable}: values found that could not be decoded, and were misses
 *   <li>{@code cache.memory.entries}: entries in memory, about; {@code cache.memory.size}: the
 *       bytes they have, as encoded and with their overhead; {@code cache.memory.max}: the bytes
 *       they may have now, tagged {@code shared}: {@code true} where that is a share of the heap
 *       budget. Both are 0 where the number of entries is what is bounded
 * </ul>
 */
public final class RockpoolCacheMetrics extends CacheMeterBinder<RockpoolCache> {
  /** The metrics of a cache, with these tags beside its name. */
  public RockpoolCacheMetrics(RockpoolCache cache, Iterable<Tag> tags) {
    super(cache, cache.getName(), tags);
  }

  /** Unknown when this is called; {@code cache.size} is bound separately. */
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
    count(
            cache,
            "cache.invalidations",
            CacheStatistics::invalidations,
            "Changes by other processes")
        .register(registry);
    count(cache, "cache.undecodable", CacheStatistics::undecodable, "Values that were not readable")
        .register(registry);
    count(cache, "cache.unencodable", CacheStatistics::unencodable, "Values that were not stored")
        .register(registry);
    bindPendingChanges(cache, registry);
    TimeGauge.builder(
            "cache.load.duration",
            cache,
            TimeUnit.NANOSECONDS,
            c -> statistics(c).loadTime().toNanos())
        .tags(getTagsWithCacheName())
        .description("The time spent in loaders")
        .register(registry);
    double unused = size(cache); // they are counted from now on
    gauge(cache, "cache.size", RockpoolCacheMetrics::size, "Entries, as they were counted last")
        .register(registry);
    gauge(cache, "cache.memory.entries", c -> memory(c).entries(), "Entries in memory, about")
        .register(registry);
    gauge(cache, "cache.memory.size", c -> memory(c).bytes(), "Bytes of entries in memory")
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
    gauge(cache, "cache.memory.max", c -> memory(c).maxBytes(), "Bytes there may be in memory now")
        .tag("shared", String.valueOf(memory(cache).shared()))
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
  }

  private void bindPendingChanges(RockpoolCache cache, MeterRegistry registry) {
    gauge(
            cache,
            "cache.pending",
            c -> statistics(c).pendingWrites(),
            "Changes that a writer has yet to write")
        .register(registry);
    gauge(
            cache,
            "cache.pending.size",
            c -> statistics(c).pendingBytes(),
            "Bytes of pending changes")
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
    gauge(cache, "cache.pending.dead", c -> statistics(c).deadLetters(), "Changes given up")
        .register(registry);
    TimeGauge.builder(
            "cache.pending.age",
            cache,
            TimeUnit.MILLISECONDS,
            c -> statistics(c).oldestPending().toMillis())
        .tags(getTagsWithCacheName())
        .description("How long the oldest change has been pending")
        .register(registry);
    count(cache, "cache.written", CacheStatistics::written, "Changes that the writer has written")
        .register(registry);
    count(
            cache,
            "cache.write.failures",
            CacheStatistics::writeFailures,
            "Calls of the writer failed")
        .register(registry);
  }

  private static double size(RockpoolCache cache) {
    PersistentCache<Object, Object> entries = cache.getNativeCache();
    // The name may have been dropped, and the cache is opened again at its next use.
    OptionalLong counted = entries.isClosed() ? OptionalLong.empty() : entries.countedSize();
    return counted.isPresent() ? counted.getAsLong() : Double.NaN;
  }

  private static HotMemory memory(RockpoolCache cache) {
    return cache.getNativeCache().hotMemory();
  }

  private Gauge.Builder<RockpoolCache> gauge(
      RockpoolCache cache, String name, ToDoubleFunction<RockpoolCache> value, String description) {
    return Gauge.builder(name, cache, value).tags(getTagsWithCacheName()).description(description);
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
