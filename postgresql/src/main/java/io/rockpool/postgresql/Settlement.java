package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out what became of a write whose connection was lost. The revision or version that the
 * write sets is a random number, so it is a token: whoever reads it knows that the write was made.
 * A fence replaces the revision that the write expects, so it can no longer be made.
 */
final class Settlement {
  /** For how long the server may be away; after that the outcome stays unknown. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The error for a number that no transaction has yet. */
  private static final String IN_THE_FUTURE = "22023";

  private final Database database;

  /** The fences so far: the answer about one may have been lost, too. */
  private final List<Long> fences = new ArrayList<>();

  Settlement(Database database) {
    this.database = database;
  }

  /** Asks until there is an answer. */
  boolean isApplied(OutcomeUnknownException unknown, SqlWork<Outcome> question) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < end) {
      try {
        Outcome outcome = database.write("Settling", question);
        if (outcome != Outcome.UNKNOWN) {
          return outcome == Outcome.APPLIED;
        }
        break;
      } catch (RockpoolException e) {
        unknown.addSuppressed(e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    throw unknown;
  }

  /**
   * Asks for a transaction until it has ended.
   *
   * @return whether it was committed
   */
  boolean isCommitted(OutcomeUnknownException unknown, TransactionCommit.Sent sent) {
    return isApplied(
        unknown,
        connection -> {
          String status;
          try {
            status = Parameters.text(connection, "SELECT pg_xact_status(?::xid8)", sent.xid());
          } catch (SQLException e) {
            if (IN_THE_FUTURE.equals(e.getSQLState())) {
              // The server, or the one that has replaced it, has lost the transaction.
              return Outcome.NOT_APPLIED;
            }
            throw e;
          }
          if ("in progress".equals(status)) {
            throw Database.failure(
                "Settling", new SQLException("the transaction has not ended", "55000"));
          }
          if (status == null) {
            return Outcome.UNKNOWN;
          }
          return status.equals("committed") && hasChanges(connection, sent)
              ? Outcome.APPLIED
              : Outcome.NOT_APPLIED;
        });
  }

  /** Whether the committed transaction of a number is the one that was sent. */
  private boolean hasChanges(Connection connection, TransactionCommit.Sent sent)
      throws SQLException {
    return Parameters.number(
            connection,
            database.sql("SELECT count(*) FROM $.changes WHERE xid = ?::xid8 AND name = ?"),
            sent.xid(),
            sent.token())
        > 0;
  }

  /** A new fence. */
  long fence() {
    long fence = Database.token();
    fences.add(fence);
    return fence;
  }

  /** The outcome, by the revision that the row has after a fence was tried. */
  Outcome of(long found, long token) {
    if (found == token) {
      return Outcome.APPLIED;
    }
    return fences.contains(found) ? Outcome.NOT_APPLIED : Outcome.UNKNOWN;
  }
}
