package io.rockpool.spring;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;

/** The parameters in a {@link SimpleKey}, which it keeps to itself. */
final class SimpleKeys {
  private static final MethodHandle PARAMETERS = parameters();

  private SimpleKeys() {}

  private static MethodHandle parameters() {
    try {
      return MethodHandles.privateLookupIn(SimpleKey.class, MethodHandles.lookup())
          .findGetter(SimpleKey.class, "params", Object[].class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "The parameters of "
              + SimpleKey.class.getName()
              + " cannot be read; this library knows that of Spring Framework 7.0.",
          e);
    }
  }

  /** The parameters of a key; not to be changed. */
  static @Nullable Object[] parameters(SimpleKey key) {
    try {
      return (@Nullable Object[]) PARAMETERS.invokeExact(key);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("The parameters of a SimpleKey cannot be read.", e);
    }
  }
}
