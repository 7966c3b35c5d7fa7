package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Spring's {@code SimpleKey}: several parameters of a method, in any of its caches, also of those
 * that Spring uses through JCache. It is known here by name alone.
 */
final class SimpleKeys {
  private static final String NAME = "org.springframework.cache.interceptor.SimpleKey";

  private record Shape(Field parameters, Constructor<?> constructor) {}

  private static final ClassValue<Boolean> ARE_ONES =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().equals(NAME);
        }
      };

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          try {
            Field parameters = type.getDeclaredField("params");
            parameters.setAccessible(true);
            return new Shape(parameters, type.getConstructor(Object[].class));
          } catch (ReflectiveOperationException | RuntimeException e) {
            throw new UnencodableValueException(
                "The parameters of " + type.getName() + " cannot be read; make the key a record.",
                e);
          }
        }
      };

  private SimpleKeys() {}

  static boolean isOne(Class<?> type) {
    return ARE_ONES.get(type);
  }

  /** Returns the parameters of a key; not to be changed. */
  static @Nullable Object[] parameters(Object key) {
    try {
      return (@Nullable Object[]) SHAPES.get(key.getClass()).parameters().get(key);
    } catch (IllegalAccessException e) {
      throw new UnencodableValueException("The parameters of a SimpleKey cannot be read.", e);
    }
  }

  /** Returns a key of these parameters. */
  static Object create(Class<?> type, @Nullable Object[] parameters)
      throws ReflectiveOperationException {
    return SHAPES.get(type).constructor().newInstance((Object) parameters);
  }

  /** Returns the name by which stored bytes know the class. */
  static String name() {
    return NAME;
  }
}
