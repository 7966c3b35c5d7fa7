package io.rockpool.codec;

import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The classes of which one codec has decoded an instance equal to the encoded one. Such a class is
 * proven. Some classes are never proven, and each value with them is decoded on trial: classes with
 * serialization code of their own, classes whose instances can contain themselves, and classes
 * whose {@code equals} may compare transient fields.
 */
final class ClassProofs {
  private final Set<Class<?>> proven = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> cyclic = new HashSet<>();
  private final Set<Class<?>> met = new HashSet<>();
  private final ClassCycles cycles = new ClassCycles();
  private final Predicate<Class<?>> doubtful;

  /**
   * @param doubtful which other classes are never proven
   */
  ClassProofs(Predicate<Class<?>> doubtful) {
    this.doubtful = doubtful;
  }

  boolean isProven(Class<?> type) {
    return proven.contains(type);
  }

  /** Returns whether a class was in a value that was decoded and was equal. */
  synchronized boolean hasMet(Class<?> type) {
    return met.contains(type);
  }

  /** Notes that a value with instances of these classes was decoded and was equal. */
  synchronized void add(Collection<Class<?>> types) {
    for (Class<?> type : types) {
      if (met.add(type)) {
        cyclic.addAll(cycles.add(type));
        if (!hasCodeOfItsOwn(type) && !comparesTransientState(type) && !doubtful.test(type)) {
          proven.add(type);
        }
      }
    }
    proven.removeAll(cyclic);
  }

  /** Includes classes that the JDK's serialization writes: their objects may hold any class. */
  static boolean hasCodeOfItsOwn(Class<?> type) {
    if (Throwable.class.isAssignableFrom(type)
        || JdkTypes.isWrapper(type)
        || JdkTypes.isTakenForItsParent(type)) {
      return true;
    }
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      if (Externalizable.class.isAssignableFrom(c)
          || hasStreamMethod(c)
          || has(c, "writeReplace")
          || has(c, "readResolve")) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a class, or a parent, declares how the JDK's streams write its fields. */
  static boolean hasStreamCode(Class<?> type) {
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      if (hasStreamMethod(c)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a class, or a parent, declares what is written in the place of instances. */
  static boolean isReplaced(Class<?> type) {
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      if (has(c, "writeReplace")) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasStreamMethod(Class<?> type) {
    return has(type, "writeObject", ObjectOutputStream.class)
        || has(type, "readObject", ObjectInputStream.class);
  }

  /**
   * Returns whether the JDK's serialization of a class leaves out fields of a parent that is not
   * serializable. A constructor sets these fields when an instance is read.
   */
  static boolean losesState(Class<?> type) {
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      if (isLostIn(c, type)
          && Arrays.stream(c.getDeclaredFields()).anyMatch(ClassProofs::isState)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether {@code equals} may compare fields that are not written. One instance may have
   * the values in them that it also has after it is read, and the next one others.
   */
  private static boolean comparesTransientState(Class<?> type) {
    return Equality.isOverridden(type) && transientFields(type).findAny().isPresent();
  }

  /** Returns the transient fields of a class and its parents, without those of the JDK. */
  static Stream<Field> transientFields(Class<?> type) {
    return Stream.<Class<?>>iterate(
            type, c -> c != null && !c.getName().startsWith("java."), Class::getSuperclass)
        .flatMap(c -> Arrays.stream(c.getDeclaredFields()))
        .filter(field -> Modifier.isTransient(field.getModifiers()))
        .filter(field -> !Modifier.isStatic(field.getModifiers()));
  }

  /** Returns whether {@code parent} is not serializable, although its subclass {@code type} is. */
  static boolean isLostIn(Class<?> parent, Class<?> type) {
    return Serializable.class.isAssignableFrom(type)
        && !Serializable.class.isAssignableFrom(parent);
  }

  /** Returns whether a field is one that is written. */
  static boolean isState(Field field) {
    return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers());
  }

  private static boolean has(Class<?> type, String method, Class<?>... parameters) {
    for (Method declared : type.getDeclaredMethods()) {
      if (declared.getName().equals(method)
          && Arrays.equals(declared.getParameterTypes(), parameters)) {
        return true;
      }
    }
    return false;
  }
}
