package io.rockpool.store;

/** What opening does if the files of a store are damaged. */
public enum OnCorruption {
  /**
   * Throws a {@link io.rockpool.error.CorruptStoreException} and changes nothing, so that a person
   * can decide.
   */
  FAIL,
  /**
   * Renames the directory, which keeps all data, and starts with an empty store in its place. Only
   * for stores of caches: such a store rejects collections, and a directory that ever held one is
   * never renamed.
   */
  QUARANTINE
}
