package io.rockpool.codec;

import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The messages for classes that are not allowed. Each says what to allow, by a call that works, or
 * what to store instead where no call does.
 */
final class Refusals {
  /** What to do about a value that cannot be stored, whatever is allowed. */
  static final String INSTEAD =
      " Store something else in its place, such as its text or its parts, or register a codec for"
          + " the declared type with Codecs.builder().register(...).";

  private Refusals() {}

  static String of(Class<?> type, String declaredType) {
    String name = type.getName();
    if (Proxy.isProxyClass(type)) {
      return "Class " + name + " is a proxy, which a later process cannot make." + INSTEAD;
    }
    if (!isJdk(type)) {
      return allow(type, declaredType)
          + ", or all of its package with allowPackage(\""
          + type.getPackageName()
          + "\").";
    }
    if (isContainer(type)) {
      return "Class "
          + name
          + " is a part or view of another object, or does not keep its content. Store a copy, such"
          + " as new "
          + copy(type).getName()
          + "<>(...).";
    }
    if (!Serializable.class.isAssignableFrom(type)) {
      return "Class "
          + name
          + " is one of the JDK's that cannot be stored, as it is not serializable."
          + INSTEAD;
    }
    return allow(type, declaredType) + '.';
  }

  /** Returns the message for a {@code Class} object of a class that is not allowed. */
  static String ofClassObject(Class<?> type, String declaredType) {
    return isJdk(type) || Proxy.isProxyClass(type)
        ? "A value holds class " + type.getName() + " itself. Store its name." + INSTEAD
        : of(type, declaredType);
  }

  /** Returns the message for a class of which only the name is known. */
  static String of(String name, String declaredType) {
    try { // Finds no class of the application's.
      return of(Class.forName(name, false, ClassLoader.getPlatformClassLoader()), declaredType);
    } catch (ClassNotFoundException | LinkageError e) {
      return allow(name, declaredType, false)
          + ", or all of its package with allowPackage(\""
          + name.substring(0, Math.max(0, name.lastIndexOf('.')))
          + "\").";
    }
  }

  private static String allow(Class<?> type, String declaredType) {
    boolean isNameable = type.getCanonicalName() != null && isPublic(type);
    return isNameable
        ? allow(type.getCanonicalName(), declaredType, true)
        : allow(type.getName(), declaredType, false);
  }

  private static String allow(String name, String declaredType, boolean isNameable) {
    return "Class "
        + name
        + " is not reached by the declared type "
        + declaredType
        + " and is not on the allow-list. If it is harmless, allow it with Codecs.builder().allow("
        + (isNameable ? name + ".class" : "Class.forName(\"" + name + "\")")
        + ')';
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
  }

  static boolean isJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /** Serializable ones that are not listed, such as those that only hold a map, are copied, too. */
  static boolean isContainer(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  private static Class<?> copy(Class<?> type) {
    if (Map.class.isAssignableFrom(type)) {
      return SortedMap.class.isAssignableFrom(type) ? TreeMap.class : LinkedHashMap.class;
    }
    if (Set.class.isAssignableFrom(type)) {
      return SortedSet.class.isAssignableFrom(type) ? TreeSet.class : LinkedHashSet.class;
    }
    return ArrayList.class;
  }
}
