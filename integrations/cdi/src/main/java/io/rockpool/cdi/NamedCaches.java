package io.rockpool.cdi;

import java.lang.annotation.Annotation;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheInvocationContext;
import javax.cache.annotation.CacheMethodDetails;
import javax.cache.annotation.CacheResolver;
import javax.cache.annotation.CacheResolverFactory;
import javax.cache.annotation.CacheResult;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;

/** The caches of a manager, asked for at each call: one may be closed and opened again. */
record NamedCaches(Supplier<CacheManager> manager) implements CacheResolverFactory {
  @Override
  public CacheResolver getCacheResolver(CacheMethodDetails<? extends Annotation> method) {
    return new Named(manager, method.getCacheName());
  }

  @Override
  public CacheResolver getExceptionCacheResolver(CacheMethodDetails<CacheResult> method) {
    return new Named(manager, method.getCacheAnnotation().exceptionCacheName());
  }

  private record Named(Supplier<CacheManager> manager, String name) implements CacheResolver {
    @Override
    public <K, V> Cache<K, V> resolveCache(CacheInvocationContext<? extends Annotation> call) {
      CacheManager caches = manager.get();
      Cache<K, V> found = find(caches);
      return found == null ? create(caches) : found;
    }

    private <K, V> @Nullable Cache<K, V> find(CacheManager caches) {
      return caches.getCache(name);
    }

    private <K, V> Cache<K, V> create(CacheManager caches) {
      try {
        return caches.createCache(name, new MutableConfiguration<K, V>());
      } catch (CacheException e) { // another thread may have created it
        Cache<K, V> found = find(caches);
        if (found == null) {
          throw e;
        }
        return found;
      }
    }
  }
}
