package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.AbstractBoundTransaction;
import io.rockpool.internal.engine.BoundRules;

/** The only run of a transaction that a thread begins and ends by calls. */
public final class BoundRun extends AbstractBoundTransaction {
  private final StoreParts store;
  private final RocksDbTransaction run;

  private BoundRun(StoreParts store, RocksDbTransaction run) {
    super(run.notes());
    this.store = store;
    this.run = run;
  }

  /** Begins a transaction of the calling thread, which is in no other one. */
  public static BoundRun begin(StoreParts store, BoundRules rules) {
    return new BoundRun(store, store.transactions().bind(store, rules));
  }

  @Override
  protected boolean tryCommit() {
    return run.commit();
  }

  @Override
  protected void leave() {
    store.transactions().end(store, run);
  }

  @Override
  protected void detach() {
    store.transactions().suspend(run, store.locks());
  }

  @Override
  protected void attach() {
    store.transactions().resume(run, store.locks());
  }
}
