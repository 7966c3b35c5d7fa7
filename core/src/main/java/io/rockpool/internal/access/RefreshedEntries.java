package io.rockpool.internal.access;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when refreshed values are stored, see {@link CacheAccess#onRefreshed}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface RefreshedEntries<K, V> {
  /**
   * Receives a value that a refresh has loaded and not yet stored, on the thread that has loaded
   * it. No lock is held. It may use any cache. If it throws, the refresh has failed.
   *
   * @param before the value it had when the refresh began; null if there was none, or it has
   *     expired since
   * @param after the new value; null if the entry is to be removed, because the loader had none or
   *     its value cannot be encoded
   * @param change stores the new value, and returns whether it did: not if the key was changed
   *     meanwhile. If it is not called, the new value is dropped
   */
  void refreshed(K key, @Nullable V before, @Nullable V after, BooleanSupplier change);
}
