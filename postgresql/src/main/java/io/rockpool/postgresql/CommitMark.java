package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A row in the table of changes by which a transaction is found again if the answer to its commit
 * was lost. The number of the transaction is not enough: after a crash, or on a standby that was
 * promoted, the server uses the numbers of lost transactions again.
 *
 * @param xid the number of the transaction
 * @param token a random number in place of a space; no other transaction has it
 */
record CommitMark(String xid, long token) {
  /** The kind of such a row; readers of changes know no space of that number, and ignore it. */
  static final int KIND = 3;

  /** Adds a mark to a transaction. */
  static CommitMark add(Connection connection, PostgresDatabase database) throws SQLException {
    long token = PostgresDatabase.token();
    String xid =
        Parameters.text(
            connection,
            database.sql(
                "INSERT INTO $.changes (origin, space, kind) VALUES (?, ?, "
                    + KIND
                    + ") RETURNING xid::text"),
            database.origin(),
            token);
    return new CommitMark(String.valueOf(xid), token);
  }

  /** What became of the transaction; {@link WriteOutcome#RUNNING} while the server runs it. */
  WriteOutcome outcome(Connection connection, PostgresDatabase database) throws SQLException {
    String known = Parameters.text(connection, ServerDialect.TRANSACTION, xid, xid);
    if (ServerDialect.IN_PROGRESS.equals(known)) {
      return WriteOutcome.RUNNING;
    }
    // In a later statement, which sees all that has ended before.
    return Parameters.number(connection, database.sql(ServerDialect.CHANGES_OF), xid, token) > 0
        ? WriteOutcome.APPLIED
        : WriteOutcome.NOT_APPLIED;
  }
}
