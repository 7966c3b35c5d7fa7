package io.rockpool.postgresql;

import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.engine.AbstractBoundTransaction;
import io.rockpool.internal.engine.Patience;
import io.rockpool.internal.engine.RunningCalls;
import java.sql.SQLException;

/**
 * The only run of a transaction that a thread begins and ends by calls. One that has joined the
 * application's transaction ends by {@link #send} and {@link #ended} in place of {@link #commit}.
 */
final class BoundPostgresTransaction extends AbstractBoundTransaction {
  private final RunningCalls<PostgresTransaction> calls;
  private final PostgresTransaction run;

  /**
   * @param run what has begun on this thread
   */
  BoundPostgresTransaction(RunningCalls<PostgresTransaction> calls, PostgresTransaction run) {
    super(run.notes());
    this.calls = calls;
    this.run = run;
  }

  PostgresEngine engine() {
    return run.engine();
  }

  @Override
  protected boolean tryCommit() {
    return lockToCommit() && run.commit();
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
              engine()
                  .database()
                  .unknown(
                      "A transaction of the application",
                      new SQLException("the answer to the commit was lost", "08007")));
    } catch (OutcomeUnknownException e) {
      // No action for a commit runs then. What is in memory was hidden when it was changed.
    } finally {
      end(committed);
    }
  }

  @Override
  protected void leave() {
    calls.endTransaction();
  }

  @Override
  protected void detach() {
    calls.suspend();
  }

  @Override
  protected void attach() {
    calls.resume(run);
  }
}
