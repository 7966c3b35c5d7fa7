package io.rockpool.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.spring.RockpoolCacheManager;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.cache.metrics.CacheMetricsRegistrar;
import org.springframework.context.annotation.Bean;

/**
 * Has Boot's registrar measure the caches that are made on demand, too: Boot itself registers those
 * that are there when the application starts.
 */
@AutoConfiguration(after = CacheMetricsAutoConfiguration.class)
@ConditionalOnClass(CacheMetricsRegistrar.class)
@ConditionalOnBean({CacheMetricsRegistrar.class, RockpoolCacheManager.class})
public final class RockpoolCacheMetricsAutoConfiguration {
  private static final String MANAGER_SUFFIX = "cachemanager";

  @Bean
  SmartInitializingSingleton rockpoolCacheMetricsOnDemand(
      CacheMetricsRegistrar registrar, MeterRegistry registry, ListableBeanFactory beans) {
    return () -> {
      Map<String, RockpoolCacheManager> managers = beans.getBeansOfType(RockpoolCacheManager.class);
      managers.forEach(
          (name, manager) -> {
            Tag tag = Tag.of("cache.manager", managerName(name));
            manager.whenMade(
                cache -> {
                  if (!isMeasured(cache, tag, registry)) {
                    registrar.bindCacheToRegistry(cache, tag);
                  }
                });
          });
    };
  }

  private static boolean isMeasured(RockpoolCache cache, Tag manager, MeterRegistry registry) {
    return registry
            .find("cache.gets")
            .tags(List.of(manager, Tag.of("cache", cache.getName())))
            .meter()
        != null;
  }

  /** The name by which Boot tags a manager's metrics. */
  private static String managerName(String beanName) {
    return beanName.length() > MANAGER_SUFFIX.length()
            && beanName.toLowerCase(Locale.ROOT).endsWith(MANAGER_SUFFIX)
        ? beanName.substring(0, beanName.length() - MANAGER_SUFFIX.length())
        : beanName;
  }
}
