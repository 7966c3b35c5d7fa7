package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sets and maps of the value that is being read, with how many elements were written. Elements
 * that have become equal since, because {@code equals} or {@code compareTo} of their class has
 * changed, would be dropped in silence.
 */
final class ContainerSizes {
  private @Nullable Object[] containers = new @Nullable Object[8];
  private int[] sizes = new int[8];
  private int count;

  /** Notes a set or map that is still to be filled. */
  void expect(Object container, int size) {
    if (size < 2) {
      return;
    }
    if (count == sizes.length) {
      containers = Arrays.copyOf(containers, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    containers[count] = container;
    sizes[count] = size;
    count++;
  }

  /** Throws if a noted container has fewer elements than were written; forgets them otherwise. */
  void requireAll() {
    for (int i = 0; i < count; i++) {
      Object container = containers[i];
      containers[i] = null;
      // Classes first: a check for an interface that fails is slow.
      if (container instanceof HashMap<?, ?> map) {
        require(map, sizes[i]);
      } else if (container instanceof HashSet<?> set) {
        require(set.getClass(), set, sizes[i]);
      } else if (container instanceof Map<?, ?> map) {
        require(map, sizes[i]);
      } else if (container instanceof Collection<?> elements) {
        require(container.getClass(), elements, sizes[i]);
      }
    }
    count = 0;
  }

  private static void require(Map<?, ?> map, int written) {
    if (map.size() < written) {
      require(map.getClass(), map.keySet(), written);
    }
  }

  /** Throws if a container has fewer elements than were written. */
  static void require(Class<?> container, Collection<?> elements, int written) {
    if (elements.size() < written) {
      Object some = elements.isEmpty() ? null : elements.iterator().next();
      String type = some == null ? "null" : some.getClass().getName();
      throw new UndecodableValueException(
          "The value has a "
              + container.getName()
              + " of "
              + written
              + " elements, of which some are equal to others now. Has equals or compareTo of class "
              + type
              + " changed since they were written? Let it tell them apart again, or write the value"
              + " again.",
          null,
          type,
          null);
    }
  }

  /** Forgets the containers of a value that could not be read. */
  void clear() {
    if (count > 0) {
      Arrays.fill(containers, null);
      count = 0;
    }
  }
}
