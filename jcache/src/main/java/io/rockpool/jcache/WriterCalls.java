package io.rockpool.jcache;

import io.rockpool.internal.access.Decision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;

/**
 * A cache's writer, called before the cache changes, with copies of keys and values. What it throws
 * is wrapped, and leaves the cache as it was, except for what a bulk call had already written.
 */
record WriterCalls<K, V>(CacheWriter<? super K, ? super V> writer, Copies<K, V> copies) {
  private static final String MADE_IN_PART =
      "the cache has only those changes that the writer made before";

  /** Writes what a decision means to the outside. */
  void write(K key, Decision<V> decision) {
    switch (decision.kind()) {
      case PUT -> {
        CacheEntry<K, V> entry = entry(key, Objects.requireNonNull(decision.value(), "value"));
        call(() -> writer.write(entry));
      }
      case REMOVE -> {
        K copy = copies.ofKey(key);
        call(() -> writer.delete(copy));
      }
      case KEEP, ACCESS -> {}
    }
  }

  private static void call(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      throw wrapped(e, "the cache was not changed");
    }
  }

  /** Writes many; returns those that were written. */
  @SuppressWarnings("unchecked") // a writer of supertypes takes entries of the types
  Map<? extends K, ? extends V> writeAll(Map<? extends K, ? extends V> map, Failures failures) {
    IdentityHashMap<Object, K> keys =
        new IdentityHashMap<>(); // copies need not equal what they are of
    Collection<Cache.Entry<? extends K, ? extends V>> entries = new ArrayList<>(map.size());
    map.forEach(
        (key, value) -> {
          CacheEntry<K, V> entry = entry(key, value);
          keys.put(entry, key);
          entries.add(entry);
        });
    try {
      ((CacheWriter<K, V>) writer).writeAll(entries);
      return map;
    } catch (RuntimeException e) {
      failures.add(wrapped(e, MADE_IN_PART));
      Map<K, V> written = new LinkedHashMap<>(map);
      entries.forEach(entry -> written.remove(keys.getOrDefault(entry, entry.getKey())));
      return written;
    }
  }

  /** Deletes many; returns the keys of those that were deleted. */
  Set<? extends K> deleteAll(Set<? extends K> keys, Failures failures) {
    IdentityHashMap<Object, K> originals = new IdentityHashMap<>();
    Set<K> left = new LinkedHashSet<>();
    for (K key : keys) {
      K copy = copies.ofKey(key);
      originals.put(copy, key);
      left.add(copy);
    }
    try {
      writer.deleteAll(left);
      return keys;
    } catch (RuntimeException e) {
      failures.add(wrapped(e, MADE_IN_PART));
      Set<K> deleted = new LinkedHashSet<>(keys);
      left.forEach(copy -> deleted.remove(originals.getOrDefault(copy, copy)));
      return deleted;
    }
  }

  /** An entry to write; refused if the cache could not store it afterwards. */
  private CacheEntry<K, V> entry(K key, V value) {
    return new CacheEntry<>(copies.ofKey(key), copies.ofStorable(value));
  }

  private static CacheWriterException wrapped(RuntimeException e, String left) {
    return e instanceof CacheWriterException known
        ? known
        : new CacheWriterException("The cache writer failed; " + left + ".", e);
  }
}
