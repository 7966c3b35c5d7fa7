package io.rockpool.engine;

/** Optional features of an engine, beyond the contract of {@link Engine}. */
public enum Capability {
  /** Spaces of {@link Layout#ROWS}, in which collections are. */
  COLLECTIONS("keep them in an embedded store or on PostgreSQL, beside this one"),
  /**
   * Transactions over several rows and spaces that commit atomically, see {@link
   * Engine#atomically}.
   */
  MULTI_ROW_TRANSACTIONS("use single operations, or a store in a directory or on PostgreSQL"),
  /** Unchanging read-only views of a space, see {@link Space#snapshot}. */
  SNAPSHOTS("scan the live data, or use an embedded store"),
  /**
   * Spaces that get another name, see {@link Engine#rename}, and copies of spaces, see {@link
   * Space#copyTo}.
   */
  RENAMES("put the content under the new name, and drop the old one"),
  /** {@link Space#count} never includes a record whose expiry has passed. */
  EXACT_COUNTS("scan the row and count"),
  /**
   * Other handles, perhaps in other processes, may change the data while this one is open; they are
   * reported to {@link Engine#onChange}.
   */
  SHARED("keep one handle per store");

  private final String wayOut;

  Capability(String wayOut) {
    this.wayOut = wayOut;
  }

  /**
   * Returns what to do if an engine lacks this.
   *
   * @return the end of a sentence
   */
  public String wayOut() {
    return wayOut;
  }

  /**
   * Creates the error for an engine that lacks this.
   *
   * @return the error to throw; its message names the engine and the alternative
   */
  public UnsupportedOperationException missingFrom(Engine engine) {
    return new UnsupportedOperationException(
        engine.description() + " has no " + this + ": " + wayOut + ".");
  }
}
