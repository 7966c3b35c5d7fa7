package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.apache.fory.resolver.ClassResolver;
import org.jspecify.annotations.Nullable;

/**
 * Compares a decoded value with the encoded one, as far as possible: classes; elements of arrays,
 * lists, maps, optionals and references; components of records; fields of a parent that is not
 * serializable. It uses {@code equals} only if two copies of one value are equal.
 */
final class Sameness {
  private final IdentityHashMap<Object, Object> compared = new IdentityHashMap<>();
  private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

  private final boolean checksTypes;

  /**
   * @param checksTypes whether the fields of the second object must have values of their types
   */
  private Sameness(boolean checksTypes) {
    this.checksTypes = checksTypes;
  }

  /**
   * Refuses a value whose decoded copy differs.
   *
   * @param anotherCopy decodes the value once more
   */
  static void require(TypeRef<?> type, Object value, Object copy, Supplier<?> anotherCopy) {
    String difference = difference(value, copy, anotherCopy);
    if (difference != null) {
      UnencodableValueException equalElements = FaultPath.equalElements(value);
      if (equalElements != null) {
        throw equalElements;
      }
      throw new UnencodableValueException(
          "The value of class "
              + value.getClass().getName()
              + " was read back as another, so it was not stored: value"
              + difference
              + ". Register a codec for "
              + type
              + ", or keep in it only what decides about its equality.",
          null,
          value.getClass().getName(),
          null);
    }
  }

  /**
   * Returns where a copy differs, or null if it does not.
   *
   * @param anotherCopy decodes the value once more
   */
  static @Nullable String difference(Object value, Object copy, Supplier<?> anotherCopy) {
    try {
      String found = new Sameness(true).compare(value, copy, "");
      if (found == null) {
        return null;
      }
      // If two copies differ as well, equals cannot tell.
      Object third = anotherCopy.get();
      boolean isStable = new Sameness(false).compare(copy, third, "") == null;
      return isStable || ContainerCycles.mayBeIn(value) ? found : null;
    } catch (RuntimeException | StackOverflowError e) {
      Undecodable.rethrowIfOfCatalog(e);
      // The application's equals failed, or the JDK's on a container that contains itself.
      return ContainerCycles.mayBeIn(value) ? " holds itself, and cannot be compared" : null;
    }
  }

  private @Nullable String compare(@Nullable Object a, @Nullable Object b, String path) {
    if (a == b) {
      return null;
    }
    if (a == null || b == null) {
      return path + (a == null ? " was null" : " became null");
    }
    Object before = compared.putIfAbsent(a, b);
    if (before != null) { // In a cycle, or in two places, of which there may be two copies.
      boolean same = open.contains(a) ? before == b : before.getClass() == b.getClass();
      return same ? null : differs(a, path);
    }
    open.add(a);
    String found = compareOnce(a, b, path);
    open.remove(a);
    return found;
  }

