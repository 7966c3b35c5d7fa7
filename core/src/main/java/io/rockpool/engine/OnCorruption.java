package io.rockpool.engine;

/** What opening a store does whose files turn out to be damaged. */
public enum OnCorruption {
  /**
   * Fail with a {@link io.rockpool.error.CorruptStoreException} and change nothing, so that a
   * person decides.
   */
  FAIL,
  /**
   * Rename the directory, so that nothing is lost, and begin with an empty one in its place. For a
   * store of caches alone: it refuses to hold collections, and one that has ever held any is never
   * renamed.
   */
  QUARANTINE
}
