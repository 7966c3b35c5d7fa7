package io.rockpool.engine;

/** What an engine may be able to do beyond the contract of {@link Engine}. */
public enum Capability {
  /**
   * Transactions over several rows and spaces that commit as one, see {@link Engine#atomically}.
   */
  MULTI_ROW_TRANSACTIONS("use one row, or an embedded store"),
  /** Unchanging read-only views of a space, see {@link Space#snapshot}. */
  SNAPSHOTS("scan the live data, or use an embedded store"),
  /** {@link Space#count} never includes a record whose expiry has passed. */
  EXACT_COUNTS("scan the row and count"),
  /** Word of changes made by other processes, so that a cache in memory stays true. */
  PUSH_INVALIDATION("keep one process per store, or give entries a short time to live");

  private final String wayOut;

  Capability(String wayOut) {
    this.wayOut = wayOut;
  }

  /**
   * Tells what to do where an engine lacks this.
   *
   * @return the end of a sentence
   */
  public String wayOut() {
    return wayOut;
  }

  /**
   * Makes the error for asking an engine for what it can't do.
   *
   * @param engine the engine
   * @return the error to throw; its message names the engine and the way out
   */
  public UnsupportedOperationException missingFrom(Engine engine) {
    return new UnsupportedOperationException(
        engine.description() + " has no " + this + ": " + wayOut + ".");
  }
}
