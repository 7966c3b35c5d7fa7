package io.rockpool.spring.boot;

import io.rockpool.spring.CacheTagsAdvisor;
import io.rockpool.spring.CacheableAllAdvisor;
import io.rockpool.spring.CacheableRefresher;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of tags and background refreshes of methods with cache annotations, if caching
 * is enabled in this context; refreshes only if {@code spring.cache.type} is unset or {@code
 * rockpool}. The cache manager may be the application's own, or that of a parent context.
 */
@AutoConfiguration
@ConditionalOnBean(value = CacheAspectSupport.class, search = SearchStrategy.CURRENT)
public final class RockpoolCacheAnnotationsAutoConfiguration {
  @Bean
  @Conditional(OnRockpoolCacheType.class)
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  static CacheableRefresher cacheableRefresher() {
    return new CacheableRefresher();
  }

  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static CacheTagsAdvisor cacheTagsAdvisor(ObjectProvider<CacheManager> manager) {
    return new CacheTagsAdvisor(manager::getObject);
  }

  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static CacheableAllAdvisor cacheableAllAdvisor(ObjectProvider<CacheManager> manager) {
    return new CacheableAllAdvisor(manager::getObject);
  }
}
