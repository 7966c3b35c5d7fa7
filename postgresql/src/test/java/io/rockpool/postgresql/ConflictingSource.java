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

/**
 * A source whose connections refuse a chosen statement or COMMIT of one thread because of a
 * conflict, as the server would: the statement changes nothing, and its transaction can only be
 * rolled back.
 */
final class ConflictingSource {
  private static final Set<String> RUNNING = Set.of("execute", "executeQuery", "executeUpdate");

  private final DataSource real;
  private final Thread thread = Thread.currentThread();
  private String state = "";
  private int left;

  ConflictingSource(DataSource real) {
    this.real = real;
  }

  DataSource source() {
    return proxy(DataSource.class, this::ofSource);
  }

  /** The next statements of this thread run, but the one at this place, which counts from one. */
  void conflictAt(int place, String sqlState) {
    left = place;
    state = sqlState;
  }

  /** Whether the chosen statement has come; from now on, none is refused. */
  boolean hasConflicted() {
    boolean conflicted = left <= 0;
    left = 0;
    return conflicted;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object ofSource(Object self, Method method, Object[] arguments) throws Throwable {
    Object result = call(real, method, arguments);
    if (!(result instanceof Connection connection)) {
      return result;
    }
    return proxy(Connection.class, (proxy, called, with) -> ofConnection(connection, called, with));
  }

  private Object ofConnection(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("commit")) {
      refuse(connection);
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
            refuse(connection);
          }
          return call(result, called, with);
        });
  }

  private void refuse(Connection connection) throws SQLException {
    if (Thread.currentThread() != thread || left <= 0 || --left > 0) {
      return;
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    throw new SQLException("A conflict of the test.", state);
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
