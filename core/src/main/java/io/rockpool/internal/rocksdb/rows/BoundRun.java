package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.AbstractBoundTransaction;
import io.rockpool.internal.engine.BoundRules;

/** The only run of a transaction that a thread begins and ends by calls. */
public final class BoundRun extends AbstractBoundTransaction {
  private final StoreParts store;
  private final RunningTransactions transactions;
  private final RocksDbTransaction run;

  private BoundRun(StoreParts store, RunningTransactions transactions, RocksDbTransaction run) {
    super(run.notes());
    this.store = store;
    this.transactions = transactions;
    this.run = run;
  }

  /** Begins a transaction of the calling thread, which is in no other one. */
  public static BoundRun begin(
      StoreParts store, RunningTransactions transactions, BoundRules rules) {
    return new BoundRun(store, transactions, transactions.bind(store, rules));
  }

  @Override
  protected boolean tryCommit() {
    return run.commit();
  }

  @Override
  protected void leave() {
    transactions.end(store, run);
  }

  @Override
  protected void detach() {
    transactions.suspend(run, store.locks());
  }

  @Override
  protected void attach() {
    transactions.resume(run, store.locks());
  }
}
