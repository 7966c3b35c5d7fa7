package io.rockpool.internal.access;

import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Engine;

/**
 * The transactions that a cache takes part in, for layers that do more than the cache when an entry
 * changes; see {@link Engine#atomically}. Thread-safe.
 */
public final class CacheTransactions {
  private final Engine engine;
  private final String cache;

  /** The transactions of a cache's store. */
  public CacheTransactions(Engine engine, String cache) {
    this.engine = engine;
    this.cache = cache;
  }

  /** Whether the calling thread is in one. Costs next to nothing while no thread is. */
  public boolean isInside() {
    return engine.inTransaction();
  }

  /** Runs an action once the transaction has committed, or now; see {@link Engine#afterCommit}. */
  public void afterCommit(Runnable action) {
    engine.afterCommit(action);
  }

  /** A new lock for {@link #tellAfterCommit}. */
  public CommitLock newLock() {
    return new CommitLock(engine, "cache \"" + cache + '"');
  }

  /**
   * Tells something once the transaction has committed, in the order of the commits; see {@link
   * Engine#tellAfterCommit}.
   */
  public void tellAfterCommit(Runnable action, CommitLock lock) {
    engine.tellAfterCommit(action, lock);
  }
}
