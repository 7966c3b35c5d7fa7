package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Listens to changes of a table; {@link EntryListener} documents the rules.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface TableListener<H, S, V> {
  /**
   * A record was put, changed or removed. A change of its expiry alone is not reported.
   *
   * @param hashKey the row
   * @param sortKey the sort key in the row
   * @param before the old value; null if there was none or it cannot be decoded
   * @param after the new value, or null
   */
  void onChange(H hashKey, S sortKey, @Nullable V before, @Nullable V after);

  /** The whole table was cleared. */
  default void onClear() {}

  /** The listener as a listener to the entries of one row. */
  static <H, S, V> EntryListener<S, V> ofRow(
      H hashKey, TableListener<? super H, ? super S, ? super V> listener) {
    return (sortKey, before, after) -> listener.onChange(hashKey, sortKey, before, after);
  }
}
