package io.rockpool.spring.metrics;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rockpool.spring.RockpoolCache;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;

/** Gives Boot the metrics of a {@link RockpoolCache}. */
public final class RockpoolCacheMeterBinderProvider
    implements CacheMeterBinderProvider<RockpoolCache> {
  /** A provider. */
  public RockpoolCacheMeterBinderProvider() {}

  @Override
  public MeterBinder getMeterBinder(RockpoolCache cache, Iterable<Tag> tags) {
    return new RockpoolCacheMetrics(cache, tags);
  }
}
