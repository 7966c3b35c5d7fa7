package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.TransactionNotes;

/** The only run of a transaction that a thread begins and ends by calls. */
public final class BoundRun implements BoundTransaction {
  private final StoreParts store;
  private final RocksDbTransaction run;
  private final Thread thread = Thread.currentThread();
  private boolean suspended;
  private boolean ended;

  /** Begins a transaction of the calling thread, which is in no other one. */
  public BoundRun(StoreParts store, BoundRules rules) {
    this.store = store;
    this.run = store.transactions().bind(store, rules);
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
      committed = run.commit();
      return committed;
    } finally {
      end(committed);
    }
  }

  @Override
  public void rollback() {
    if (!ended) {
      check();
      end(false);
    }
  }

  private void end(boolean committed) {
    ended = true;
    try {
      store.transactions().end(store, run);
    } finally {
      run.notes().end(committed);
    }
  }

  @Override
  public void suspend() {
    check();
    store.transactions().suspend(run, store.locks());
    suspended = true;
  }

  @Override
  public void resume() {
    suspended = false;
    check();
    store.transactions().resume(run, store.locks());
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
