package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/** What the layers above an engine know of the records of spaces; see {@link Engine#verify}. */
@FunctionalInterface
public interface RecordChecks {
  /** Knows of no space. */
  RecordChecks NONE = (space, view, problems) -> null;

  /**
   * Begins to check a space.
   *
   * @param space what it is
   * @param view the space as it is verified, to read other records from; good until {@link
   *     RecordCheck#end}
   * @param problems is told what is wrong
   * @return what is to see its records, or null if there is nothing to check
   */
  @Nullable RecordCheck begin(SpaceInfo space, SpaceView view, Problems problems);

  /** Is told what is wrong in one space. */
  @FunctionalInterface
  interface Problems {
    /**
     * Adds something that is wrong.
     *
     * @param kind what it is
     * @param hashKey the row where it was found
     * @param sortKey the place in the row
     * @param detail what was found, without anything of a value; not a whole sentence
     */
    void add(FindingKind kind, byte[] hashKey, byte[] sortKey, String detail);
  }

  /** Sees the records of one space: in the order of their keys, each row's together. */
  interface RecordCheck {
    /**
     * A record, whose format is right; expired or not.
     *
     * @param record the record
     * @param counted whether it is counted
     * @throws io.rockpool.error.CorruptStoreException if it is not what it should be; it is added
     *     to what is wrong
     * @throws io.rockpool.error.UndecodableValueException if it cannot be decoded; likewise
     */
    void check(RowRecord record, boolean counted);

    /** There are no more. Not called where the rest could not be read. */
    void end();
  }
}
