package io.rockpool.internal.rocksdb.natives;

/** What is to be given back, in steps that take a few milliseconds each; one thread at a time. */
public interface Chore {
  /** Lets the next step begin with all there is, wherever the last one stopped. */
  default void startOver() {}

  /**
   * Does a step.
   *
   * @param thorough whether to do also what is better left until there is more of it
   * @return whether there is another one to do
   */
  boolean step(boolean thorough);
}
