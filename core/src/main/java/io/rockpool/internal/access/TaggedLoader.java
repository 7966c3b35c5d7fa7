package io.rockpool.internal.access;

import io.rockpool.cache.ValueLoader;
import java.util.Collection;

/**
 * A loader whose values have tags, beside those that the cache gives them; see {@code
 * PersistentCache.invalidateTag}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface TaggedLoader<K, V> extends ValueLoader<K, V> {
  /** The tags of a value that was loaded; called on the same thread as the loader. */
  Collection<String> tags(K key, V value);
}
