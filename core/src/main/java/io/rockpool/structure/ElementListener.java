package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Listens to changes of a set or a deque; {@link EntryListener} documents the rules. Replacing an
 * element of a deque is reported as a removal and an addition.
 *
 * @param <E> the type of elements
 */
@FunctionalInterface
public interface ElementListener<E> {
  /**
   * An element was added or removed.
   *
   * @param added true if it was added, false if it was removed
   */
  void onChange(E element, boolean added);

  /** The whole structure was cleared. */
  default void onClear() {}

  /** The listener as a listener to entries. */
  static <E> EntryListener<E, Object> ofEntries(ElementListener<? super E> listener) {
    return new EntryListener<>() {
      @Override
      public void onChange(E element, @Nullable Object before, @Nullable Object after) {
        if ((before == null) != (after == null)) {
          listener.onChange(element, after != null);
        }
      }

      @Override
      public void onClear() {
        listener.onClear();
      }
    };
  }
}
