package io.rockpool.tck;

import java.net.URI;
import javax.cache.Caching;
import javax.cache.annotation.BeanProvider;
import manager.CacheNameOnEachMethodBlogManagerImpl;
import manager.ClassLevelCacheConfigBlogManagerImpl;
import manager.UsingDefaultCacheNameBlogManagerImpl;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The beans that the kit's tests of annotations ask for: annotated classes behind Spring's proxies.
 */
public final class SpringBeans implements BeanProvider {
  private final ApplicationContext beans = new AnnotationConfigApplicationContext(Beans.class);

  @Override
  public <T> T getBeanByType(Class<T> beanClass) {
    return beans.getBean(beanClass);
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  @Import({
    CacheNameOnEachMethodBlogManagerImpl.class,
    ClassLevelCacheConfigBlogManagerImpl.class,
    UsingDefaultCacheNameBlogManagerImpl.class
  })
  static class Beans {
    @Bean
    JCacheCacheManager cacheManager() {
      return new JCacheCacheManager(
          Caching.getCachingProvider()
              .getCacheManager(
                  URI.create("classpath:annotations.conf"), SpringBeans.class.getClassLoader()));
    }
  }
}
