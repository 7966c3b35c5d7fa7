package io.rockpool.engine;

import io.rockpool.store.FindingKind;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the layers above an engine for the records of their spaces; see {@link Engine#verify}.
 */
@FunctionalInterface
public interface RecordChecks {
  /** Checks no space. */
  RecordChecks NONE = (space, view, problems) -> null;

  /**
   * Begins to check a space.
   *
   * @param space its description
   * @param view the space as it is verified, to read other records from; valid until {@link
   *     RecordCheck#end}
   * @param problems receives the defects
   * @return the check that sees its records, or null if there is nothing to check
   */
  @Nullable RecordCheck begin(SpaceInfo space, SpaceView view, Problems problems);

  /** Receives the defects of one space. */
  @FunctionalInterface
  interface Problems {
    /**
     * Adds a defect.
     *
     * @param hashKey the row where it was found
     * @param sortKey the sort key where it was found
     * @param detail what was found, without any part of a value; not a whole sentence
     */
    void add(FindingKind kind, byte[] hashKey, byte[] sortKey, String detail);
  }

  /** Sees the records of one space in the order of their keys, each row's records together. */
  interface RecordCheck {
    /**
     * Checks a record with a valid format, expired or not.
     *
     * @param counted whether it is counted
     * @throws io.rockpool.error.CorruptStoreException if the record is wrong; it becomes a finding
     * @throws io.rockpool.error.UndecodableValueException if it cannot be decoded; it becomes a
     *     finding
     */
    void check(RowRecord record, boolean counted);

    /** Ends the check. Not called if the rest could not be read. */
    void end();
  }
}
