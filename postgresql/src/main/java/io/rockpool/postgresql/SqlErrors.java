package io.rockpool.postgresql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What the SQLState of an error says. */
final class SqlErrors {
  static final String UNIQUE_VIOLATION = "23505";

  private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

  /** The server ended the session, or says itself that the outcome is unknown. */
  private static final Set<String> CUT_OFF = Set.of("57P01", "57P02", "57P03", "57P05", "40003");

  /** A prepared statement is unknown in the session, or has the name of another one. */
  private static final Set<String> OTHER_SESSION = Set.of("26000", "42P05");

  /** An earlier statement of the transaction failed; the server refuses those after it. */
  private static final String ABORTED = "25P02";

  private SqlErrors() {}

  /** What to do about an error; the end of a message. */
  static String advice(SQLException e) {
    if (ABORTED.equals(state(e))) {
      return "An earlier statement of the same transaction failed; let the transaction roll back, or"
          + " return to a savepoint before that statement.";
    }
    return OTHER_SESSION.contains(state(e))
        ? "A pooler in transaction mode gives each transaction another session; add"
            + " prepareThreshold=0 to the parameters of the URL."
        : "Check the server and the pool.";
  }

  /** Whether the transaction was rolled back because of another one, and may run again. */
  static boolean isConflict(SQLException e) {
    return CONFLICTS.contains(state(e));
  }

  /** Whether the connection is lost, so that a running commit may or may not have happened. */
  static boolean isCutOff(SQLException e) {
    String state = state(e);
    return state.startsWith("08")
        || CUT_OFF.contains(state)
        || (state.isEmpty() && !(e instanceof SQLTransientConnectionException));
  }

  /** Whether the server, or the pool, may answer later: it is away, full or busy. */
  static boolean isUnavailable(SQLException e) {
    String state = state(e);
    return isCutOff(e) || state.isEmpty() || state.startsWith("53") || state.startsWith("57");
  }

  private static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }
}
