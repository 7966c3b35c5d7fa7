package io.rockpool.engine;

/** What {@link Engine#verify} may find wrong, and what to do about it. */
public enum FindingKind {
  /**
   * A file of the store is missing, cut short or does not have the checksum it was written with.
   */
  DAMAGED_FILE(
      "Check the disk. Restore the directory from a copy; caches can also be dropped and filled again."),

  /** Records could not be read; what lies behind them in the same space was not looked at. */
  UNREADABLE_RECORDS(
      "Check the disk. Restore the directory from a copy, or drop what has that name."),

  /** The catalog's record of a name, or of a generation, is not of its format. */
  MALFORMED_CATALOG("Restore the directory from a copy."),

  /**
   * Two names have the same records, or a name has those that are to be deleted, or that another
   * name will be given.
   */
  CONFLICTING_GENERATIONS(
      "Copy what these names hold to new names and drop them, before anything else is created or"
          + " cleared; or restore the directory from a copy."),

  /** A key or record is not of its format; reading it is an error. */
  MALFORMED_RECORD("Restore the directory from a copy, or drop what has that name."),

  /** The number that is kept for a row is not that of its counted records. */
  WRONG_COUNT(
      "size() and capacities are off by the difference. Copy what has that name to a new one, or"
          + " restore the directory from a copy."),

  /** A record expires and is not in the index of what does: it is hidden, and never reclaimed. */
  MISSING_INDEX_RECORD(
      "Nothing is lost but disk space; put the elements again, or clear the name."),

  /** A key of the index of what expires is not of its format. */
  MALFORMED_INDEX_RECORD("Nothing is lost; restore the directory from a copy if there are many."),

  /** Records that no name leads to and nothing will reclaim: they take disk space alone. */
  UNREACHABLE_RECORDS(
      "If a name is missing, restore the directory from a copy; else copy all names to a new store"
          + " to have the space back."),

  /** The records of a structure contradict each other. */
  BROKEN_STRUCTURE(
      "Copy the elements to a new name and drop this one, or restore the directory from a copy."),

  /** A key or value cannot be decoded by the codec that it is opened with. */
  UNDECODABLE_VALUE(
      "Open it with the codec and classes that wrote it; a cache forgets such entries by itself.");

  private final String advice;

  FindingKind(String advice) {
    this.advice = advice;
  }

  /** {@return what to do about it, in plain sentences} */
  public String advice() {
    return advice;
  }
}
