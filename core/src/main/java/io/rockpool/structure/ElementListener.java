package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/**
 * Is told of what changes in a set or a deque, as an {@link EntryListener} is in a map. An element
 * that takes the place of another in a deque is told as removed and added.
 *
 * @param <E> the type of elements
 */
@FunctionalInterface
public interface ElementListener<E> {
  /**
   * An element was added, or removed.
   *
   * @param element the element
   * @param added whether it is there now
   */
  void onChange(E element, boolean added);

  /** Everything was removed at once. */
  default void onClear() {}

  /** The same, as one that is told of entries. */
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
