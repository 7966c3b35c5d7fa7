package io.rockpool.internal.access;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Is told of values that were refreshed, see {@link CacheAccess#onRefreshed}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface RefreshedEntries<K, V> {
  /**
   * Tells of a value that was fetched anew and is not stored yet, on the thread that has fetched
   * it. No lock is held; what this does may use any cache. What it throws is the refresh's failure.
   *
   * @param key its key
   * @param before the value it had when the refresh began; null if that has expired since
   * @param after the new value; null if the entry is to be removed, because the loader had none or
   *     what it had cannot be encoded
   * @param change stores what was fetched, and says whether it did: not if the key was changed
   *     meanwhile. Where it is not called, what was fetched is dropped
   */
  void refreshed(K key, @Nullable V before, @Nullable V after, BooleanSupplier change);
}
