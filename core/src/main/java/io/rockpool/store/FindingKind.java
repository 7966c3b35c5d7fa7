package io.rockpool.store;

/** The kinds of defects that {@code Engine.verify} finds, each with advice. */
public enum FindingKind {
  /** A file of the store is missing, truncated, or does not match its checksum. */
  DAMAGED_FILE(
      "Check the disk. Restore the directory from a copy; caches can also be dropped and filled again."),

  /** Records could not be read; later records of the same space were not checked. */
  UNREADABLE_RECORDS(
      "Check the disk. Restore the directory from a copy, or drop what has that name."),

  /**
   * Records were lost with a damaged block of a file, whose other records were kept. Between their
   * keys, older values or removed elements may be back. Reported until the name is cleared or
   * dropped.
   */
  LOST_RECORDS(
      "Check the disk. Restore the directory from a copy; or put the records again in a new name, and"
          + " drop this one."),

  /** The catalog's record of a name or of a generation is malformed. */
  MALFORMED_CATALOG("Restore the directory from a copy."),

  /**
   * Two names share the same records, or a name has records that will be deleted, or that another
   * name will be given.
   */
  CONFLICTING_GENERATIONS(
      "Copy what these names hold to new names and drop them, before anything else is created or"
          + " cleared; or restore the directory from a copy."),

  /** A key or record is malformed; reading it is an error. */
  MALFORMED_RECORD("Restore the directory from a copy, or drop what has that name."),

  /** The stored count of a row is not the number of its counted records. */
  WRONG_COUNT(
      "size() and capacities are off by the difference. Copy what has that name to a new one, or"
          + " restore the directory from a copy."),

  /** A record expires but is not in the expiry index: it is hidden, and never reclaimed. */
  MISSING_INDEX_RECORD(
      "Nothing is lost but disk space; put the elements again, or clear the name."),

  /** A key of the expiry index is malformed. */
  MALFORMED_INDEX_RECORD("Nothing is lost; restore the directory from a copy if there are many."),

  /** Records that no name refers to and nothing will reclaim: they only use disk space. */
  UNREACHABLE_RECORDS(
      "If a name is missing, restore the directory from a copy; else copy all names to a new store"
          + " to have the space back."),

  /** The records of a structure contradict each other. */
  BROKEN_STRUCTURE(
      "Copy the elements to a new name and drop this one, or restore the directory from a copy."),

  /** The codec of the space cannot decode a key or value. */
  UNDECODABLE_VALUE(
      "Open it with the codec and classes that wrote it; a cache forgets such entries by itself.");

  private final String advice;

  FindingKind(String advice) {
    this.advice = advice;
  }

  /** {@return what to do about it, in sentences} */
  public String advice() {
    return advice;
  }
}
