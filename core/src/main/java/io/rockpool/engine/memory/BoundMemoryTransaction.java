package io.rockpool.engine.memory;

import io.rockpool.internal.engine.AbstractBoundTransaction;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.RunningCalls;
import java.util.function.Predicate;

/** The only run of a transaction that a thread begins and ends by calls. */
final class BoundMemoryTransaction extends AbstractBoundTransaction {
  private final RunningCalls<MemoryTransaction> calls;
  private final MemoryTransaction run;
  private final Predicate<MemoryTransaction> commit;

  /**
   * @param run what has begun on this thread
   * @param commit applies its changes if all that it read is unchanged
   */
  BoundMemoryTransaction(
      RunningCalls<MemoryTransaction> calls,
      MemoryTransaction run,
      BoundRules rules,
      Predicate<MemoryTransaction> commit) {
    super(run.notes());
    this.calls = calls;
    this.run = run;
    this.commit = commit;
    run.obey(rules);
  }

  @Override
  protected boolean tryCommit() {
    return commit.test(run);
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
