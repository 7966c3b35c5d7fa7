package io.rockpool.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import org.apache.fory.reflect.FieldAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to write a set or map with an element or key that was changed after it was added and
 * equals another one now. Reading adds them to a new container, which would drop one of the two.
 */
final class DistinctElements {
  /** What the JDK's serialization writes in the place of {@code List.of} and its like. */
  private static final String STAND_IN = "java.util.CollSer";

  private static final int STANDS_FOR_SET = 2;
  private static final int STANDS_FOR_MAP = 3;

  private static final ClassValue<Boolean> CANNOT_CHANGE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Immutability.of(type, BuiltInCodecs::isImmutable);
        }
      };

  private DistinctElements() {}

  /** Throws if two elements are equal. If the first one cannot change, ignores the others. */
  static void require(Object container, @Nullable Object[] elements) {
    if (elements.length > 1
        && elements[0] != null
        && mayChange(elements[0].getClass())
        && !HashBits.areDistinct(container, elements)) {
      requireOfAny(container, Arrays.asList(elements));
    }
  }

  /**
   * Throws if two keys are equal. If the first one cannot change, ignores the others.
   *
   * @param written the map, or a snapshot of it, which does not tell the order
   */
  static void requireKeys(Map<?, ?> map, Map<?, ?> written) {
    Object first = written.keySet().iterator().next();
    if (first != null && mayChange(first.getClass())) {
      require(map, written.keySet().toArray());
    }
  }

  /** Throws if two elements, of any classes, are equal. */
  static void requireOfAny(Object container, Collection<?> elements) {
    RefusedClassException refusal = refusal(container, elements);
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Returns the refusal of an object that the JDK's serialization writes; null if it is none. */
  static @Nullable RefusedClassException refusal(Object any) {
    if (any instanceof Set<?> set && addsByEquality(set)) {
      return refusal(set, set);
    }
    if (any instanceof Map<?, ?> map && addsByEquality(map)) {
      return refusal(map, map.keySet());
    }
    boolean standsIn = any.getClass().getName().equals(STAND_IN);
    return standsIn && CompactStrings.REFUSAL == null // else a JVM may deny access to fields
        ? refusal(any, StandIn.elements(any))
        : null;
  }

  /** As {@link #refusal(Object)}, also of a set or map that is not of the JDK. */
  static @Nullable RefusedClassException refusalOfAny(Object any) {
    boolean ofJdk = any.getClass().getName().startsWith("java.");
    if (!ofJdk && any instanceof Set<?> set) {
      return refusal(set, set);
    }
    return !ofJdk && any instanceof Map<?, ?> map ? refusal(map, map.keySet()) : refusal(any);
  }

  /** Views and wrappers are left out: what they show is written, too. */
  private static boolean addsByEquality(Set<?> set) {
    String name = set.getClass().getName();
    return set instanceof HashSet
        || set instanceof SortedSet
        || (name.startsWith("java.util.concurrent.") && !name.contains("EntrySet"));
  }

  private static boolean addsByEquality(Map<?, ?> map) {
    return map instanceof HashMap
        || map instanceof SortedMap
        || map instanceof ConcurrentMap
        || map instanceof Hashtable;
  }

  private static @Nullable RefusedClassException refusal(Object container, Collection<?> elements) {
    if (elements.size() < 2 || !mayChange(elements)) {
      return null;
    }
    try {
      boolean sorted = container instanceof SortedSet || container instanceof SortedMap;
      Comparator<Object> order = sorted ? order(container) : null;
      if (order == null ? !shareHash(elements) : isAscending(elements, order)) {
        return null;
      }
      Set<Object> added = order == null ? new HashSet<>() : new TreeSet<>(order);
      for (Object element : elements) {
        if (element != null && !added.add(element)) {
          return refusal(container.getClass(), element.getClass());
        }
      }
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      return null; // The application's hashCode failed, or a set is in itself: reading shows it.
    }
  }

  private static boolean mayChange(Class<?> type) {
    return type != String.class && !CANNOT_CHANGE.get(type);
  }

  private static boolean mayChange(Collection<?> elements) {
    Class<?> last = String.class;
    for (Object element : elements) {
      if (element != null && element.getClass() != last) {
        last = element.getClass();
        if (mayChange(last)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether two have the same hash code, which equal ones have. */
  private static boolean shareHash(Collection<?> elements) {
    int[] hashes = new int[4 * Integer.highestOneBit(elements.size())];
    int left = elements.size();
    for (Object element : elements) {
      int hash = element == null ? 1 : element.hashCode();
      hash = hash == 0 ? 1 : hash; // zero is a free place
      int at = (hash ^ (hash >>> 16)) & (hashes.length - 1);
      while (hashes[at] != 0 && hashes[at] != hash) {
        at = (at + 1) & (hashes.length - 1);
      }
      if (hashes[at] == hash || left-- == 0) {
        return true; // or another thread adds elements
      }
      hashes[at] = hash;
    }
    return false;
  }

  private static boolean isAscending(Collection<?> elements, Comparator<Object> order) {
    Object last = null;
    for (Object element : elements) {
      if (last != null && order.compare(last, element) >= 0) {
        return false;
      }
      last = element;
    }
    return true;
  }

  @SuppressWarnings("unchecked") // of the same elements
  private static Comparator<Object> order(Object container) {
    Comparator<?> order =
        container instanceof SortedSet<?> set
            ? set.comparator()
            : ((SortedMap<?, ?>) container).comparator();
    return (Comparator<Object>) (order == null ? Comparator.naturalOrder() : order);
  }

  private static RefusedClassException refusal(Class<?> container, Class<?> element) {
    return new RefusedClassException(
        container,
        "A "
            + container.getName()
            + " has two elements or keys of class "
            + element.getName()
            + " that are equal now, since one was changed after it was added. One of them would be"
            + " lost when it is read. Change elements before they are added, or add them to a new"
            + " container.");
  }

  /** Compares a few hash codes at the cost of one bit each. */
  private static final class HashBits {
    /**
     * With so many elements, one set of eight has two with the same bit, and is looked at again.
     */
    private static final int MAX_SIZE = 32;

    private static final int WORDS = 64;
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** Returns whether all hash codes differ; false if that is not known. */
    static boolean areDistinct(Object container, @Nullable Object[] elements) {
      if (elements.length > MAX_SIZE
          || container instanceof SortedSet
          || container instanceof SortedMap) {
        return false;
      }
      long[] bits = new long[WORDS];
      try {
        for (Object element : elements) {
          int hash = element == null ? 0 : element.hashCode() * GOLDEN_RATIO;
          long bit = 1L << (hash >>> 20);
          int word = hash >>> 26;
          if ((bits[word] & bit) != 0) {
            return false;
          }
          bits[word] |= bit;
        }
        return true;
      } catch (RuntimeException | StackOverflowError e) {
        return false;
      }
    }
  }

  /** Reads the fields of a stand-in, which no method returns. */
  private static final class StandIn {
    private static final FieldAccessor TAG = field("tag");
    private static final FieldAccessor ARRAY = field("array");

    private static FieldAccessor field(String name) {
      try {
        return FieldAccessor.createAccessor(Class.forName(STAND_IN).getDeclaredField(name));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    static List<?> elements(Object standIn) {
      int tag = TAG.getInt(standIn) & 0xff;
      List<?> all = Arrays.asList((Object[]) ARRAY.getObject(standIn));
      if (tag != STANDS_FOR_MAP) {
        return tag == STANDS_FOR_SET ? all : List.of();
      }
      List<Object> keys = new ArrayList<>();
      for (int i = 0; i < all.size(); i += 2) {
        keys.add(all.get(i));
      }
      return keys;
    }
  }
}
