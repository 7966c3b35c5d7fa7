package io.rockpool.postgresql;

import io.rockpool.engine.Layout;
import io.rockpool.engine.RowTransaction;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.TransactionNotes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions on rows of a space. The first run of each is optimistic and alone. Transactions
 * of a contended row queue up in this process: a thread runs those that wait, one on the result of
 * the other, and commits them together. So a hot row needs two round trips for many transactions.
 * If other processes have changed the row in five runs, the next one locks it first, so it commits.
 */
final class RowTransactions {
  private final PostgresEngine engine;
  private final long id;
  private final String name;
  private final Layout layout;
  private final RecordStatements statements;

  /** Runs an operation again if it finds the space expired. */
  interface Current {
    <R extends @Nullable Object> R run(Function<RecordStatements.Scope, R> operation);
  }

  /** The connection of a transaction that has locked the row. Its first failure ends the run. */
  private static final class LockedConnection implements Connections {
    private final Connection connection;
    private @Nullable SQLException failure;

    LockedConnection(Connection connection) {
      this.connection = connection;
    }

    @Override
    public <R extends @Nullable Object> R read(SqlWork<R> work) {
      try {
        return PostgresDatabase.run(connection, work);
      } catch (SQLException e) {
        failure = failure == null ? e : failure;
        throw PostgresDatabase.failure("A read in a transaction", e);
      }
    }

    /** Throws what has ended the run, even if the function has caught it. */
    void throwFailure() throws SQLException {
      if (failure != null) {
        throw failure;
      }
    }
  }

  RowTransactions(PostgresEngine engine, long id, String name, Layout layout) {
    this.engine = engine;
    this.id = id;
    this.name = name;
    this.layout = layout;
    this.statements = engine.statements(layout);
  }

  <R extends @Nullable Object> R transact(
      byte[] hashKey, RowTransaction<R> transaction, Current current) {
    RowTask<R> task = new RowTask<>(id, hashKey, transaction);
    HotRows.Stripe stripe = engine.hotRows().stripe(task);
    if (stripe.isContended() || !current.run(at -> runs(at, List.of(task)))) {
      stripe.await(task, tasks -> runAll(tasks, current));
    }
    return task.result();
  }

  private void runAll(List<RowTask<?>> tasks, Current current) {
    try {
      for (int attempt = 1; !runTogether(tasks, attempt, current); attempt++) {
        PostgresDatabase.pause(attempt);
      }
    } catch (RuntimeException | Error e) {
      if (e instanceof LimitExceededException && tasks.size() > 1) {
        runAll(tasks.subList(0, 1), current); // the others wait again
        return;
      }
      // Of all of them: they are one commit.
      List<RowTask<?>> failed = SqlErrors.isOfThisThread(e) ? tasks.subList(0, 1) : tasks;
      failed.forEach(task -> task.failed(e));
      failed.forEach(RowTask::done);
      return;
    }
    tasks.forEach(RowTask::done);
  }

  private boolean runTogether(List<RowTask<?>> tasks, int attempt, Current current) {
    return attempt <= PostgresEngine.OPTIMISTIC_RUNS
        ? current.run(at -> runs(at, tasks))
        : current.run(at -> runsLocked(at, tasks));
  }

  /**
   * Runs the tasks on one state of the row, and commits their changes.
   *
   * @return false if the row changed meanwhile; then nothing was changed
   */
  private boolean runs(RecordStatements.Scope at, List<? extends RowTask<?>> tasks) {
    PostgresRow row = runOn(engine.database(), at, tasks);
    return row != null && (!row.hasChanges() || commit(at, row));
  }

  /** As {@link #runs}, but locks the row before the first read, so other writers of it wait. */
  private boolean runsLocked(RecordStatements.Scope at, List<? extends RowTask<?>> tasks) {
    engine.hotRows().beginLock();
    try {
      Boolean changed =
          engine
              .database()
              .<@Nullable Boolean>settledTransaction(
                  what(), connection -> changeLocked(connection, at, tasks));
      if (changed != null) {
        engine.changed();
      }
      return true;
    } catch (RunConflict e) {
      return false;
    } finally {
      engine.hotRows().endLock();
    }
  }

  /** Sends the changes of a run without a commit; returns null if there are none. */
  private @Nullable Boolean changeLocked(
      Connection connection, RecordStatements.Scope at, List<? extends RowTask<?>> tasks)
      throws SQLException {
    // In one snapshot, each wait for the lock would end with a conflict.
    Parameters.update(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    statements.lock(connection, at, tasks.get(0).hashKey());
    // The wait may have been long.
    RecordStatements.Scope now =
        new RecordStatements.Scope(id, engine.nowMillis(), engine.origin());
    LockedConnection locked = new LockedConnection(connection);
    PostgresRow row;
    try {
      row = runOn(locked, now, tasks);
    } finally {
      locked.throwFailure();
    }
    if (row != null && !row.hasChanges()) {
      return null;
    }
    if (row == null || !statements.commit(connection, now, row, PostgresDatabase.token())) {
      throw new RunConflict("A locked row changed; the transaction runs again.");
    }
    return true;
  }

  private String what() {
    return "A transaction on a row in the space \"" + name + "\"";
  }

  /**
   * Runs the tasks on one state of the row.
   *
   * @return their changes, or null if the row changed meanwhile
   */
  private @Nullable PostgresRow runOn(
      Connections connections, RecordStatements.Scope at, List<? extends RowTask<?>> tasks) {
    byte[] hashKey = tasks.get(0).hashKey();
    RowSource source = statements.reads(connections, at, hashKey);
    TransactionNotes notes = new TransactionNotes();
    PostgresRow row = new PostgresRow(hashKey, name, layout, source, at.nowMillis(), notes);
    JoinedSpace space = new JoinedSpace(any -> row, notes, () -> {});
    for (RowTask<?> task : tasks) {
      task.run(space);
      if (!source.isPinned()) {
        task.throwIfServerIsAway(); // what follows would wait for the server again
      }
    }
    if (source.isDoomed()) {
      return null;
    }
    // Also for tasks that read nothing: the space may have ended.
    source.pin();
    PostgresLimits.checkCommit(row.changedBytes());
    return row;
  }

  private boolean commit(RecordStatements.Scope at, PostgresRow row) {
    long token = PostgresDatabase.token();
    boolean committed;
    try {
      committed =
          engine
              .database()
              .write(what(), connection -> statements.commit(connection, at, row, token));
    } catch (OutcomeUnknownException e) {
      Settlement settlement = new Settlement(engine.database());
      committed =
          settlement.isApplied(
              e, connection -> statements.settle(connection, row, token, settlement));
    }
    engine.changed();
    return committed;
  }
}
