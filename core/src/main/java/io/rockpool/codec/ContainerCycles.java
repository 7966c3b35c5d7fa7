package io.rockpool.codec;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a container of the JDK that holds itself, over others. Fory makes most of those that
 * cannot be changed, such as {@code Map.of} and {@code Optional}, after all that they hold, and so
 * would read null where they hold themselves. Cycles over objects of other classes are looked for
 * by {@link ClassCycles}.
 */
final class ContainerCycles {
  /** Whether a container is one of those that hold the one that is looked at. */
  private final IdentityHashMap<Object, Boolean> isOpen = new IdentityHashMap<>();

  private int depth;
  private boolean found;

  private ContainerCycles() {}

  /**
   * Returns whether a value is a container and holds one that holds itself, or may: what is nested
   * too deep to be read counts as well.
   */
  static boolean mayBeIn(Object value) {
    if (!isContainer(value)) {
      return false;
    }
    ContainerCycles cycles = new ContainerCycles();
    try {
      cycles.visit(value);
    } catch (RuntimeException e) {
      return true; // Another thread changes it meanwhile.
    }
    return cycles.found;
  }

  private static boolean isContainer(@Nullable Object value) {
    return value instanceof Object[]
        || ((value instanceof Collection
                || value instanceof Map
                || value instanceof Map.Entry
                || value instanceof Optional
                || value instanceof AtomicReference
                || value instanceof AtomicReferenceArray)
            && value.getClass().getClassLoader() == null);
  }

  private void visit(@Nullable Object held) {
    if (found || !isContainer(held)) {
      return;
    }
    Boolean before = isOpen.putIfAbsent(held, true);
    if (before != null) {
      found = before;
      return;
    }
    depth++;
    found = depth > Nesting.MAX_DEPTH;
    if (!found) {
      visitAll(held);
    }
    depth--;
    isOpen.put(held, false);
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
