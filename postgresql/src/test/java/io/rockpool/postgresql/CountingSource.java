package io.rockpool.postgresql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A source that counts how often one thread waits for the server: statements, and the ends of
 * transactions.
 */
final class CountingSource {
  private static final Set<String> RUNNING =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch");

  private final DataSource real;
  private final Thread thread = Thread.currentThread();
  private long roundTrips;

  CountingSource(DataSource real) {
    this.real = real;
  }

  DataSource source() {
    return proxy(DataSource.class, this::ofSource);
  }

  /** The round trips of the thread that created this. */
  long roundTrips() {
    return roundTrips;
  }

  private void count() {
    roundTrips += Thread.currentThread() == thread ? 1 : 0;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object ofSource(Object self, Method method, Object[] arguments) throws Throwable {
    Object result = call(real, method, arguments);
    return result instanceof Connection connection
        ? proxy(Connection.class, (proxy, called, with) -> ofConnection(connection, called, with))
        : result;
  }

  private Object ofConnection(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("commit") || method.getName().equals("rollback")) {
      count();
    }
    Object result = call(connection, method, arguments);
    if (!(result instanceof Statement)) {
      return result;
    }
    Class<? extends Statement> type =
        result instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
    return proxy(
        type,
        (proxy, called, with) -> {
          if (RUNNING.contains(called.getName())) {
            count();
          }
          return call(result, called, with);
        });
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
