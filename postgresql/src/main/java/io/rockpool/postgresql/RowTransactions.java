package io.rockpool.postgresql;

import io.rockpool.engine.Layout;
import io.rockpool.engine.RowTransaction;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.TransactionNotes;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions on rows of a space. The first run of each is optimistic and alone. Transactions
 * of a contended row queue up in this process: a thread runs those that wait, one on the result of
 * the other, and commits them together. So a hot row needs two round trips for many transactions.
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
      for (int attempt = 1; !current.run(at -> runs(at, tasks)); attempt++) {
        Database.pause(attempt);
      }
    } catch (RuntimeException | Error e) {
      // Of all of them: they are one commit.
      List<RowTask<?>> failed = SqlErrors.isOfThisThread(e) ? tasks.subList(0, 1) : tasks;
      failed.forEach(task -> task.failed(e));
      failed.forEach(RowTask::done);
      return;
    }
    tasks.forEach(RowTask::done);
  }

  /**
   * Runs the tasks on one state of the row, and commits their changes.
   *
   * @return false if the row changed meanwhile; then nothing was changed
   */
  private boolean runs(RecordStatements.Scope at, List<? extends RowTask<?>> tasks) {
    byte[] hashKey = tasks.get(0).hashKey();
    RowSource source = statements.reads(engine.database(), at, hashKey);
    TransactionNotes notes = new TransactionNotes();
    PostgresRow row = new PostgresRow(hashKey, name, layout, source, at.nowMillis(), notes);
    JoinedSpace space = new JoinedSpace(any -> row, notes, () -> {});
    for (RowTask<?> task : tasks) {
      task.run(space);
    }
    if (source.isDoomed()) {
      return false;
    }
    // Also for tasks that read nothing: the space may have ended.
    source.pin();
    return !row.hasChanges() || commit(at, row);
  }

  private boolean commit(RecordStatements.Scope at, PostgresRow row) {
    long token = Database.token();
    boolean committed;
    try {
      committed =
          engine
              .database()
              .write(
                  "A transaction on a row in the space \"" + name + "\"",
                  connection -> statements.commit(connection, at, row, token));
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
