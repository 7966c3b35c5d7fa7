package io.rockpool.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connection of a transaction over several rows. Confined to one thread. */
interface TransactionConnection {
  /** Runs statements on it. */
  <R extends @Nullable Object> R run(SqlWork<R> work) throws SQLException;

  /**
   * Whether all reads are of one snapshot, so that the server fails a statement that meets a later
   * change. Otherwise the commit compares what was read.
   */
  boolean isOneSnapshot();

  /** Ends the use of the connection; undoes what is not committed, if the connection is its own. */
  void end();

  /** A connection of the pool from the first statement on. Reads are of one snapshot. */
  final class Own implements TransactionConnection {
    private final PostgresDatabase database;
    private @Nullable Connection connection;

    Own(PostgresDatabase database) {
      this.database = database;
    }

    @Override
    public <R extends @Nullable Object> R run(SqlWork<R> work) throws SQLException {
      return PostgresDatabase.run(connected(), work);
    }

    private Connection connected() throws SQLException {
      Connection known = connection;
      if (known == null) {
        known = database.connect();
        connection = known;
        known.setAutoCommit(false);
        // Of this transaction, not of the session: a pooler may give each transaction another one.
        PostgresDatabase.run(
            known, on -> Parameters.update(on, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"));
      }
      return known;
    }

    void commit() throws SQLException {
      PostgresDatabase.<Boolean>run(
          connected(),
          on -> {
            on.commit();
            return true;
          });
    }

    @Override
    public boolean isOneSnapshot() {
      return true;
    }

    @Override
    public void end() {
      Connection known = connection;
      if (known != null) {
        connection = null;
        try (known) {
          PostgresDatabase.<Boolean>run(
              known,
              on -> {
                PostgresDatabase.rollback(on);
                on.setAutoCommit(true);
                return true;
              });
        } catch (SQLException e) {
          // The pool discards a connection that is lost.
        }
      }
    }
  }

  /** The connection of the application's transaction, which the application ends. */
  final class Joined implements TransactionConnection {
    private final JoinedRules rules;
    private final SameDatabase database;
    private boolean checked;

    Joined(JoinedRules rules, SameDatabase database) {
      this.rules = rules;
      this.database = database;
    }

    @Override
    public <R extends @Nullable Object> R run(SqlWork<R> work) throws SQLException {
      return rules.onConnection(
          connection -> {
            if (!checked) {
              database.check(connection);
              checked = true;
            }
            return PostgresDatabase.run(connection, work);
          });
    }

    @Override
    public boolean isOneSnapshot() {
      return false;
    }

    @Override
    public void end() {}
  }
}
