package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Runs statements on the user's connections: repeats what the server rolled back because of a
 * conflict, and translates errors. Thread-safe; it keeps no connection.
 */
final class PostgresDatabase implements Connections {
  /** How many connections may be cut off under a read; conflicts are repeated without limit. */
  private static final int READ_ATTEMPTS = 3;

  /** How often an abort of a connection is tried while the heap is full. */
  private static final int ABORT_ATTEMPTS = 10;

  /** The longest pause before a statement runs again. */
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final DataSource source;
  private final String schema;

  /**
   * Ends the names of functions: a function made for another name of the schema has another one.
   */
  private final String functions;

  /** The number of this handle in the table of changes. */
  private volatile long origin = token();

  PostgresDatabase(DataSource source, String schema) {
    this.source = source;
    this.schema = schema;
    byte[] name = schema.getBytes(StandardCharsets.UTF_8);
    functions = "_" + Long.toHexString(UUID.nameUUIDFromBytes(name).getMostSignificantBits());
  }

  /**
   * A statement with the schema's name in place of each {@code "$."}, its functions' number in
   * place of {@code "_$("}, and a hidden limit.
   */
  String sql(String statement) {
    return Parameters.withHiddenLimit(
        statement.replace("$.", quotedSchema() + ".").replace("_$(", functions + "("));
  }

  String schema() {
    return schema;
  }

  /**
   * The number by which the changes of this handle are known, so that they are not reported to it.
   */
  long origin() {
    return origin;
  }

  /** The schema's name in statements, where it may be a reserved word. */
  String quotedSchema() {
    return '"' + schema + '"';
  }

  /** A connection that commits each statement. The caller closes it. */
  Connection connect() throws SQLException {
    Connection connection = source.getConnection();
    try {
      return run(
          connection,
          on -> {
            if (!on.getAutoCommit()) {
              checkNotInTransaction(on);
              on.setAutoCommit(true);
            }
            checkBytes(on);
            return on;
          });
    } catch (Throwable e) {
      try (connection) {
        throw e;
      }
    }
  }

  /**
   * Runs statements on a connection. Aborts the connection if its driver fails in the middle of an
   * answer: the next statement would get the rest of that answer, and a pool that keeps the
   * connection would give that to another caller.
   */
  static <R extends @Nullable Object> R run(Connection connection, SqlWork<R> work)
      throws SQLException {
    try {
      return work.run(connection);
    } catch (Throwable e) {
      if (e instanceof Error
          || (e instanceof SQLException failure
              ? SqlErrors.isHeapTooSmall(failure)
              : SqlErrors.isOfDriver(e))) {
        abort(connection);
      }
      throw e;
    }
  }

  private static void abort(Connection connection) {
    for (int attempt = 1; attempt <= ABORT_ATTEMPTS; attempt++) {
      try {
        connection.abort(Runnable::run);
        return;
      } catch (Throwable e) {
        // The heap is full even for this. What has led here matters more.
        LockSupport.parkNanos(MAX_PAUSE_NANOS);
      }
    }
  }

