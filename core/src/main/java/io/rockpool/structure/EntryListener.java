package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Listens to changes of a map, or of a scored set with its elements as keys and scores as values.
 * The writing thread calls it after the change. Concurrent changes of one key may be reported in
 * another order. Exceptions of a listener are logged and have no other effect. Expiry is not
 * reported, nor are changes of other processes that share the store: a change feed has the changes
 * of all.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface EntryListener<K, V> {
  /**
   * An entry was put, changed or removed. A change of its expiry alone is not reported.
   *
   * @param before the old value; null if there was none or it cannot be decoded
   * @param after the new value, or null
   */
  void onChange(K key, @Nullable V before, @Nullable V after);

  /** The whole structure was cleared. */
  default void onClear() {}
}
