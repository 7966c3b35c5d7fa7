package io.rockpool.jcache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreFullException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Things that fail when they are told to. */
final class Failing {
  private static final Set<String> WRITES =
      Set.of("put", "delete", "putAll", "deleteAll", "transact", "atomically");

  private Failing() {}

  /** An engine whose spaces refuse to be written, as on a full disk, while {@code full} says so. */
  static Engine writes(Engine engine, BooleanSupplier full) {
    return proxy(Engine.class, engine, full);
  }

  private static <T> T proxy(Class<T> type, T thing, BooleanSupplier full) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (WRITES.contains(method.getName()) && full.getAsBoolean()) {
                throw new StoreFullException("The disk is full.", null);
              }
              try {
                Object result = method.invoke(thing, arguments);
                return result instanceof Space space ? proxy(Space.class, space, full) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Throws whatever it is given. */
  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals",
    "DoNotCallSuggester"
  }) // no cast takes place
  static <R, T extends Throwable> R sneaky(Throwable failure) throws T {
    throw (T) failure;
  }
}
