package io.rockpool.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row inside a {@link RowTransaction}: reads see the row as it was when the transaction took
 * hold of it, with the transaction's own changes on top. Not thread-safe. Once the run it was given
 * to has ended, every method throws {@link IllegalStateException}.
 *
 * <p>Arguments are refused as by {@link Space}, and what was changed before is lost only if the
 * transaction lets the exception through. An array passed in must stay as it is until the run ends.
 */
public interface Row {
  /**
   * Reads one record.
   *
   * @param sortKey its place
   * @return the record, or null
   */
  @Nullable RowRecord get(byte[] sortKey);

  /**
   * Reads many records, for less than the same number of {@link #get}.
   *
   * @param sortKeys their places; one may come twice
   * @return the records, each or null, in the order of {@code sortKeys}
   */
  default List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    List<@Nullable RowRecord> found = new ArrayList<>(sortKeys.size());
    sortKeys.forEach(sortKey -> found.add(get(sortKey)));
    return found;
  }

  /**
   * Reads a range.
   *
   * @param range what to read
   * @param direction the order of the result
   * @param limit how many records to read at most, 0 or more; it may be past {@link
   *     Limits#MAX_PAGE_RECORDS}
   * @return the first {@code limit} records of the range
   * @throws IllegalArgumentException if the limit is negative
   */
  List<RowRecord> scan(SortRange range, Direction direction, int limit);

  /**
   * Counts. O(1).
   *
   * @return the number of counted records in the row as {@link Space#count} would give it, with the
   *     transaction's own changes
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  long count();

  /**
   * Puts a record that is not counted, over whatever is there, counted or not.
   *
   * @param sortKey its place
   * @param value its value
   * @param expiryMillis when it ends, or {@link Expiry#NEVER}
   */
  void put(byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Puts a record that {@link #count} includes, over whatever is there, counted or not. The engine
   * keeps the count true by itself, also when the record expires.
   *
   * @param sortKey its place
   * @param value its value
   * @param expiryMillis when it ends, or {@link Expiry#NEVER}
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  void putCounted(byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Deletes a record, counted or not, if there is one.
   *
   * @param sortKey its place
   */
  void delete(byte[] sortKey);
}
