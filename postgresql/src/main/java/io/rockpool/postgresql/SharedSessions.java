package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** Finds poolers that give each transaction another session of the server. */
final class SharedSessions {
  private static final String SESSION = "SELECT pg_backend_pid()";

  /** How long to wait for a second session; the pooler may have only one. */
  private static final int PATIENCE_MILLIS = 2_000;

  private SharedSessions() {}

  /**
   * Whether two connections that are open at the same time share sessions. A pooler gives the
   * session that was used last, unless others are faster; so what is not found may be there.
   *
   * @throws SQLException also if the sessions do not know the prepared statements of connections
   *     that name them
   */
  static boolean areBehind(Connection first, Connection second) throws SQLException {
    long session = session(first);
    second.setAutoCommit(false);
    try {
      boolean isShared = Parameters.number(second, SESSION) == session;
      return isShared ? isKnownElsewhere(first) : session(first) != session;
    } finally {
      PostgresDatabase.abandon(second);
    }
  }

  /** Runs the prepared statement in another session, if there is one. */
  private static boolean isKnownElsewhere(Connection connection) throws SQLException {
    int timeout = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, PATIENCE_MILLIS);
    try {
      session(connection);
    } catch (SQLException e) {
      if (!SqlErrors.isCutOff(e)) {
        throw e;
      }
    } finally {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, timeout);
      }
    }
    return true;
  }

  /** The number of a session, by a prepared statement with a name if the connection has such. */
  private static long session(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SESSION)) {
      if (connection.unwrap(PGConnection.class).getPrepareThreshold() > 0) {
        statement.unwrap(PGStatement.class).setPrepareThreshold(1);
      }
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }
}
