package io.rockpool.jcache;

import javax.cache.Cache;

/** A key and its value. */
record CacheEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {
  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.of(this, type);
  }
}
