package io.rockpool.engine.memory;

import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.TransactionNotes;
import java.util.function.Predicate;

/** The only run of a transaction that a thread begins and ends by calls. */
final class BoundMemoryTransaction implements BoundTransaction {
  private final RunningCalls<MemoryTransaction> calls;
  private final MemoryTransaction run;
  private final Predicate<MemoryTransaction> commit;
  private final Thread thread = Thread.currentThread();
  private boolean suspended;
  private boolean ended;

  /**
   * @param run what has begun on this thread
   * @param commit applies its changes if all that it read is unchanged
   */
  BoundMemoryTransaction(
      RunningCalls<MemoryTransaction> calls,
      MemoryTransaction run,
      BoundRules rules,
      Predicate<MemoryTransaction> commit) {
    this.calls = calls;
    this.run = run;
    this.commit = commit;
    run.obey(rules);
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
      committed = commit.test(run);
      return committed;
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
