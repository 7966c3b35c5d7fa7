package io.rockpool.internal.rocksdb.natives;

/** A background task that reclaims space in steps of a few milliseconds; one thread at a time. */
public interface Chore {
  /** Makes the next step begin from the start. */
  default void startOver() {}

  /**
   * Does a step.
   *
   * @param thorough whether to do also small work that usually waits until there is more of it
   * @return whether there is another step
   */
  boolean step(boolean thorough);
}
