package io.rockpool;

/** What opening a store does if another process still has it open when the lock wait is over. */
public enum WhenLocked {
  /** Opening fails with a {@link io.rockpool.error.StoreLockedException}. */
  FAIL,
  /**
   * A {@linkplain Rockpool#temporary temporary} store is opened in its place, and the log says so.
   * For caches in development and tests: it is empty, and removed when it closes.
   */
  TEMPORARY
}
