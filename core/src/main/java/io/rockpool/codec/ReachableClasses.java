package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The application's classes that a declared type reaches: itself, its type arguments, superclasses,
 * the types of its fields and components, the permitted subclasses of a sealed type, and so on. Any
 * subclass of a type that is not sealed is not reached.
 */
final class ReachableClasses {
  /** Far more than any sane type reaches; a generic class can reach endlessly many of itself. */
  static final int MAX_TYPES = 10_000;

  private final Map<String, Class<?>> classes = new HashMap<>();
  private final Set<Type> seen = new HashSet<>();
  private final Deque<Type> open = new ArrayDeque<>();

  /** Whether the JDK's classes count too; their fields never do. */
  private final boolean withJdk;

  private ReachableClasses(boolean withJdk) {
    this.withJdk = withJdk;
  }

  /** Returns the application's classes by binary name. */
  static Map<String, Class<?>> of(Type declared) {
    return of(declared, false);
  }

  /** As {@link #of}, with the JDK's classes that are named on the way. */
  static Map<String, Class<?>> withJdk(Type declared) {
    return of(declared, true);
  }

  private static Map<String, Class<?>> of(Type declared, boolean withJdk) {
    ReachableClasses walk = new ReachableClasses(withJdk);
    walk.reach(declared);
    while (!walk.open.isEmpty()) {
      walk.visit(walk.open.removeFirst());
      if (walk.seen.size() > MAX_TYPES) {
        throw new IllegalArgumentException(
            "Type "
                + TypeNames.of(declared)
                + " reaches more than "
                + MAX_TYPES
                + " others through its fields; register a codec for it.");
      }
    }
    return Map.copyOf(walk.classes);
  }

  private void reach(Type type) {
    if (seen.add(type)) {
      open.addLast(type);
    }
  }

  private void visit(Type type) {
    if (type instanceof ParameterizedType parameterized) {
      for (Type argument : parameterized.getActualTypeArguments()) {
        reach(argument);
      }
      visitClass(GenericTypes.rawClass(type), GenericTypes.arguments(type));
    } else if (type instanceof WildcardType || type instanceof TypeVariable<?>) {
      reach(GenericTypes.rawClass(type));
    } else if (type instanceof GenericArrayType array) {
      reach(array.getGenericComponentType());
    } else {
      visitClass((Class<?>) type, Map.of());
    }
  }

  private void visitClass(Class<?> type, Map<TypeVariable<?>, Type> arguments) {
    if (type.isArray()) {
      reach(type.getComponentType());
      return;
    }
    if (type.isPrimitive() || isJdk(type)) {
      if (withJdk && !type.isPrimitive()) {
        classes.put(type.getName(), type);
      }
      return;
    }
    classes.put(type.getName(), type);
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        reach(permitted);
      }
    }
    if (type.isEnum() || type.isInterface()) {
      return;
    }
    reach(GenericTypes.resolve(type.getGenericSuperclass(), arguments));
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
        reach(GenericTypes.resolve(field.getGenericType(), arguments));
      }
    }
  }

  /** A JDK class is allowed by {@link JdkTypes} or not at all, and its fields say nothing. */
  private static boolean isJdk(Class<?> type) {
    return type.getName().startsWith("java.");
  }
}
