package io.rockpool.jcache;

import java.util.Collection;
import java.util.Map;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/** A cache's loader. What it throws is wrapped. */
record Loading<K, V>(CacheLoader<K, V> loader) {
  @Nullable V load(K key) {
    try {
      return loader.load(key);
    } catch (RuntimeException e) {
      throw wrapped(e);
    }
  }

  Map<K, V> loadAll(Collection<? extends K> keys) {
    try {
      return loader.loadAll(keys);
    } catch (RuntimeException e) {
      throw wrapped(e);
    }
  }

  private static CacheLoaderException wrapped(RuntimeException e) {
    return e instanceof CacheLoaderException known
        ? known
        : new CacheLoaderException("The cache loader failed.", e);
  }
}
