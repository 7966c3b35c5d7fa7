package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Is told of what changes in a map, or in a scored set, where elements are keys and scores values:
 * after the change, on the thread that made it, and one change of a key not necessarily in the
 * order of another that comes at the same time. What it throws is logged and stops nothing. An
 * entry that expires is not told.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface EntryListener<K, V> {
  /**
   * An entry was put, changed or removed. A change of its expiry alone is not told.
   *
   * @param key the key
   * @param before the value that was there; null if there was none, or it cannot be decoded
   * @param after the value that is there now, or null
   */
  void onChange(K key, @Nullable V before, @Nullable V after);

  /** Everything was removed at once. */
  default void onClear() {}
}
