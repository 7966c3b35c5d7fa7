package io.rockpool.quarkus.internal;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.cache.PersistentCache;
import org.jspecify.annotations.Nullable;

/** The meters that all caches have, and what tells a cold start from a cache that is too small. */
final class CacheMeters extends CacheMeterBinder<PersistentCache<Object, Object>> {
  private final PersistentCache<Object, Object> cache;

  private CacheMeters(PersistentCache<Object, Object> cache) {
    super(cache, cache.name(), Tags.empty());
    this.cache = cache;
  }

  static void bind(PersistentCache<Object, Object> cache) {
    new CacheMeters(cache).bindTo(Metrics.globalRegistry);
  }

  private CacheStatistics statistics() {
    return cache.statistics();
  }

  /** Counting would read the whole cache. */
  @Override
  protected @Nullable Long size() {
    return null;
  }

  @Override
  protected long hitCount() {
    return statistics().hits();
  }

  @Override
  protected Long missCount() {
    return statistics().misses();
  }

  @Override
  protected Long evictionCount() {
    return statistics().evictions();
  }

  @Override
  protected long putCount() {
    return statistics().puts();
  }

  @Override
  protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
    FunctionCounter.builder("cache.hits", cache, it -> it.statistics().hotHits())
        .tags(getTagsWithCacheName())
        .tag("tier", "memory")
        .description("Reads answered from memory")
        .register(registry);
    FunctionCounter.builder("cache.hits", cache, it -> it.statistics().diskHits())
        .tags(getTagsWithCacheName())
        .tag("tier", "disk")
        .description("Reads answered from disk")
        .register(registry);
    FunctionCounter.builder("cache.undecodable", cache, it -> it.statistics().undecodable())
        .tags(getTagsWithCacheName())
        .description("Values that were not readable")
        .register(registry);
  }
}
