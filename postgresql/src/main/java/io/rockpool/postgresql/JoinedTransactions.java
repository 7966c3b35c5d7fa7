package io.rockpool.postgresql;

import io.rockpool.Rockpool;
import io.rockpool.error.RockpoolException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One commit for tables of the application and for caches, collections and queues in the same
 * database. For applications without Spring; with Spring, see {@link JoiningTransactionListener}.
 *
 * <pre>{@code
 * try (Connection connection = dataSource.getConnection()) {
 *   JoinedTransactions.run(pool, connection, () -> {
 *     insertOrder(connection, order);
 *     shipments.offer(order.id());
 *     return null;
 *   });
 * }
 * }</pre>
 */
public final class JoinedTransactions {
  /**
   * The work of one transaction.
   *
   * @param <R> the type of the result
   * @param <X> what it may throw beside {@link SQLException}
   */
  @FunctionalInterface
  public interface Work<R extends @Nullable Object, X extends Exception> {
    /**
     * Does the work.
     *
     * @return the result
     * @throws SQLException if a statement fails
     * @throws X if the work fails
     */
    R run() throws SQLException, X;
  }

  /** The transaction that {@link #run} ends. Time never runs out. */
  private record OnConnection(Connection connection) implements JoinedRules {
    @Override
    public <R extends @Nullable Object> R onConnection(SqlWork<R> work) throws SQLException {
      return work.run(connection);
    }

    @Override
    public void checkTime() {}

    @Override
    public RuntimeException conflict(String message) {
      return new TransactionConflictException(message);
    }
  }

  private JoinedTransactions() {}

  /**
   * Runs {@code work} once in one transaction of {@code connection}, and commits. The thread's
   * operations on {@code pool} join it: they see its changes, other threads see them after the
   * commit, and listeners and waiting threads are notified after it. What it has read from Rockpool
   * is checked before the commit if it has changed anything there. Costs four to six round trips
   * beside those of {@code work} and its reads.
   *
   * <p>If {@code work} throws, or with a conflict, everything is rolled back. If the connection is
   * lost at the commit, the outcome is unknown to this method, as with plain JDBC; what Rockpool
   * keeps in memory stays correct.
   *
   * @param pool an open store on the database of the connection, with this module's engine
   * @param connection has no transaction yet; this thread alone uses it meanwhile
   * @param work must leave the commit to this method
   * @return the result of {@code work}
   * @throws TransactionConflictException if another transaction has changed what this one has read;
   *     nothing was changed, and the caller may run it again
   * @throws SQLException if the connection fails
   * @throws X if {@code work} does
   * @throws IllegalStateException if the thread is in another transaction of the store, if the
   *     connection is of another database, or if {@code work} has switched autocommit on; nothing
   *     of the store was changed
   * @throws IllegalArgumentException if the store is not on PostgreSQL
   */
  public static <R extends @Nullable Object, X extends Exception> R run(
      Rockpool pool, Connection connection, Work<R, X> work) throws SQLException, X {
    Objects.requireNonNull(connection, "connection");
    Objects.requireNonNull(work, "work");
    BoundPostgresTransaction joined = begin(pool, new OnConnection(connection));
    boolean committed = false;
    boolean sent = false;
    boolean wasAutoCommit = false;
    try {
      wasAutoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      R result = work.run();
      if (connection.getAutoCommit()) {
        throw new IllegalStateException(
            "The work has switched autocommit on, so its transaction has ended. Rockpool's part was"
                + " not sent; leave the commit to this method.");
      }
      if (!joined.send()) {
        throw new TransactionConflictException(
            "Another transaction has changed what this one has read. Nothing was changed; run it"
                + " again.");
      }
      sent = true;
      connection.commit();
      committed = true;
      return result;
    } finally {
      if (!committed) {
        PostgresDatabase.rollback(connection);
      }
      if (sent && !committed) {
        joined.endedSomehow();
      } else {
        joined.ended(committed);
      }
      if (wasAutoCommit && !connection.isClosed()) {
        connection.setAutoCommit(true);
      }
    }
  }

  /** Begins a transaction on the calling thread that joins one of the application. */
  static BoundPostgresTransaction begin(Rockpool pool, BoundRules rules) {
    BoundTransaction begun = Internals.store(pool).beginTransaction(rules);
    if (begun instanceof BoundPostgresTransaction joined) {
      return joined;
    }
    begun.rollback();
    throw new IllegalArgumentException(
        "The store is not on PostgreSQL, so it cannot join a transaction there; open it with"
            + " PostgresEngine.factory(dataSource).");
  }

  /** The engine of a store, of whose transactions the thread is in none. */
  static PostgresEngine engine(Rockpool pool) {
    BoundPostgresTransaction begun =
        begin(
            pool,
            new BoundRules() {
              @Override
              public void checkTime() {}

              @Override
              public RuntimeException conflict(String message) {
                return new TransactionConflictException(message);
              }
            });
    try {
      return begun.engine();
    } finally {
      begun.rollback();
    }
  }

  /** Another transaction has changed the same data. Nothing was changed; run it again. */
  public static final class TransactionConflictException extends RockpoolException {
    private static final long serialVersionUID = 1L;

    TransactionConflictException(String message) {
      super(message);
    }
  }
}
