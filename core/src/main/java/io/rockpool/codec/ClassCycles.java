package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds classes whose instances can refer back to themselves through the classes added so far.
 * Objects in a cycle may be decoded wrongly: a record is created after its parts, and a hash set
 * calls {@code hashCode} of elements that are not complete yet.
 */
final class ClassCycles {
  private final Map<Class<?>, Set<Class<?>>> held = new HashMap<>();
  private final Map<Class<?>, Set<Class<?>>> holders = new HashMap<>();

  /** Adds a class, and returns the classes that can now refer back to themselves through it. */
  Set<Class<?>> add(Class<?> type) {
    held.put(type, new HashSet<>());
    holders.put(type, new HashSet<>());
    for (Class<?> other : List.copyOf(held.keySet())) {
      link(type, other);
      link(other, type);
    }
    Set<Class<?>> cyclic = reachable(type, held);
    cyclic.retainAll(reachable(type, holders));
    return cyclic;
  }

  private void link(Class<?> from, Class<?> to) {
    if (mayHold(from, to)) {
      held.computeIfAbsent(from, of -> new HashSet<>()).add(to);
      holders.computeIfAbsent(to, of -> new HashSet<>()).add(from);
    }
  }

  private static Set<Class<?>> reachable(Class<?> type, Map<Class<?>, Set<Class<?>>> links) {
    Set<Class<?>> seen = new HashSet<>();
    Deque<Class<?>> open = new ArrayDeque<>(Set.of(type));
    while (!open.isEmpty()) {
      for (Class<?> next : links.getOrDefault(open.removeFirst(), Set.of())) {
        if (seen.add(next)) {
          open.addLast(next);
        }
      }
    }
    return seen;
  }

  private static boolean mayHold(Class<?> type, Class<?> other) {
    if (type.isEnum() || JdkTypes.isWrittenByJdk(type)) {
      return false;
    }
    if (type.isArray()) {
      return mayBe(type.getComponentType(), other);
    }
    Map<TypeVariable<?>, Type> arguments = Map.of();
    Class<?> c = type;
    while (c != null && !isJdk(c)) {
      for (Field field : c.getDeclaredFields()) {
        boolean written =
            !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers());
        if (written && mayBe(GenericTypes.resolve(field.getGenericType(), arguments), other)) {
          return true;
        }
      }
      Type parent = c.getGenericSuperclass();
      if (parent == null) {
        return false;
      }
      arguments = GenericTypes.arguments(GenericTypes.resolve(parent, arguments));
      c = c.getSuperclass();
    }
    boolean holdsNothing = c == null || c == Object.class || c == Record.class;
    return !holdsNothing && !Nesting.isBounded(c); // A collection of the application's.
  }

  /** Returns whether a field of a declared type may hold an object of a class, at any depth. */
  private static boolean mayBe(Type declared, Class<?> other) {
    if (declared instanceof ParameterizedType p) {
      return isOf((Class<?>) p.getRawType(), other)
          || Arrays.stream(p.getActualTypeArguments()).anyMatch(of -> mayBe(of, other));
    }
    if (declared instanceof GenericArrayType array) {
      return mayBe(array.getGenericComponentType(), other);
    }
    if (declared instanceof WildcardType wildcard) {
      return Arrays.stream(wildcard.getUpperBounds()).anyMatch(of -> mayBe(of, other));
    }
    if (declared instanceof TypeVariable<?> variable) {
      return isOf(GenericTypes.rawClass(variable), other);
    }
    Class<?> type = (Class<?>) declared;
    if (type.isArray()) {
      return mayBe(type.getComponentType(), other);
    }
    if (type.isPrimitive() || type.isEnum()) {
      return false;
    }
    return isOf(type, other) || (isJdk(type) && !Nesting.isBounded(type));
  }

  private static boolean isOf(Class<?> declared, Class<?> other) {
    return declared.isAssignableFrom(other);
  }

  private static boolean isJdk(Class<?> type) {
    return type.getName().startsWith("java.");
  }
}
