package io.rockpool.jcache;

import io.rockpool.cache.Decision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * A cache's writer, called before the cache changes, with copies of keys and values. What it throws
 * is wrapped, and leaves the cache as it was.
 */
record Writing<K, V>(CacheWriter<? super K, ? super V> writer, Copies<K, V> copies) {
  /** Which keys a bulk call failed for, and how. */
  record Failure<K>(Set<K> keys, CacheWriterException cause) {}

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
      throw wrapped(e);
    }
  }

  /** Writes many; null if all were written. */
  @SuppressWarnings("unchecked") // a writer of supertypes takes entries of the types
  @Nullable Failure<K> writeAll(Map<? extends K, ? extends V> map) {
    Collection<Cache.Entry<? extends K, ? extends V>> entries = new ArrayList<>(map.size());
    map.forEach((key, value) -> entries.add(entry(key, value)));
    try {
      ((CacheWriter<K, V>) writer).writeAll(entries);
      return null;
    } catch (RuntimeException e) {
      Set<K> failed = new HashSet<>();
      entries.forEach(entry -> failed.add(entry.getKey()));
      return new Failure<>(failed, wrapped(e));
    }
  }

  /** Deletes many; null if all were deleted. */
  @Nullable Failure<K> deleteAll(Collection<? extends K> keys) {
    Set<K> left = new HashSet<>();
    keys.forEach(key -> left.add(copies.ofKey(key)));
    try {
      writer.deleteAll(left);
      return null;
    } catch (RuntimeException e) {
      return new Failure<>(left, wrapped(e));
    }
  }

  private CacheEntry<K, V> entry(K key, V value) {
    return new CacheEntry<>(copies.ofKey(key), copies.ofValue(value));
  }

  private static CacheWriterException wrapped(RuntimeException e) {
    return e instanceof CacheWriterException known
        ? known
        : new CacheWriterException("The cache writer failed; the cache was not changed.", e);
  }
}
