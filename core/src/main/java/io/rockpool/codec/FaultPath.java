package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the object that made a value unencodable, for the message: an instance of a refused class,
 * or a collection that cannot be read. Shows names of fields and classes, and no contents.
 */
final class FaultPath {
  /** The maximum number of visited objects, so that building a message stays cheap. */
  private static final int MAX_OBJECTS = 10_000;

  /** An unreadable part is tried with a serializer of its own, which takes milliseconds. */
  private static final int MAX_UNREADABLE = 16;

  /** An object, and where it is; {@code stands} for the object that has it written instead. */
  private record Part(Object object, String path, @Nullable Class<?> stands) {}

  private final Deque<Part> open = new ArrayDeque<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private final boolean replacing;

  /**
   * @param replacing whether to follow what objects have written in their place; else their fields
   */
  private FaultPath(boolean replacing) {
    this.replacing = replacing;
  }

  /**
   * Returns a sentence that says where the object is, with a space in front; empty if it is not
   * found.
   *
   * @param refused the binary name of the refused class; null if it is not known
   */
  static String sentence(Object value, @Nullable String refused) {
    try {
      String found = new FaultPath(true).find(value, refused);
      return found.isEmpty() ? new FaultPath(false).find(value, refused) : found;
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return ""; // Code of the application's; the message is right without it.
    }
  }

  /**
   * Returns the refusal of a value that was read back as another, if a set or map in it has equal
   * elements; null otherwise.
   */
  static @Nullable UnencodableValueException equalElements(Object value) {
    try {
      return new FaultPath(true).findEqualElements(value);
    } catch (ReflectiveOperationException
        | RuntimeException
        | LinkageError
        | StackOverflowError e) {
      return null;
    }
  }

  /**
   * Returns the refusal of a value that cannot be read back.
   *
   * @param isUnreadable whether a part of the value cannot be read back either
   */
  static UnencodableValueException unreadable(
      Object value, UndecodableValueException cause, Predicate<Object> isUnreadable) {
    UnencodableValueException equalElements = equalElements(value);
    if (equalElements != null) {
      return equalElements;
    }
    String place;
    try {
      place = new FaultPath(true).findUnreadable(value, isUnreadable);
    } catch (ReflectiveOperationException
        | RuntimeException
        | LinkageError
        | StackOverflowError e) {
      place = "";
    }
    return Undecodable.unreadable(value, cause, place);
  }

  /** Goes from each part to the first of its parts that is unreadable, too. */
  private String findUnreadable(Object value, Predicate<Object> isUnreadable)
      throws ReflectiveOperationException {
    Part found = new Part(value, "value", null);
    seen.add(value);
    for (int depth = 0; depth < MAX_UNREADABLE; depth++) {
      visit(found);
      Part next = null;
      while (next == null && !open.isEmpty() && seen.size() < MAX_OBJECTS) {
        Part part = open.removeFirst();
        next = isUnreadable.test(part.object) ? part : null;
      }
      if (next == null) {
        return said(found, "");
      }
      open.clear();
      found = next;
    }
    return "";
  }

  private @Nullable UnencodableValueException findEqualElements(Object value)
      throws ReflectiveOperationException {
    add(value, "value", null);
    while (!open.isEmpty() && seen.size() < MAX_OBJECTS) {
      Part part = open.removeFirst();
      RefusedClassException refusal = DistinctElements.refusalOfAny(part.object);
      if (refusal != null) {
        return new UnencodableValueException(refusal.refusal() + said(part, ""), refusal);
      }
      visit(part);
    }
    return null;
  }

  private String find(Object value, @Nullable String refused) {
    add(value, "value", null);
    while (!open.isEmpty() && seen.size() < MAX_OBJECTS) {
      Part part = open.removeFirst();
      if (isFault(part.object.getClass(), refused)) {
        return said(part, "");
      }
      try {
        visit(part);
      } catch (ReflectiveOperationException | RuntimeException e) {
        return said(part, ", and throws " + e.getClass().getName());
      }
    }
    return "";
  }

  private static boolean isFault(Class<?> type, @Nullable String refused) {
    return refused != null
        ? type.getName().equals(refused)
        : DeniedClasses.isDenied(type) && !JdkTypes.isAllowed(type);
  }

  private static String said(Part part, String more) {
    Class<?> type = part.stands == null ? part.object.getClass() : part.stands;
    return " It is at " + part.path + ", an instance of " + type.getName() + more + ".";
  }

  private void add(@Nullable Object object, String path, @Nullable Class<?> stands) {
    if (object != null && seen.add(object)) {
      open.addLast(new Part(object, path, stands));
    }
  }

  private void visit(Part part) throws ReflectiveOperationException {
    Object object = part.object;
    Class<?> type = object.getClass();
    if (object instanceof Object[] array) {
      addAll(Arrays.asList(array), part, part.path);
    } else if (object instanceof Collection<?> collection) {
      addAll(collection, part, part.path);
    } else if (object instanceof Map<?, ?> map) {
      addAll(map.keySet(), part, part.path + ".keySet()");
      addAll(map.values(), part, part.path + ".values()");
    } else if (object instanceof Optional<?> optional) {
      add(optional.orElse(null), path(part, ".get()"), part.stands);
    } else if (!type.getName().startsWith("java.") && !type.isEnum() && !type.isHidden()) {
      Method replace = replacing ? writeReplace(type) : null;
      if (replace == null) {
        addFields(part, type);
      } else {
        add(replace.invoke(object), part.path, part.stands == null ? type : part.stands);
      }
    }
  }

  private void addAll(Iterable<?> elements, Part part, String path) {
    int i = 0;
    for (Object element : elements) {
      add(element, part.stands == null ? path + '[' + i + ']' : part.path, part.stands);
      i++;
    }
  }

  private static String path(Part part, String step) {
    return part.stands == null ? part.path + step : part.path;
  }

  private void addFields(Part part, Class<?> type) throws IllegalAccessException {
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        boolean written = !Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers);
        if (written && !field.getType().isPrimitive() && field.trySetAccessible()) {
          add(field.get(part.object), path(part, '.' + field.getName()), part.stands);
        }
      }
    }
  }

  private static @Nullable Method writeReplace(Class<?> type) {
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        if (method.getName().equals("writeReplace")
            && method.getParameterCount() == 0
            && method.trySetAccessible()) {
          return method;
        }
      }
    }
    return null;
  }
}
