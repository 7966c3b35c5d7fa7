package io.rockpool.postgresql;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of one row, as one run of a transaction reads it: every read finds the state of
 * the first one, or throws {@link RunConflict}. Not thread-safe.
 */
interface RowSource {
  /** The records with these sort keys, in no particular order. */
  List<KeptRecord> getAll(Collection<byte[]> sortKeys);

  /** The first {@code limit} records of a range. */
  List<KeptRecord> scan(SortRange range, Direction direction, long limit);

  /** Like {@link #scan}, but ends behind the value with which the values have {@code maxBytes}. */
  List<KeptRecord> page(SortRange range, Direction direction, long limit, long maxBytes);

  /** The row's stored count, expired records included. */
  long count();

  /** How many stored records with these sort keys are counted, expired ones included. */
  long countedAmong(Collection<byte[]> sortKeys);

  /** The generation of the space that was read. */
  long generation();

  /** The revision of the row that was read, or null if it had none. */
  @Nullable Long revision();

  /** Whether anything was read. */
  boolean isPinned();

  /** Whether a later read found another state: the run must run again. */
  boolean isDoomed();

  /** Reads the generation and the revision, unless something was read. */
  default void pin() {
    if (!isPinned()) {
      getAll(List.of());
    }
  }
}
