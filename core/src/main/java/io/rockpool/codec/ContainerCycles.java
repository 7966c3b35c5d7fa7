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
 * Looks for a container of the JDK that holds itself, over others. Fory makes most of those that
 * cannot be changed, such as {@code Map.of} and {@code Optional}, after all that they hold, and so
 * would read null where they hold themselves. Cycles over objects of other classes are looked for
 * by {@link ClassCycles}.
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

  /** Whether a container is one of those that hold the one that is looked at; null until needed. */
  private @Nullable IdentityHashMap<Object, Boolean> isOpen;

  private @Nullable Class<?> lastLeaf;
  private int depth;
  private boolean found;

  private ContainerCycles(Object root) {
    this.root = root;
  }

  /**
   * As {@link #mayBeIn}, of what Fory has written: a cycle is closed by a reference, and most bytes
   * show that there is none.
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
   * Returns whether a value is a container and holds one that holds itself, or may: what is nested
   * too deep to be read counts as well. Looks at each element once, and allocates little where none
   * is a container.
   */
  static boolean mayBeIn(Object value) {
    if (!IS_CONTAINER.get(value.getClass())) {
      return false;
    }
    ContainerCycles cycles = new ContainerCycles(value);
    try {
      cycles.visitAll(value);
    } catch (RuntimeException e) {
      return true; // Another thread changes it meanwhile.
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

  /** By {@code forEach}, for which synchronized collections take their lock. */
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
