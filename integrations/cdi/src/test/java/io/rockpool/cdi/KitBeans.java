package io.rockpool.cdi;

import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import javax.cache.CacheManager;
import javax.cache.annotation.BeanProvider;
import manager.CacheNameOnEachMethodBlogManagerImpl;
import manager.ClassLevelCacheConfigBlogManagerImpl;
import manager.UsingDefaultCacheNameBlogManagerImpl;

/** The beans that the kit's tests of annotations ask for. */
public final class KitBeans implements BeanProvider {
  private static final SeContainer BEANS =
      SeContainerInitializer.newInstance()
          .disableDiscovery()
          .addExtensions(new CacheAnnotationsExtension())
          .addBeanClasses(
              CacheNameOnEachMethodBlogManagerImpl.class,
              ClassLevelCacheConfigBlogManagerImpl.class,
              UsingDefaultCacheNameBlogManagerImpl.class,
              KitManager.class)
          .initialize();

  @Override
  public <T> T getBeanByType(Class<T> beanClass) {
    return BEANS.select(beanClass).get();
  }

  /** The caches that methods have used. */
  static Iterable<String> caches() {
    return BEANS.select(CacheManager.class).get().getCacheNames();
  }

  static void close() {
    BEANS.select(CacheManager.class).get().close();
    BEANS.close();
  }
}
