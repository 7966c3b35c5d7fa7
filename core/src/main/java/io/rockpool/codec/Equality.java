package io.rockpool.codec;

import org.jspecify.annotations.Nullable;

/** Which classes declare {@code equals} and {@code hashCode}. */
final class Equality {
  private Equality() {}

  /** Returns whether instances of a class are compared otherwise than by identity. */
  static boolean isOverridden(Class<?> type) {
    return !type.isInterface() && classOfEquals(type) != Object.class;
  }

  /**
   * Returns the class that declares both {@code equals} and {@code hashCode} of a class, or null.
   */
  static @Nullable Class<?> declaringClass(Class<?> type) {
    Class<?> declaring = classOfEquals(type);
    return declaring == classOfHashCode(type) ? declaring : null;
  }

  static Class<?> classOfEquals(Class<?> type) {
    return declares(type, "equals", Object.class);
  }

  static Class<?> classOfHashCode(Class<?> type) {
    return declares(type, "hashCode");
  }

  private static Class<?> declares(Class<?> type, String method, Class<?>... parameters) {
    try {
      return type.getMethod(method, parameters).getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // every class has both
    }
  }
}
