package io.rockpool.spring.boot;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rockpool.Rockpool;
import io.rockpool.spring.metrics.RockpoolCacheMeterBinderProvider;
import io.rockpool.spring.metrics.RockpoolStoreMetrics;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the metrics of stores, tagged {@code store} with the name of the bean, and
 * of Rockpool's caches, for Boot's own registration of them.
 */
@AutoConfiguration(
    after = RockpoolAutoConfiguration.class,
    before = CacheMetricsAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
public final class RockpoolMetricsAutoConfiguration {
  @Bean
  @ConditionalOnBean(Rockpool.class)
  @ConditionalOnMissingBean(name = "rockpoolStoreMetrics")
  static MeterBinder rockpoolStoreMetrics(ConfigurableListableBeanFactory beans) {
    OpenStores stores = new OpenStores(beans);
    return registry ->
        stores
            .names()
            .forEach(
                name ->
                    new RockpoolStoreMetrics(() -> stores.store(name), Tags.of("store", name))
                        .bindTo(registry));
  }

  /** Of caches. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(CacheMeterBinderProvider.class)
  static class OfCaches {
    @Bean
    @ConditionalOnMissingBean
    RockpoolCacheMeterBinderProvider rockpoolCacheMeterBinderProvider() {
      return new RockpoolCacheMeterBinderProvider();
    }
  }
}
