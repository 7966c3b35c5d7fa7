package io.rockpool.codec;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link KeyReader} can give for a declared type. Lists, sets and maps of any class come back
 * as others that are equal, arrays as {@code Object[]}, and dates as {@code java.util.Date}.
 */
final class KeyTypes {
  private KeyTypes() {}

  /** Returns whether what was written of a value of this type comes back as one. */
  static boolean comesBack(Class<?> declared) {
    Class<?> type = declared;
    while (type.isArray()) {
      type = type.getComponentType();
    }
    if (KeyScalars.isSubclass(type)) {
      return dateOf(type) != null;
    }
    boolean collection =
        Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type)
            || Map.Entry.class.isAssignableFrom(type);
    return !collection
        || type.isAssignableFrom(List.class)
        || type.isAssignableFrom(Set.class)
        || type == Map.class
        || type == Map.Entry.class;
  }

  /** Returns the constructor of a subclass of {@code Date} that takes milliseconds, or null. */
  private static @Nullable Constructor<?> dateOf(Class<?> type) {
    if (!Date.class.isAssignableFrom(type)) {
      return null;
    }
    try {
      return type.getConstructor(long.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  @SuppressWarnings("JavaUtilDate") // it is what applications have
  private static Object date(Date date, Class<?> declared) {
    try {
      Constructor<?> constructor = dateOf(declared);
      return constructor == null ? date : constructor.newInstance(date.getTime());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("A " + declared.getName() + " cannot be created.", e);
    }
  }

  /**
   * Returns the value, a date of the class that is declared, or for an array one of the type that
   * is declared.
   *
   * @throws IllegalArgumentException if one of its elements is of another type
   */
  static @Nullable Object fit(@Nullable Object value, Class<?> declared) {
    if (value instanceof Date date && !declared.isInstance(value)) {
      return date(date, declared);
    }
    Class<?> component = declared.getComponentType();
    if (component == null || declared.isInstance(value) || !(value instanceof Object[] elements)) {
      return value;
    }
    Object array = Array.newInstance(component, elements.length);
    for (int i = 0; i < elements.length; i++) {
      Array.set(array, i, fit(elements[i], component));
    }
    return array;
  }
}