  private @Nullable String compareOnce(Object a, Object b, String path) {
    if (a.getClass() != b.getClass() && !mayBecomeAnother(a)) {
      return differs(a, path);
    }
    if (a.getClass().isArray()) {
      return array(a, b, path);
    }
    if (a instanceof List<?> x && b instanceof List<?> y) {
      return inOrder(x, y, path);
    }
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      return map(x, y, path);
    }
    if (a instanceof Set<?> x && b instanceof Set<?> y) {
      boolean ordered = a instanceof SortedSet || a instanceof LinkedHashSet;
      return ordered ? inOrder(x, y, path) : equal(a, b, path);
    }
    if (a instanceof Optional<?> x && b instanceof Optional<?> y) {
      return compare(x.orElse(null), y.orElse(null), path);
    }
    if (a instanceof Map.Entry<?, ?> x && b instanceof Map.Entry<?, ?> y) {
      String found = compare(x.getKey(), y.getKey(), path + ".getKey()");
      return found != null ? found : compare(x.getValue(), y.getValue(), path + ".getValue()");
    }
    if (a instanceof AtomicReference<?> x && b instanceof AtomicReference<?> y) {
      return compare(x.get(), y.get(), path + ".get()");
    }
    if (a instanceof AtomicReferenceArray<?> x && b instanceof AtomicReferenceArray<?> y) {
      return inOrder(elements(x), elements(y), path);
    }
    return a instanceof Record && a.getClass() == b.getClass()
        ? record(a, b, path)
        : object(a, b, path);
  }

  /** The JDK has several classes for one collection, and writeReplace may return any class. */
  private static boolean mayBecomeAnother(Object value) {
    Class<?> type = value.getClass();
    boolean isOfJdk = type.getClassLoader() == null;
    return ((value instanceof Collection || value instanceof Map) && isOfJdk)
        || ClassResolver.useReplaceResolveSerializer(type);
  }

  private @Nullable String array(Object a, Object b, String path) {
    int length = Array.getLength(a);
    if (Array.getLength(b) != length) {
      return differs(a, path);
    }
    for (int i = 0; i < length; i++) {
      Object of = Array.get(a, i);
      boolean simple = a.getClass().getComponentType().isPrimitive();
      String found =
          simple
              ? (of.equals(Array.get(b, i)) ? null : differs(a, path))
              : compare(of, Array.get(b, i), path + '[' + i + ']');
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable String inOrder(Iterable<?> a, Iterable<?> b, String path) {
    Iterator<?> other = b.iterator();
    int i = 0;
    for (Object element : a) {
      String found =
          other.hasNext()
              ? compare(element, other.next(), path + '[' + i + ']')
              : path + '[' + i + "] is gone";
      if (found != null) {
        return found;
      }
      i++;
    }
    return other.hasNext() ? path + '[' + i + "] was not there" : null;
  }

  private static List<@Nullable Object> elements(AtomicReferenceArray<?> array) {
    List<@Nullable Object> elements = new ArrayList<>(array.length());
    for (int i = 0; i < array.length(); i++) {
      elements.add(array.get(i));
    }
    return elements;
  }

  private @Nullable String map(Map<?, ?> a, Map<?, ?> b, String path) {
    if (a.size() != b.size()) {
      return differs(a, path);
    }
    if (a instanceof IdentityHashMap) {
      return null;
    }
    if (CompactStrings.REFUSAL == null // else nothing reads the field, and Fory is not used
        && a instanceof LinkedHashMap<?, ?> x
        && b instanceof LinkedHashMap<?, ?> y
        && LinkedMapSerializer.isByAccess(x) != LinkedMapSerializer.isByAccess(y)) {
      return differs(a, path);
    }
    if (a instanceof SortedMap || a instanceof LinkedHashMap) {
      String found = inOrder(a.keySet(), b.keySet(), path + ".keySet()");
      return found != null ? found : inOrder(a.values(), b.values(), path + ".values()");
    }
    for (Map.Entry<?, ?> entry : a.entrySet()) {
      Object value = b.get(entry.getKey());
      String found = compare(entry.getValue(), value, path + ".values()");
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable String record(Object a, Object b, String path) {
    for (RecordComponent component : a.getClass().getRecordComponents()) {
      String at = path + '.' + component.getName();
      String found;
      if (component.getType().isPrimitive()) {
        found = read(component, a).equals(read(component, b)) ? null : differs(a, at);
      } else {
        found = compare(read(component, a), read(component, b), at);
      }
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static Object read(RecordComponent component, Object of) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable String object(Object a, Object b, String path) {
    Class<?> type = a.getClass();
    String found = equal(a, b, path);
    boolean own = ClassProofs.hasCodeOfItsOwn(type);
    Class<?> c = type == b.getClass() ? type : null;
    for (; found == null && c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      boolean lost = ClassProofs.isLostIn(c, type);
      for (Field field : c.getDeclaredFields()) {
        if (found == null && ClassProofs.isState(field)) {
          String at = path + '.' + field.getName();
          found = checksTypes ? mistyped(field, b, at) : null;
          if (found == null && (lost || !own)) {
            found = field(field, a, b, lost, at);
          }
        }
      }
    }
    return found;
  }

  /**
   * Compares a field if its state may be lost, or else the object that it refers to, which {@code
   * equals} may not compare.
   */
  private @Nullable String field(Field field, Object a, Object b, boolean lost, String path) {
    if (!field.trySetAccessible()) {
      return null;
    }
    Object x = get(field, a);
    Object y = get(field, b);
    if (field.getType().isPrimitive()) {
      return lost && !remembers(a) && !Objects.equals(x, y) ? path + " differs" : null;
    }
    boolean sameKind = x != null && y != null && x.getClass() == y.getClass();
    return lost || sameKind ? compare(x, y, path) : null;
  }

  /**
   * Returns the difference if Fory has put what was written in the place of an object into a field
   * of another type: without the compiler's casts, nothing checks the fields that it sets.
   */
  private static @Nullable String mistyped(Field field, Object of, String path) {
    Class<?> type = field.getType();
    Object value = type.isPrimitive() || !field.trySetAccessible() ? null : get(field, of);
    return value == null || type.isInstance(value)
        ? null
        : path
            + " would hold an instance of "
            + value.getClass().getName()
            + ", not of "
            + type.getName();
  }

  /**
   * Whether another object is written, and {@code equals} says what counts: a number in a parent
   * may be one that was calculated, as the size of a message of protobuf.
   */
  private static boolean remembers(Object value) {
    return Equality.isOverridden(value.getClass())
        && ClassResolver.useReplaceResolveSerializer(value.getClass());
  }

  private static @Nullable Object get(Field field, Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable String equal(Object a, Object b, String path) {
    return a.equals(b) || !Equality.isOverridden(a.getClass()) ? null : differs(a, path);
  }

  private static String differs(Object value, String path) {
    return path + " (" + value.getClass().getName() + ") differs";
  }
}
