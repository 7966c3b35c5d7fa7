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

/**
 * The classes of which one codec knows that what it writes of their instances is read again. Never
 * known is it of a class whose own code has a part in that, nor of one whose instances can hold
 * themselves: values with these are tried each time.
 */
final class ClassProofs {
  private final Set<Class<?>> proven = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> cyclic = new HashSet<>();
  private final Set<Class<?>> met = new HashSet<>();
  private final ClassCycles cycles = new ClassCycles();
  private final Predicate<Class<?>> doubtful;

  /**
   * @param doubtful which other classes are never known
   */
  ClassProofs(Predicate<Class<?>> doubtful) {
    this.doubtful = doubtful;
  }

  boolean isProven(Class<?> type) {
    return proven.contains(type);
  }

  /** Notes that a value with instances of these classes came back. */
  synchronized void add(Collection<Class<?>> types) {
    for (Class<?> type : types) {
      if (met.add(type)) {
        cyclic.addAll(cycles.add(type));
      }
    }
    proven.removeAll(cyclic);
    for (Class<?> type : types) {
      if (!cyclic.contains(type) && !hasCodeOfItsOwn(type) && !doubtful.test(type)) {
        proven.add(type);
      }
    }
  }

  /** Of what the JDK's serialization writes only that sees what it holds; it may be anything. */
  static boolean hasCodeOfItsOwn(Class<?> type) {
    if (Throwable.class.isAssignableFrom(type)
        || JdkTypes.isWrapper(type)
        || JdkTypes.isTakenForItsParent(type)) {
      return true;
    }
    for (Class<?> c = type; c != null && !c.getName().startsWith("java."); c = c.getSuperclass()) {
      if (Externalizable.class.isAssignableFrom(c)
          || has(c, "writeObject", ObjectOutputStream.class)
          || has(c, "readObject", ObjectInputStream.class)
          || has(c, "writeReplace")
          || has(c, "readResolve")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the JDK's serialization of a class leaves out fields of a parent, since that is
   * not serializable: a constructor sets them when an instance is read.
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

  /** Returns whether a class is a parent that is not serializable of one that is. */
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
