package io.rockpool.postgresql;

import io.rockpool.internal.engine.TransactionNotes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A transaction of Spring that Rockpool's operations join, on its thread. */
final class SpringJoin implements TransactionSynchronization, JoinedRules {
  private final Object key;
  private final TransactionExecution transaction;
  private final DataSource source;
  private final BoundPostgresTransaction joined;
  private final IdentityHashMap<Object, TransactionNotes.Savepoint> savepoints =
      new IdentityHashMap<>();
  private boolean ended;
  private boolean sent;

  SpringJoin(
      Object key,
      TransactionExecution transaction,
      Function<JoinedRules, BoundPostgresTransaction> begin,
      DataSource source) {
    this.key = key;
    this.transaction = transaction;
    this.source = source;
    this.joined = begin.apply(this);
  }

  boolean isOf(TransactionExecution other) {
    return transaction == other;
  }

  boolean send() throws SQLException {
    boolean unchanged = joined.send();
    sent = unchanged;
    return unchanged;
  }

  @Override
  public <R extends @Nullable Object> R onConnection(SqlWork<R> work) throws SQLException {
    checkTime();
    Connection connection = DataSourceUtils.doGetConnection(source);
    try {
      return work.run(connection);
    } finally {
      DataSourceUtils.doReleaseConnection(connection, source);
    }
  }

  @Override
  public void checkTime() {
    if (TransactionSynchronizationManager.getResource(source)
            instanceof ResourceHolderSupport holder
        && holder.hasTimeout()) {
      int unused = holder.getTimeToLiveInSeconds();
    }
  }

  @Override
  public RuntimeException conflict(String message) {
    return new CannotAcquireLockException(message);
  }

  /** What other synchronizations do after the commit is outside of the transaction. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void suspend() {
    joined.suspend();
    TransactionSynchronizationManager.unbindResource(key);
  }

  @Override
  public void resume() {
    TransactionSynchronizationManager.bindResource(key, this);
    joined.resume();
  }

  @Override
  public void savepoint(Object savepoint) {
    savepoints.put(savepoint, joined.savepoint());
  }

  @Override
  public void savepointRollback(Object savepoint) {
    TransactionNotes.Savepoint place = savepoints.get(savepoint);
    if (place != null) {
      joined.rollbackTo(place);
    }
  }

  @Override
  public void afterCommit() {
    end(STATUS_COMMITTED);
  }

  @Override
  public void afterCompletion(int status) {
    end(status);
  }

  private void end(int status) {
    if (ended) {
      return;
    }
    ended = true;
    TransactionSynchronizationManager.unbindResourceIfPossible(key);
    if (status == STATUS_UNKNOWN && sent) {
      joined.endedSomehow();
    } else if (status == STATUS_COMMITTED) {
      joined.ended(true);
    } else {
      joined.rollback();
    }
  }
}
