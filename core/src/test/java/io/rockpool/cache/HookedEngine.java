package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.testing.Proxied;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine that runs a hook on the writing thread, between a change of the store and the return of
 * the call that made it: at that moment reads of the store return what was written, and the cache
 * above does not know yet that they do.
 */
final class HookedEngine {
  private static final Set<String> WRITES =
      Set.of("put", "putAll", "delete", "deleteAll", "transact", "clear");

  private final Engine engine;
  private @Nullable Runnable hook;
  private @Nullable Runnable before;
  private @Nullable Throwable failure;
  private @Nullable Evictor evictor;

  HookedEngine(Engine engine) {
    this.engine = engine;
  }

  /** The engine with the hook. */
  Engine hooked() {
    return (Engine)
        Proxy.newProxyInstance(
            getClass().getClassLoader(), Proxied.interfaces(Engine.class), this::engineCall);
  }

  /**
   * Runs {@code write}, and {@code newHook} after each of its changes of the store. What the hook
   * throws is thrown when the write has returned.
   */
  void duringWrite(Runnable newHook, Runnable write) {
    hook = newHook;
    try {
      write.run();
    } finally {
      hook = null;
    }
    Throwable thrown = failure;
    failure = null;
    if (thrown != null) {
      throw new AssertionError(thrown.getMessage(), thrown);
    }
  }

  /** The engine without the hook. */
  Engine engine() {
    return engine;
  }

  /** Runs {@code write}, and {@code newHook} once, before its first change of the store. */
  void beforeWrite(Runnable newHook, Runnable write) {
    before = newHook;
    try {
      write.run();
    } finally {
      before = null;
    }
  }

  private void changes() {
    Runnable now = before;
    before = null;
    if (now != null) {
      now.run();
    }
  }

  /** The evictor that the cache layer has registered. */
  Evictor evictor() {
    return Objects.requireNonNull(evictor);
  }

  private void changed() {
    Runnable now = hook;
    if (now != null && !engine.inTransaction()) {
      hook = null; // what the hook itself writes does not run it
      try {
        now.run();
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      hook = now;
    }
  }

  private @Nullable Object engineCall(
      Object unusedProxy, Method method, Object @Nullable [] arguments) throws Throwable {
    switch (method.getName()) {
      case "evictBy" -> evictor = (Evictor) arguments[0];
      case "afterTransaction" -> {
        Runnable action = (Runnable) arguments[0];
        arguments[0] =
            (Runnable)
                () -> {
                  changed();
                  action.run();
                };
      }
      default -> {}
    }
    Object result = call(engine, method, arguments);
    if (method.getName().equals("atomically")) {
      changed();
    }
    return result instanceof Space space ? hooked(space) : result;
  }

  private Space hooked(Space space) {
    return (Space)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Space.class},
            (proxy, method, arguments) -> {
              if (WRITES.contains(method.getName())) {
                changes();
              }
              Object result = call(space, method, arguments);
              if (WRITES.contains(method.getName())) {
                changed();
              }
              return result instanceof Space other ? hooked(other) : result;
            });
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
