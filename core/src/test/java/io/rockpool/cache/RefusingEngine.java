package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreFullException;
import io.rockpool.testing.Proxied;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An engine over another that refuses what adds to it while it is said to be full. */
final class RefusingEngine {
  /** Whether what adds something is refused. */
  volatile boolean full;

  /** Whether removals are refused as well then, as where not a byte is left. */
  volatile boolean removalsToo;

  /** How many row transactions there were. */
  final AtomicLong transactions = new AtomicLong();

  /** This over {@code engine}. */
  Engine over(Engine engine) {
    return wrapped(Engine.class, engine);
  }

  private <T> T wrapped(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            Proxied.interfaces(type),
            (proxy, method, arguments) -> call(target, method, arguments)));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (full && (name.startsWith("put") || (removalsToo && name.startsWith("delete")))) {
      throw new StoreFullException("The test says that there is no room.", null);
    }
    if (name.equals("transact") && arguments != null) {
      transactions.incrementAndGet();
      RowTransaction<?> work = (RowTransaction<?>) arguments[1];
      arguments[1] = (RowTransaction<?>) row -> work.run(wrapped(Row.class, row));
    }
    try {
      Object result = method.invoke(target, arguments);
      return result instanceof Space space ? wrapped(Space.class, space) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
