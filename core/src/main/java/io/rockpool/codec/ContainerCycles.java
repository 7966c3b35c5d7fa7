package io.rockpool.codec;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.jspecify.annotations.Nullable;

/**
 * Finds a JDK container that contains itself, directly or through other containers. Fory creates
 * immutable containers, such as {@code Map.of} and {@code Optional}, after their contents, and so
 * reads null in place of the container itself. {@link ClassCycles} finds cycles through objects of
 * other classes.
 */
final class ContainerCycles {
  /** Nested containers are rare, and few. */
  private static final int EXPECTED_CONTAINERS = 4;

  private static final ClassValue<Boolean> IS_CONTAINER =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Object[].class.isAssignableFrom(type)
              || (type.getClassLoader() == null
                  && Stream.of(
                          Collection.class,
                          Map.class,
                          Map.Entry.class,
                          Optional.class,
                          AtomicReference.class,
                          AtomicReferenceArray.class)
                      .anyMatch(kind -> kind.isAssignableFrom(type)));
        }
      };

  private final Object root;

  /** The visited containers, true for those around the current one; null until needed. */
  private @Nullable IdentityHashMap<Object, Boolean> isOpen;

  private @Nullable Class<?> lastLeaf;
  private int depth;
  private boolean found;

  private ContainerCycles(Object root) {
    this.root = root;
  }

  /**
   * Like {@link #mayBeIn(Object)}, but looks first for a reference in the bytes that Fory wrote.
   * Each cycle needs one, and most values have none.
   */
  static boolean mayBeIn(Object value, byte[] written, int from) {
    for (int i = from; i < written.length; i++) {
      if (written[i] == Fory.REF_FLAG) {
        return mayBeIn(value);
      }
    }
    return false;
  }

  /**
   * Returns whether a value is a container and contains a cycle of containers. Also returns true if
   * containers are nested too deep to be read. Visits each element once, and allocates little if no
   * element is a container.
   */
  static boolean mayBeIn(Object value) {
    if (!IS_CONTAINER.get(value.getClass())) {
      return false;
    }
    ContainerCycles cycles = new ContainerCycles(value);
    try {
      cycles.visitAll(value);
    } catch (RuntimeException e) {
      return true; // Another thread is changing it.
    }
    return cycles.found;
  }

  private void visit(@Nullable Object held) {
    if (held == null || found || held.getClass() == lastLeaf) {
      return;
    }
    if (IS_CONTAINER.get(held.getClass())) {
      visitContainer(held);
    } else {
      lastLeaf = held.getClass();
    }
  }

  private void visitContainer(Object container) {
    if (isOpen == null) {
      isOpen = new IdentityHashMap<>(EXPECTED_CONTAINERS);
      isOpen.put(root, true);
    }
    Boolean before = isOpen.putIfAbsent(container, true);
    if (before != null) {
      found = before;
      return;
    }
    depth++;
    found = depth > Nesting.MAX_DEPTH;
    if (!found) {
      visitAll(container);
    }
    depth--;
    isOpen.put(container, false);
  }

  /** Uses {@code forEach}, because synchronized collections lock themselves during it. */
  private void visitAll(Object container) {
    if (container instanceof Object[] array) {
      for (Object held : array) {
        visit(held);
      }
    } else if (container instanceof Collection<?> collection) {
      collection.forEach(this::visit);
    } else if (container instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            visit(key);
            visit(value);
          });
    } else if (container instanceof Map.Entry<?, ?> entry) {
      visit(entry.getKey());
      visit(entry.getValue());
    } else if (container instanceof Optional<?> optional) {
      optional.ifPresent(this::visit);
    } else if (container instanceof AtomicReference<?> reference) {
      visit(reference.get());
    } else if (container instanceof AtomicReferenceArray<?> array) {
      for (int i = 0; i < array.length(); i++) {
        visit(array.get(i));
      }
    }
  }
}
