package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Listens to changes of a value; {@link EntryListener} documents the rules.
 *
 * @param <T> the type of the value
 */
@FunctionalInterface
public interface ValueListener<T> {
  /**
   * The value was set, changed or removed.
   *
   * @param before the old value; null if there was none or it cannot be decoded
   * @param after the new value, or null
   */
  void onChange(@Nullable T before, @Nullable T after);
}
