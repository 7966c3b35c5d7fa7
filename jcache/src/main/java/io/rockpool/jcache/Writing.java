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
 * A cache's writer, called before the cache changes. What it throws is wrapped, and leaves the
 * cache as it was.
 */
record Writing<K, V>(CacheWriter<? super K, ? super V> writer) {
  /** Which keys a bulk call failed for, and how. */
  record Failure<K>(Set<K> keys, CacheWriterException cause) {}

  /** Writes what a decision means to the outside. */
  void write(K key, Decision<V> decision) {
    try {
      switch (decision.kind()) {
        case PUT ->
            writer.write(new CacheEntry<>(key, Objects.requireNonNull(decision.value(), "value")));
        case REMOVE -> writer.delete(key);
        case KEEP, ACCESS -> {}
      }
    } catch (RuntimeException e) {
      throw wrapped(e);
    }
  }

  /** Writes many; null if all were written. */
  @SuppressWarnings("unchecked") // a writer of supertypes takes entries of the types
  @Nullable Failure<K> writeAll(Map<? extends K, ? extends V> map) {
    Collection<Cache.Entry<? extends K, ? extends V>> entries = new ArrayList<>(map.size());
    map.forEach((key, value) -> entries.add(new CacheEntry<>(key, value)));
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
    Set<K> left = new HashSet<>(keys);
    try {
      writer.deleteAll(left);
      return null;
    } catch (RuntimeException e) {
      return new Failure<>(left, wrapped(e));
    }
  }

  private static CacheWriterException wrapped(RuntimeException e) {
    return e instanceof CacheWriterException known
        ? known
        : new CacheWriterException("The cache writer failed; the cache was not changed.", e);
  }
}
