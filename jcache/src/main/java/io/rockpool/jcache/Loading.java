package io.rockpool.jcache;

import io.rockpool.internal.access.CacheAccess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/**
 * A cache's loader. It is given copies of keys, and gives copies of values; what it throws is
 * wrapped.
 */
record Loading<K, V>(CacheLoader<K, V> loader, Copies<K, V> copies) {
  @Nullable V load(K key) {
    try {
      V value = loader.load(copies.ofKey(key));
      return value == null ? null : copies.ofValue(value);
    } catch (RuntimeException e) {
      throw wrapped(e);
    }
  }

  /** The value of a key that is not in the cache: that of its pending change, or the loader's. */
  @Nullable V loadAbsent(K key, CacheAccess<K, V> cache) {
    return cache
        .pendingOrLoaded(
            Set.of(key),
            absent -> {
              V value = load(key);
              return value == null ? Map.of() : Map.of(key, value);
            })
        .get(key);
  }

  Map<K, V> loadAll(Collection<? extends K> keys) {
    try {
      List<K> given = new ArrayList<>(keys.size());
      keys.forEach(key -> given.add(copies.ofKey(key)));
      Map<K, V> loaded = loader.loadAll(given);
      if (loaded == null) {
        throw new CacheLoaderException(
            "loadAll of the cache loader "
                + loader.getClass().getName()
                + " returned null. Nothing was stored. Make it return a map, which may be empty.");
      }
      Map<K, V> wanted = new LinkedHashMap<>();
      for (K key : keys) {
        V value = loaded.get(key);
        if (value != null) {
          wanted.put(key, copies.ofValue(value));
        }
      }
      return wanted;
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
