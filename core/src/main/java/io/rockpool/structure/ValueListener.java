package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Is told of what becomes of a value, as an {@link EntryListener} is of a map's entries.
 *
 * @param <T> the type of the value
 */
@FunctionalInterface
public interface ValueListener<T> {
  /**
   * The value was set, changed or removed.
   *
   * @param before the value that was there; null if there was none, or it cannot be decoded
   * @param after the value that is there now, or null
   */
  void onChange(@Nullable T before, @Nullable T after);
}
