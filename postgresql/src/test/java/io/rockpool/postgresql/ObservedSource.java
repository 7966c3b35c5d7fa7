package io.rockpool.postgresql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;

/** A source of which a test sees each statement that runs, and each end of a transaction. */
abstract class ObservedSource {
  private static final Set<String> RUNNING =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch");
  private static final Set<String> ENDING = Set.of("commit", "rollback");

  private final DataSource real;

  ObservedSource(DataSource real) {
    this.real = real;
  }

  final DataSource source() {
    return proxy(DataSource.class, this::ofSource);
  }

  /**
   * A statement is about to run.
   *
   * @param sql its text, unless it was prepared
   */
  void running(Connection connection, String sql) throws SQLException {}

  /** A statement has run. */
  void hasRun(Connection connection) throws Throwable {}

  /** A transaction is about to end. */
  void ending(Connection connection, boolean commits) throws SQLException {}

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
    String name = method.getName();
    if (ENDING.contains(name)) {
      ending(connection, name.equals("commit"));
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
          if (!RUNNING.contains(called.getName())) {
            return call(result, called, with);
          }
          running(connection, with == null ? "" : String.valueOf(with[0]));
          Object answer = call(result, called, with);
          hasRun(connection);
          return answer;
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
