package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.Patience;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.TransactionNotes;
import java.sql.SQLException;

/**
 * The only run of a transaction that a thread begins and ends by calls. One that has joined the
 * application's transaction ends by {@link #send} and {@link #ended} in place of {@link #commit}.
 */
final class BoundPostgresTransaction implements BoundTransaction {
  private final RunningCalls<PostgresTransaction> calls;
  private final PostgresTransaction run;
  private final Thread thread = Thread.currentThread();
  private boolean suspended;
  private boolean ended;

  /**
   * @param run what has begun on this thread
   */
  BoundPostgresTransaction(RunningCalls<PostgresTransaction> calls, PostgresTransaction run) {
    this.calls = calls;
    this.run = run;
  }

  private void check() {
    if (ended || suspended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A transaction was used after its end, while it was suspended, or by another thread;"
              + " use it on its thread only.");
    }
  }

  @Override
  public boolean commit() {
    check();
    boolean committed = false;
    try {
      committed = lockToCommit() && run.commit();
      return committed;
    } finally {
      end(committed);
    }
  }

  private boolean lockToCommit() {
    return Patience.tryFor(run.notes()::lockToCommit);
  }

  /**
   * Sends all changes on the application's connection. It must not be used after this.
   *
   * @return false after a conflict with another transaction: the application must roll back
   */
  boolean send() throws SQLException {
    check();
    try {
      return lockToCommit() && run.send();
    } catch (SQLException e) {
      if (SqlErrors.isConflict(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Notes how the application's transaction has ended. */
  void ended(boolean committed) {
    check();
    if (committed) {
      run.applied();
    }
    end(committed);
  }

  /** Notes that the application does not know how its transaction has ended; asks the server. */
  void endedSomehow() {
    check();
    boolean committed = false;
    try {
      committed =
          run.isCommitted(
              Database.unknown(
                  "A transaction of the application",
                  new SQLException("the answer to the commit was lost", "08007")));
    } catch (OutcomeUnknownException e) {
      // No action for a commit runs then. What is in memory was hidden when it was changed.
    } finally {
      end(committed);
    }
  }

  @Override
  public void rollback() {
    if (!ended) {
      if (suspended) {
        throw new IllegalStateException("A suspended transaction was rolled back; resume it.");
      }
      end(false);
    }
  }

  private void end(boolean committed) {
    ended = true;
    calls.endTransaction();
    run.notes().end(committed);
  }

  @Override
  public void suspend() {
    check();
    calls.suspend();
    suspended = true;
  }

  @Override
  public void resume() {
    calls.resume(run);
    suspended = false;
  }

  @Override
  public TransactionNotes.Savepoint savepoint() {
    check();
    return run.notes().savepoint();
  }

  @Override
  public void rollbackTo(TransactionNotes.Savepoint savepoint) {
    check();
    run.notes().undoTo(savepoint);
  }
}
