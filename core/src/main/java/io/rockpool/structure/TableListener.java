package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Is told of what changes in a table, as an {@link EntryListener} is in a map.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface TableListener<H, S, V> {
  /**
   * A record was put, changed or removed. A change of its expiry alone is not told.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @param before the value that was there; null if there was none, or it cannot be decoded
   * @param after the value that is there now, or null
   */
  void onChange(H hashKey, S sortKey, @Nullable V before, @Nullable V after);

  /** Everything was removed at once. */
  default void onClear() {}

  /** The same, as one that is told of the entries of one row. */
  static <H, S, V> EntryListener<S, V> ofRow(
      H hashKey, TableListener<? super H, ? super S, ? super V> listener) {
    return (sortKey, before, after) -> listener.onChange(hashKey, sortKey, before, after);
  }
}
