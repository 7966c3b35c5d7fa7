package io.rockpool.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row inside a {@link RowTransaction}. Reads see the row as it was when the transaction locked
 * or first read it, with the transaction's own changes on top. Not thread-safe. After the end of
 * its run, every method throws {@link IllegalStateException}.
 *
 * <p>Arguments are rejected as by {@link Space}. Earlier changes are lost only if the exception
 * leaves the transaction. An array passed in must not change until the run ends.
 */
public interface Row {
  /**
   * Returns the one moment of this run: a record is visible to all its reads if it expires later. A
   * decision that needs the time uses this, and does not look at the clock again.
   *
   * @return the time in milliseconds since the epoch, by the clock of the engine
   */
  long nowMillis();

  /**
   * Reads one record.
   *
   * @return the record, or null
   */
  @Nullable RowRecord get(byte[] sortKey);

  /**
   * Reads many records; cheaper than the same number of {@link #get}.
   *
   * @param sortKeys their sort keys; duplicates are allowed
   * @return the records, null for each absent one, in the order of {@code sortKeys}
   */
  default List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
    List<@Nullable RowRecord> found = new ArrayList<>(sortKeys.size());
    sortKeys.forEach(sortKey -> found.add(get(sortKey)));
    return found;
  }

  /**
   * Compares a record with an earlier read of it, by value and expiry. A write that depends on the
   * result is a compare-and-set. The default reads the record. A remote engine may instead assume
   * that the record is unchanged, and verify it at the commit together with the writes.
   *
   * @param expected the record as it was read, or null if there was none
   * @return whether a read now would return the same
   */
  default boolean isUnchanged(byte[] sortKey, @Nullable RowRecord expected) {
    return RowRecord.isSame(get(sortKey), expected);
  }

  /**
   * Returns whether a lease on the row's only record has not ended, see {@link Lease}. A write that
   * depends on the result is made only if that is still so at the commit.
   *
   * @param lease a lease of this engine
   * @return whether it holds; false by default, for an engine that gives no leases
   */
  default boolean holds(Lease lease) {
    return false;
  }

  /**
   * Reads a range.
   *
   * @param range what to read
   * @param direction the order of the result
   * @param limit the most records to read, 0 or more; it may exceed {@link Limits#MAX_PAGE_RECORDS}
   * @return the first {@code limit} records of the range
   * @throws IllegalArgumentException if the limit is negative
   */
  List<RowRecord> scan(SortRange range, Direction direction, int limit);

  /**
   * The first records of a range.
   *
   * @param records the records, in the order of the read
   * @param isLast whether the range has no more records
   */
  record Page(List<RowRecord> records, boolean isLast) {}

  /**
   * Reads the first records of a range, like {@link #scan}, but ends after the record with which
   * the stored records have {@code maxBytes}. So it returns at least one record if there is one.
   * The default first reads as many as {@link #scan}.
   *
   * @param range what to read
   * @param direction the order of the result
   * @param limit the most records to read, 0 or more
   * @param maxBytes the bytes of values, 1 or more; an engine may include sort keys
   * @return the records
   * @throws IllegalArgumentException if the limit is negative
   */
  default Page page(SortRange range, Direction direction, int limit, long maxBytes) {
    List<RowRecord> found = scan(range, direction, limit);
    int fitting = 0;
    for (long bytes = 0; fitting < found.size() && bytes < maxBytes; fitting++) {
      RowRecord record = found.get(fitting);
      bytes += (long) record.sortKey().length + record.value().length;
    }
    return new Page(found.subList(0, fitting), fitting == found.size() && fitting < limit);
  }

  /**
   * Counts the records of a range by reading it.
   *
   * @param limit where to stop counting, 0 or more
   * @return how many a {@link #scan} would return
   * @throws IllegalArgumentException if the limit is negative
   */
  default int countIn(SortRange range, int limit) {
    return scan(range, Direction.FORWARD, limit).size();
  }

  /**
   * Counts. O(1).
   *
   * @return the number of counted records in the row, as {@link Space#count} would return it, with
   *     the transaction's own changes
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  long count();

  /**
   * Puts a record that is not counted; replaces any record there, counted or not.
   *
   * @param expiryMillis its expiry, or {@link Expiry#NEVER}
   */
  void put(byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Puts a record that {@link #count} includes; replaces any record there, counted or not. The
   * engine keeps the count correct, also when the record expires.
   *
   * @param expiryMillis its expiry, or {@link Expiry#NEVER}
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  void putCounted(byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Like {@link #put} or {@link #putCounted}, where the caller knows that no record was ever
   * stored: an engine need not look for one whose place in the count the new record would take.
   * With a record there, expired or not, the count may become wrong.
   */
  default void insert(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    if (counted) {
      putCounted(sortKey, value, expiryMillis);
    } else {
      put(sortKey, value, expiryMillis);
    }
  }

  /** Deletes a record, counted or not, if there is one. */
  void delete(byte[] sortKey);
}
