package io.rockpool.postgresql;

import io.rockpool.engine.Layout;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.TransactionNotes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code atomically}: reads are of one snapshot, changes are in memory. The commit locks
 * all rows that were read or changed, in one order, and fails if one of them has changed since the
 * snapshot. It holds a connection from its first read on. Confined to one thread.
 */
final class PostgresTransaction implements RunningCalls.Run, Connections {
  private final PostgresEngine engine;
  private final TransactionNotes notes;
  private final long nowMillis;
  private final Map<Long, SpaceRows> spaces = new TreeMap<>();
  private final Thread thread = Thread.currentThread();
  private @Nullable Connection connection;
  private boolean doomed;

  /** Why a doomed run is not repeated; null if it is. */
  private @Nullable RuntimeException failure;

  private volatile boolean ended;

  /** The rows of one space that this run uses, sorted by hash key. */
  record SpaceRows(long id, String name, Layout layout, Map<byte[], PostgresRow> rows) {}

  PostgresTransaction(PostgresEngine engine, TransactionNotes notes) {
    this.engine = engine;
    this.notes = notes;
    this.nowMillis = engine.nowMillis();
  }

  TransactionNotes notes() {
    return notes;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Whether the run is in vain and must be repeated, even if it threw. */
  boolean isRepeated() {
    return doomed && failure == null;
  }

  /** Throws what ended the run, even if user code has caught it. */
  void checkNotFailed() {
    if (failure != null) {
      throw failure;
    }
  }

  /** The operations on a space inside this transaction. */
  JoinedSpace space(long id, String name, Layout layout) {
    SpaceRows rows =
        spaces.computeIfAbsent(
            id, any -> new SpaceRows(id, name, layout, new TreeMap<>(Arrays::compareUnsigned)));
    return new JoinedSpace(hashKey -> row(rows, hashKey), notes, this::checkRunning);
  }

  private PostgresRow row(SpaceRows space, byte[] hashKey) {
    PostgresRow row = space.rows.get(hashKey);
    if (row == null) {
      byte[] key = hashKey.clone();
      RecordStatements.Scope at = new RecordStatements.Scope(space.id, nowMillis, engine.origin());
      RowSource source = engine.statements(space.layout).reads(readsOf(space), at, key);
      row = new PostgresRow(key, space.name, space.layout, source, nowMillis, notes);
      space.rows.put(key, row);
    }
    return row;
  }

  /** Reads of a space: without a generation, the run ends and the space is renewed. */
  private Connections readsOf(SpaceRows space) {
    return new Connections() {
      @Override
      public <R extends @Nullable Object> R read(SqlWork<R> work) {
        try {
          return PostgresTransaction.this.read(work);
        } catch (NoGeneration e) {
          doomed = true;
          try {
            engine.catalog().renew(space.id, space.name, nowMillis, false, null);
          } catch (RuntimeException ended) {
            failure = ended;
            throw ended;
          }
          throw conflict();
        }
      }
    };
  }

  private static RunConflict conflict() {
    return new RunConflict("Another transaction changed the same data; this one runs again.");
  }

  @Override
  public <R extends @Nullable Object> R read(SqlWork<R> work) {
    checkRunning();
    if (doomed) {
      checkNotFailed();
      throw conflict();
    }
    try {
      return work.run(connected());
    } catch (SQLException e) {
      // The server has ended the transaction, so nothing of it can commit.
      doomed = true;
      if (SqlErrors.isConflict(e)) {
        throw conflict();
      }
      failure = Database.failure("A read in a transaction", e);
      throw failure;
    }
  }

  private Connection connected() throws SQLException {
    Connection known = connection;
    if (known == null) {
      known = engine.database().connect();
      connection = known;
      known.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      known.setAutoCommit(false);
    }
    return known;
  }

  /**
   * Applies all changes.
   *
   * @return false if something that was read or changed has changed since; the run was in vain
   */
  boolean commit() {
    checkNotFailed();
    if (doomed) {
      return false;
    }
    List<SpaceRows> used = spaces.values().stream().filter(space -> !space.rows.isEmpty()).toList();
    boolean isChanged =
        used.stream()
            .anyMatch(space -> space.rows.values().stream().anyMatch(PostgresRow::hasChanges));
    if (!isChanged) {
      return true;
    }
    String xid = null;
    try {
      Connection connection = connected();
      xid = new TransactionCommit(engine, connection, nowMillis).apply(used);
      connection.commit();
      engine.changed();
      return true;
    } catch (NoGeneration e) {
      rollback();
      for (SpaceRows space : used) {
        engine.catalog().renew(space.id, space.name, nowMillis, false, null);
      }
      return false;
    } catch (SQLException e) {
      if (SqlErrors.isConflict(e)) {
        return false;
      }
      if (xid == null || !SqlErrors.isCutOff(e)) {
        throw Database.failure("A transaction", e);
      }
      boolean committed =
          new Settlement(engine.database()).isCommitted(Database.unknown("A transaction", e), xid);
      engine.changed();
      return committed;
    }
  }

  private void rollback() {
    Connection known = connection;
    if (known != null) {
      Database.rollback(known);
    }
  }

  @Override
  public void end() {
    ended = true;
    spaces.values().forEach(space -> space.rows.values().forEach(PostgresRow::end));
    Connection known = connection;
    if (known != null) {
      connection = null;
      Database.rollback(known);
      try (known) {
        known.setAutoCommit(true);
        known.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      } catch (SQLException e) {
        // The pool discards a connection that is lost.
      }
    }
  }

  private void checkRunning() {
    if (ended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A cursor was used after the transaction it was opened in, or by another thread; use it inside only.");
    }
  }
}
