package io.rockpool.cache;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Loads what a cache does not have, such as from a database. It runs without a lock and may use any
 * cache, except that it must not wait for its own load.
 *
 * @param <K> what is asked for: a key, or a set of keys
 * @param <V> what is loaded: a value, or a map of values
 */
@FunctionalInterface
public interface ValueLoader<K, V> {
  /**
   * Loads a value; null if there is none.
   *
   * @throws Exception if that fails. The caller of the cache gets a {@link RuntimeException} or
   *     {@link Error} as it is, and any other exception as the cause of a {@link
   *     CompletionException}
   */
  @Nullable V load(K key) throws Exception;
}
