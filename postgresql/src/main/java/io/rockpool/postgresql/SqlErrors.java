package io.rockpool.postgresql;

import io.rockpool.error.ServerUnavailableException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

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

  /** The server ended a session whose transaction did nothing for too long. */
  private static final String IDLE_IN_TRANSACTION = "25P03";

  /** The role lacks a right. */
  private static final String FORBIDDEN = "42501";

  /** A write came to a standby, or to a session that is read-only. */
  private static final String READ_ONLY = "25006";

  private static final String DISK_FULL = "53100";

  private static final String TOO_MANY_CONNECTIONS = "53300";

  /** The database takes no connections; also the state of some statements' errors. */
  private static final String NOT_READY = "55000";

  /** A lock was not free in time. */
  private static final String LOCK_TIMEOUT = "55P03";

  /** A statement took longer than it may, or was ended by an administrator. */
  private static final String CANCELED = "57014";

  /** The state of the server's own shortage, and of the driver's. */
  private static final String OUT_OF_MEMORY = "53200";

  /** There is no such schema, table or function. */
  private static final Set<String> GONE = Set.of("3F000", "42P01", "42883");

  private static final String DRIVER = "org.postgresql.";
  private static final String ROCKPOOL = "io.rockpool.";

  private SqlErrors() {}

  /** What to do about an error; the end of a message. */
  static String advice(SQLException e) {
    if (ABORTED.equals(state(e))) {
      return "An earlier statement of the same transaction failed; let the transaction roll back, or"
          + " return to a savepoint before that statement.";
    }
    if (isInterrupted(e)) {
      return "The thread was interrupted while it waited for a connection, so nothing was sent.";
    }
    if (IDLE_IN_TRANSACTION.equals(state(e))) {
      return "The function of a transaction took longer than the server's setting"
          + " idle_in_transaction_session_timeout. Let it end sooner, or raise the setting.";
    }
    if (FORBIDDEN.equals(state(e))) {
      return "The role lacks a right. To create a store, it needs GRANT CREATE ON DATABASE, or GRANT"
          + " USAGE, CREATE ON SCHEMA for a schema that exists. To use one, be the role that has"
          + " created it.";
    }
    if (isReadOnly(e)) {
      return "The server takes no writes: it is a standby, or its sessions are read-only. Name the"
          + " primary; with several hosts, add targetServerType=primary to the parameters of the"
          + " URL.";
    }
    if (GONE.contains(state(e))) {
      return "The schema was dropped or renamed while the store was open. Close the store, and open"
          + " it by the schema's name.";
    }
    if (LOCK_TIMEOUT.equals(state(e)) || CANCELED.equals(state(e))) {
      return "The server waits no longer than its lock_timeout, statement_timeout or an administrator"
          + " lets it. Try again, or raise the settings for the role of the store.";
    }
    if (isOutOfConnections(e)) {
      return "The server or the role has no connection left. Lower rockpool.postgresql.pool-size of"
          + " the stores, or raise max_connections of the server or the CONNECTION LIMIT of the"
          + " role or database.";
    }
    if (isClosedDatabase(e)) {
      return "The database takes no connections. Let it take some again: ALTER DATABASE ... WITH"
          + " ALLOW_CONNECTIONS true.";
    }
    return isOfOtherSession(e)
        ? "A pooler in transaction mode gives each transaction another session; add"
            + " prepareThreshold=0 to the parameters of the URL."
        : "Check the server and the pool.";
  }

  /** Whether the server gives no more connections to all, to the role or to the database. */
  static boolean isOutOfConnections(SQLException e) {
    return TOO_MANY_CONNECTIONS.equals(state(e));
  }

  /** Whether a thread got no connection because it was interrupted. */
  private static boolean isInterrupted(SQLException e) {
    return e.getCause() instanceof InterruptedException;
  }

  /** Whether an interrupt of this thread may be the only reason for a failure. */
  static boolean isOfThisThread(Throwable failure) {
    return failure instanceof ServerUnavailableException && Thread.currentThread().isInterrupted();
  }

  /** Whether a lock that was not free in time is the reason for a failure. */
  static boolean isOfLock(Throwable failure) {
    return failure.getCause() instanceof SQLException e && LOCK_TIMEOUT.equals(state(e));
  }

  /** What an error says, and the one that led to it. A pool has its own message for the latter. */
  static String message(SQLException e) {
    SQLException first = e;
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      first = cause instanceof SQLException found ? found : first;
    }
    String message = '"' + e.getMessage() + "\" (SQLState " + e.getSQLState() + ")";
    return first == e
        ? message
        : message + ", because of \"" + first.getMessage() + "\" (" + first.getSQLState() + ")";
  }

  /** Whether the session is not that in which the driver has prepared a statement. */
  static boolean isOfOtherSession(SQLException e) {
    return OTHER_SESSION.contains(state(e));
  }

  /** Whether the server will not take a connection, however often it is asked. */
  static boolean isRefusal(SQLException e) {
    return state(e).startsWith("28") || state(e).equals("3D000");
  }

  /** Whether the server has refused a write, and may take reads. */
  static boolean takesNoWrites(SQLException e) {
    return isReadOnly(e) || DISK_FULL.equals(state(e));
  }

  /** Whether the server takes no writes on this connection; another one may be to a primary. */
  static boolean isReadOnly(SQLException e) {
    return READ_ONLY.equals(state(e));
  }

  /** Whether the transaction was rolled back because of another one, and may run again. */
  static boolean isConflict(SQLException e) {
    return CONFLICTS.contains(state(e));
  }

  /** Whether the driver had no memory for an answer, whose statement the server has run. */
  static boolean isHeapTooSmall(SQLException e) {
    return OUT_OF_MEMORY.equals(state(e)) && e.getCause() instanceof OutOfMemoryError;
  }

  /** Whether the driver failed in a way that it does not report as an error of SQL. */
  static boolean isOfDriver(Throwable failure) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (frame.getClassName().startsWith(DRIVER)) {
        return true;
      }
      if (frame.getClassName().startsWith(ROCKPOOL)) {
        return false;
      }
    }
    return false;
  }

  /** Whether the connection is lost, so that a running commit may or may not have happened. */
  static boolean isCutOff(SQLException e) {
    String state = state(e);
    return state.startsWith("08")
        || isHeapTooSmall(e)
        || CUT_OFF.contains(state)
        || (state.isEmpty() && !(e instanceof SQLTransientConnectionException))
        || (!IDLE_IN_TRANSACTION.equals(state) && hasEndedSession(e));
  }

  /**
   * Whether the server ended the session with an error of any kind, such as a disk that is full for
   * its log. The driver then finds the end of the connection, and adds that to the error.
   * Severities such as PANIC would be in the language of the server.
   */
  private static boolean hasEndedSession(SQLException e) {
    SQLException next = e.getNextException();
    while (next != null && !state(next).startsWith("08")) {
      next = next.getNextException();
    }
    return next != null;
  }

  /** Whether there is no connection because the database is to have none. */
  private static boolean isClosedDatabase(SQLException e) {
    return NOT_READY.equals(state(e))
        && (e instanceof SQLTransientConnectionException
            || (e instanceof PSQLException failure && isFatal(failure.getServerErrorMessage())));
  }

  private static boolean isFatal(@Nullable ServerErrorMessage message) {
    return message != null && "FATAL".equals(message.getSeverity());
  }

  /** Whether the server, or the pool, may answer later: it is away, full or busy. */
  static boolean isUnavailable(SQLException e) {
    String state = state(e);
    return isCutOff(e)
        || isRefusal(e)
        || isReadOnly(e)
        || isClosedDatabase(e)
        || state.isEmpty()
        || state.equals(LOCK_TIMEOUT)
        || state.startsWith("53")
        || state.startsWith("57");
  }

  private static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }
}
