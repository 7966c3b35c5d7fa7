package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The readable half of a space: the {@link Space} itself, or a {@link SpaceSnapshot} of it.
 * Thread-safe. Arrays passed in are read before the call returns and never kept. Expired records
 * are never visible.
 *
 * <p>Every operation but {@link #name} throws {@link IllegalStateException} once the view is no
 * longer valid, and {@link LimitExceededException} for an argument past {@link Limits}.
 */
public interface SpaceView {
  /**
   * Returns the name of the space. Never throws.
   *
   * @return the name
   */
  String name();

  /**
   * Reads one record without a copy. One read, no lock. The reader sees one write's record, never a
   * mix of two.
   *
   * @param reader called with the record if there is one; its exceptions reach the caller
   * @return the reader's result, or null if there is no record
   */
  <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader);

  /**
   * Reads one record. One read, no lock.
   *
   * @return the record, which holds the two arrays passed in, or null if there is none
   */
  default @Nullable RowRecord get(byte[] hashKey, byte[] sortKey) {
    return get(hashKey, sortKey, RowRecord.copier(hashKey, sortKey));
  }

  /**
   * Reads many records with one read. Each is read atomically; together they are not one view.
   *
   * @param keys the keys of the records; duplicates are allowed
   * @return the records, null for each absent one, in the order of {@code keys}
   */
  List<@Nullable RowRecord> getAll(List<RecordKey> keys);

  /**
   * Counts. O(1), one read. The count may include expired records that were not removed yet, unless
   * the engine has {@link Capability#EXACT_COUNTS}.
   *
   * @return the number of counted records in the row, see {@link Row#putCounted}
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  long count(byte[] hashKey);

  /**
   * Reads a range of one row.
   *
   * @param range what to read
   * @param direction the order
   * @param limit the most records to show, 0 or more
   * @return a cursor over the first {@code limit} records of the range; close it after use
   * @throws IllegalArgumentException if the limit is negative
   */
  Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit);

  /**
   * Reads all records of all rows. The rows come in no particular order, each row's records
   * together and sorted.
   *
   * @return a cursor over them; close it after use
   */
  default Cursor scanAll() {
    return scanAll(null);
  }

  /**
   * Like {@link #scanAll()}, but starts after the record {@code after}, whether it still exists or
   * not. So a walk can close its cursor and continue later after the last record it saw. The order
   * of the rows never changes.
   *
   * @param after the record to continue after, or null for all
   * @return a cursor over the records after it; close it after use
   */
  default Cursor scanAll(@Nullable RecordKey after) {
    return scanAll(after, null);
  }

  /**
   * Like {@link #scanAll(RecordKey)}, but ends with the record {@code upTo}, included, whether it
   * exists or not. So parallel scans can divide the space.
   *
   * @param after the record to continue after, or null
   * @param upTo the last record, or null
   * @return a cursor over the records between; close it after use
   */
  Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo);

  /**
   * Whether {@link #scanAll()} may take long to find a record, as many that were before it are
   * removed. Then it is better to scan those rows that have a {@link #count}, if they are known and
   * few. A hint.
   */
  default boolean searchesLong() {
    return false;
  }

  /**
   * Returns keys that divide the records into parts of similar size, for parallel scans. The first
   * part ends with the first key, the second follows it and ends with the second key, and the last
   * part follows the last key. An estimate that reads no records: the parts may differ in size, and
   * there may be fewer.
   *
   * @param parts how many parts there should be
   * @return the keys, in the order of a scan of all; fewer than {@code parts}
   * @throws IllegalArgumentException if {@code parts} is not positive
   */
  List<RecordKey> splits(int parts);
}
