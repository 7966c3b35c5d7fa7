package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;

/**
 * A source whose driver fails while it reads the answer of a statement, which the server has run.
 */
final class FailingSource extends ObservedSource {
  private final AtomicReference<Failure> next = new AtomicReference<>();

  /** The connection that has failed; null for none. */
  private volatile Connection failed;

  /** The thread of the test, and the connection of its last statement. */
  private final Thread owner = Thread.currentThread();

  private Connection own;

  private record Failure(Predicate<Thread> thread, Throwable thrown) {}

  FailingSource(DataSource real) {
    super(real);
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

  /** Whether the connection of the test's own last call can no longer be used, by anybody. */
  boolean isOwnAborted() throws SQLException {
    return own.isClosed();
  }

  @Override
  void hasRun(Connection connection) throws Throwable {
    if (Thread.currentThread() == owner) {
      own = connection.unwrap(BaseConnection.class);
    }
    Failure due = next.get();
    if (due != null && due.thread.test(Thread.currentThread()) && next.compareAndSet(due, null)) {
      failed = connection.unwrap(BaseConnection.class);
      throw due.thrown;
    }
  }
}
