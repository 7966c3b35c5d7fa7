package io.rockpool.postgresql;

import org.jspecify.annotations.Nullable;

/** Where reads get their connection: from the pool, or from the transaction that they belong to. */
interface Connections {
  /** Runs statements that read. */
  <R extends @Nullable Object> R read(SqlWork<R> work);

  /**
   * The exception for reads that found two states.
   *
   * @param what what was found; the end of a message follows
   */
  default RuntimeException conflict(String what) {
    return new RunConflict(what + "; the transaction runs again.");
  }
}
