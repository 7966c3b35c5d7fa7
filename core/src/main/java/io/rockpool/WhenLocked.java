package io.rockpool;

/** What opening a store does if another process still has it open after the lock wait. */
public enum WhenLocked {
  /** Opening fails with a {@link io.rockpool.error.StoreLockedException}. */
  FAIL,
  /**
   * Opening opens a {@linkplain Rockpool#temporary temporary} store instead, and logs a warning.
   * For caches in development and tests: it is empty, and deleted when it closes.
   */
  TEMPORARY
}
