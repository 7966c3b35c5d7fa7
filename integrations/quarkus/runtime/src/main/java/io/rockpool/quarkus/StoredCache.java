package io.rockpool.quarkus;

import io.quarkus.cache.Cache;
import io.rockpool.cache.PersistentCache;

/**
 * A cache of Quarkus that is in a Rockpool store: {@code
 * cacheManager.getCache("books").get().as(StoredCache.class)}.
 */
public interface StoredCache extends Cache {
  /**
   * The cache in the store. A key of a method with one parameter is that parameter; other keys are
   * records of this module.
   */
  PersistentCache<Object, Object> persistentCache();
}
