package io.rockpool.spring.boot;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.rockpool.spring.metrics.RockpoolCacheMeterBinderProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the metrics of Rockpool's caches, for Boot's own registration of them. */
@AutoConfiguration(before = CacheMetricsAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, CacheMeterBinderProvider.class})
public final class RockpoolMetricsAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  RockpoolCacheMeterBinderProvider rockpoolCacheMeterBinderProvider() {
    return new RockpoolCacheMeterBinderProvider();
  }
}