  /** With these settings, the server takes the backslash in what the driver sends for an escape. */
  static void checkBytes(Connection connection) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)) {
      BaseConnection base = connection.unwrap(BaseConnection.class);
      if (isSimple(base) && !base.getStandardConformingStrings()) {
        throw new ServerUnavailableException(
            "The driver of PostgreSQL would send other bytes than those of keys and values: the"
                + " connection has preferQueryMode=simple, and standard_conforming_strings is off."
                + " Nothing was changed. Change one of the two: in the URL, the pool, the role or"
                + " the database.",
            null);
      }
    }
  }

  /** Whether the driver sends each statement of a text in a message of its own. */
  static boolean isSimple(BaseConnection connection) {
    return connection.getPreferQueryMode() == PreferQueryMode.SIMPLE;
  }

  /** The work of a transaction that is not the engine's would be committed. */
  private static void checkNotInTransaction(Connection connection) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
      throw new IllegalStateException(
          "The DataSource gave the engine a connection with a running transaction, which the engine"
              + " would commit. Nothing was changed. Give the engine a DataSource whose connections"
              + " are not bound to the application's transactions.");
    }
  }

  @Override
  public <R extends @Nullable Object> R read(SqlWork<R> work) {
    int cuts = 0;
    for (int attempt = 1; ; attempt++) {
      boolean connected = false;
      try (Connection connection = connect()) {
        connected = true;
        return run(connection, work);
      } catch (SQLException e) {
        // A pool has tried for as long as it may. A second attempt would double the call's limit.
        boolean isTimeOfPool = !connected && e instanceof SQLTransientConnectionException;
        boolean isCut = SqlErrors.isCutOff(e) && !SqlErrors.isHeapTooSmall(e) && !isTimeOfPool;
        cuts += isCut ? 1 : 0;
        if (!SqlErrors.isConflict(e) && (!isCut || cuts >= READ_ATTEMPTS)) {
          throw failure("A read", e);
        }
      }
      pause(attempt);
    }
  }

  /**
   * Runs statements that write, each of which commits by itself.
   *
   * @param what the beginning of messages
   */
  <R extends @Nullable Object> R write(String what, SqlWork<R> work) {
    return write(what, work, false);
  }

  /** Runs statements that write as one transaction, which sees what is committed by others. */
  <R extends @Nullable Object> R transaction(String what, SqlWork<R> work) {
    return write(what, work, true);
  }

  /**
   * Runs statements that write as one transaction, and finds out whether it was committed if the
   * answer was lost. One that was not is run again.
   *
   * @param work returns null to undo what it did
   */
  <R extends @Nullable Object> R settledTransaction(String what, SqlWork<R> work) {
    while (true) {
      List<R> results = new ArrayList<>();
      CommitMark[] mark = new CommitMark[1];
      try {
        return transaction(
            what,
            connection -> {
              mark[0] = null;
              results.clear();
              R result = work.run(connection);
              if (result == null) {
                connection.rollback();
              } else {
                results.add(result);
                mark[0] = CommitMark.add(connection, this);
              }
              return result;
            });
      } catch (OutcomeUnknownException e) {
        if (mark[0] == null) {
          throw notCommitted(what, e);
        }
        if (new Settlement(this).isCommitted(e, mark[0])) {
          return results.get(0);
        }
      }
    }
  }

  private static RockpoolException notCommitted(String what, OutcomeUnknownException e) {
    if (e.getCause() instanceof SQLException failure && SqlErrors.isHeapTooSmall(failure)) {
      return failure(what, failure);
    }
    return new ServerUnavailableException(
        what
            + " was not committed: the connection to PostgreSQL was lost before. Nothing was"
            + " changed; try again once the server answers.",
        e);
  }

  private <R extends @Nullable Object> R write(String what, SqlWork<R> work, boolean together) {
    for (int attempt = 1; ; attempt++) {
      boolean connected = false;
      try (Connection connection = connect()) {
        connected = true;
        return together ? inTransaction(connection, work) : run(connection, work);
      } catch (SQLException e) {
        if (!connected || !SqlErrors.isConflict(e)) {
          throw connected && SqlErrors.isCutOff(e) ? unknown(what, e) : failure(what, e);
        }
      }
      pause(attempt);
    }
  }

  /** Runs statements as one transaction, on a connection that commits each statement. */
  static <R extends @Nullable Object> R inTransaction(Connection connection, SqlWork<R> work)
      throws SQLException {
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      R result =
          run(
              connection,
              on -> {
                R found = work.run(on);
                on.commit();
                return found;
              });
      done = true;
      connection.setAutoCommit(true);
      return result;
    } finally {
      if (!done) {
        abandon(connection);
      }
    }
  }

  /** Ends a transaction that has failed; the error that led here matters more than another. */
  static void abandon(Connection connection) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      // The server rolls back a transaction whose connection is lost.
    }
  }

  /** Rolls back, if the connection still can; the error that led here matters more than another. */
  static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The server rolls back a transaction whose connection is lost.
    }
  }

  /** Waits for a moment, longer after more attempts. */
  static void pause(int attempt) {
    long most =
        Math.min(MAX_PAUSE_NANOS, TimeUnit.MICROSECONDS.toNanos(200) << Math.min(attempt, 10));
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
  }

  /** A random number that no write has used before: the revision or version that a write sets. */
  static long token() {
    return 1 + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
  }

  /**
   * The exception for a write that the server may make later. Memory may get the older value until
   * then. So the handle has another number from now on, and the write is reported to it, too.
   */
  OutcomeUnknownException unknown(String what, SQLException e) {
    origin = token();
    return new OutcomeUnknownException(
        what
            + " was sent to PostgreSQL, and "
            + (SqlErrors.isHeapTooSmall(e)
                ? "the heap of this process is too small for its answer"
                : "the connection was lost before its answer")
            + ". It may have been applied or not. Read before you repeat it.",
        e);
  }

  static RockpoolException failure(String what, SQLException e) {
    if (SqlErrors.isHeapTooSmall(e)) {
      return new RockpoolException(
          what
              + " failed: the heap of this process is too small for what PostgreSQL returned."
              + " Nothing was changed. Give the process more heap, or use smaller values.",
          e);
    }
    String message =
        what
            + " failed: PostgreSQL or its connection pool reported "
            + SqlErrors.message(e)
            + ". Nothing was changed. "
            + SqlErrors.advice(e);
    return SqlErrors.isUnavailable(e)
        ? new ServerUnavailableException(message, e)
        : new RockpoolException(message, e);
  }
}
