package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A source whose connections refuse a chosen statement or COMMIT of one thread because of a
 * conflict, as the server would: the statement changes nothing, and its transaction can only be
 * rolled back.
 */
final class ConflictingSource extends ObservedSource {
  private final Thread thread = Thread.currentThread();
  private String state = "";
  private int left;

  ConflictingSource(DataSource real) {
    super(real);
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

  @Override
  void ending(Connection connection, boolean commits) throws SQLException {
    if (commits) {
      running(connection, "");
    }
  }

  @Override
  void running(Connection connection, String sql) throws SQLException {
    if (Thread.currentThread() != thread || left <= 0 || --left > 0) {
      return;
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    throw new SQLException("A conflict of the test.", state);
  }
}
