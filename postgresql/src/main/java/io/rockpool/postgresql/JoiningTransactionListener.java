package io.rockpool.postgresql;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes Rockpool's operations join Spring's transactions on the same {@code DataSource}: tables of
 * the application, caches, collections and queues change in one commit, or not at all. For each
 * transaction manager that binds the connections of the {@code DataSource} to threads, such as
 * {@code JdbcTransactionManager} and {@code JpaTransactionManager}:
 *
 * <pre>{@code
 * manager.addListener(new JoiningTransactionListener(dataSource, () -> pool));
 * }</pre>
 *
 * <p>Spring Boot does this for all managers with {@code rockpool.postgresql.join-transactions}.
 *
 * <p>The operations of the transaction's thread see its changes; other threads see them after the
 * commit. Listeners and waiting threads are notified after it. The changes are sent just before the
 * commit and after those of JPA, so no lock is held while a method runs. If another transaction has
 * changed meanwhile what this one has read from Rockpool, and this one has changed something there,
 * the commit fails with a {@link org.springframework.dao.ConcurrencyFailureException} and
 * everything is rolled back. {@code NESTED} and savepoints undo Rockpool's changes too; {@code
 * REQUIRES_NEW} and {@code NOT_SUPPORTED} suspend them.
 *
 * <p>In a transaction that begins after the store was closed, operations throw a {@link
 * StoreClosedException}; one that does not use the store commits. If the store is closed while a
 * transaction is suspended, the transaction cannot commit.
 *
 * <p>A read-only transaction is not joined: what it puts into caches is committed at once. Reactive
 * transactions, and managers without transaction synchronization, are not joined either.
 * Thread-safe.
 */
public final class JoiningTransactionListener implements TransactionExecutionListener {
  private final Supplier<DataSource> source;
  private final Supplier<Rockpool> pool;

  /**
   * Creates a listener. It has to be added to the manager.
   *
   * @param source the manager's connections, of the database of the store. A transaction on another
   *     database fails when it first uses the store.
   * @param pool returns the store, open
   */
  public JoiningTransactionListener(DataSource source, Supplier<Rockpool> pool) {
    DataSource bound = DirectSource.of(Objects.requireNonNull(source, "source"));
    this.source = () -> bound;
    this.pool = Objects.requireNonNull(pool, "pool");
  }

  /**
   * @param source returns the manager's connections; asked for while the store is open
   */
  JoiningTransactionListener(Supplier<DataSource> source, Supplier<Rockpool> pool) {
    this.source = source;
    this.pool = pool;
  }

  private @Nullable SpringJoin joined() {
    return (SpringJoin) TransactionSynchronizationManager.getResource(this);
  }

  /** {@inheritDoc} It fails here, while Spring holds no connection yet. */
  @Override
  public void beforeBegin(TransactionExecution transaction) {
    if (!transaction.isNested() && joined() == null && isInTransactionOfStore()) {
      throw new IllegalTransactionStateException(
          "A transaction was begun inside a transaction of Rockpool, which it could not join; begin"
              + " it first. Give a filter of idempotent requests its manager.");
    }
  }

  private boolean isInTransactionOfStore() {
    try {
      return Internals.store(Objects.requireNonNull(pool.get(), "pool")).inTransaction();
    } catch (StoreClosedException e) {
      return false;
    }
  }

  /** {@inheritDoc} A store that was closed is not joined: its operations throw. */
  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null
        && !transaction.isNested()
        && !transaction.isReadOnly()
        && joined() == null
        && TransactionSynchronizationManager.isSynchronizationActive()) {
      SpringJoin join = begin(transaction);
      if (join != null) {
        TransactionSynchronizationManager.bindResource(this, join);
        TransactionSynchronizationManager.registerSynchronization(join);
      }
    }
  }

  /** Spring would not release the connection of a transaction if this threw. */
  private @Nullable SpringJoin begin(TransactionExecution transaction) {
    try {
      DataSource bound = source.get();
      return TransactionSynchronizationManager.hasResource(bound)
          ? new SpringJoin(
              this, transaction, rules -> JoinedTransactions.begin(pool.get(), rules), bound)
          : null;
    } catch (StoreClosedException e) {
      return null;
    }
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    SpringJoin join = joined();
    if (join == null || !join.isOf(transaction)) {
      return;
    }
    flush(transaction);
    try {
      if (!join.send()) {
        throw new OptimisticLockingFailureException(
            "Another transaction has changed what this one has read. Nothing was changed; run it"
                + " again.");
      }
    } catch (SQLException e) {
      throw new UncategorizedSQLException(
          "Sending the changes of Rockpool. " + SqlErrors.advice(e), null, e);
    }
  }

  /**
   * Lets JPA send its changes: listeners of entities, which it calls then, may use the store. A
   * flush of a JDBC manager calls synchronizations, which are completed by now.
   */
  private static void flush(TransactionExecution transaction) {
    if (transaction instanceof DefaultTransactionStatus status
        && !status.isRollbackOnly()
        && status.getTransaction().getClass().getEnclosingClass()
            != DataSourceTransactionManager.class) {
      status.flush();
    }
  }
}
