package io.rockpool.jcache;

import io.rockpool.cache.BatchWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;

/**
 * Calls a cache's writer with batches of pending changes. The keys and values are decoded for each
 * call, so they need no copies.
 */
record BehindCalls<K, V>(CacheWriter<? super K, ? super V> writer) implements BatchWriter<K, V> {
  @Override
  @SuppressWarnings("unchecked") // a writer of supertypes takes entries of the types
  public void writeAll(Map<K, V> entries) {
    Collection<Cache.Entry<? extends K, ? extends V>> left = new ArrayList<>(entries.size());
    entries.forEach((key, value) -> left.add(new CacheEntry<>(key, value)));
    try {
      ((CacheWriter<K, V>) writer).writeAll(left);
    } catch (RuntimeException e) {
      Set<Object> failed = Collections.newSetFromMap(new IdentityHashMap<>());
      left.forEach(entry -> failed.add(entry.getKey()));
      entries.keySet().removeIf(key -> !failed.contains(key));
      throw e;
    }
  }

  @Override
  public void deleteAll(Set<K> keys) {
    writer.deleteAll(keys);
  }
}
