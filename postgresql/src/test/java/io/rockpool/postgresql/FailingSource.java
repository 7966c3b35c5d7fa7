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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;

/**
 * A source whose driver fails while it reads the answer of a statement, which the server has run.
 */
final class FailingSource {
  private static final Set<String> RUNNING = Set.of("execute", "executeQuery", "executeUpdate");

  private final DataSource real;
  private final AtomicReference<Failure> next = new AtomicReference<>();

  /** The connection that has failed; null for none. */
  private volatile Connection failed;

  private record Failure(Predicate<Thread> thread, Throwable thrown) {}

  FailingSource(DataSource real) {
    this.real = real;
  }

  DataSource source() {
    return proxy(DataSource.class, this::ofSource);
  }

  /** The next statement of this thread fails. */
  void failNext(Throwable thrown) {
    Thread self = Thread.currentThread();
    failNext(thread -> thread == self, thrown);
  }

  /** The next statement of a thread fails. */
  void failNext(Predicate<Thread> thread, Throwable thrown) {
    failed = null;
    next.set(new Failure(thread, thrown));
  }

  /** Whether the statement that was to fail has come. */
  boolean hasFailed() {
    return failed != null;
  }

  /** Whether the connection that has failed can no longer be used, by anybody. */
  boolean isAborted() throws SQLException {
    return failed.isClosed();
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
    Object result = call(connection, method, arguments);
    if (!(result instanceof Statement)) {
      return result;
    }
    Class<? extends Statement> type =
        result instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
    return proxy(
        type,
        (proxy, called, with) -> {
          Object answer = call(result, called, with);
          if (RUNNING.contains(called.getName())) {
            fail(connection);
          }
          return answer;
        });
  }

  private void fail(Connection connection) throws Throwable {
    Failure due = next.get();
    if (due != null && due.thread.test(Thread.currentThread()) && next.compareAndSet(due, null)) {
      failed = connection.unwrap(BaseConnection.class);
      throw due.thrown;
    }
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
