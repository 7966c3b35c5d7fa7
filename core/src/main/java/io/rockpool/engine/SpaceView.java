package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A space as it can be read: the {@link Space} itself, or a {@link SpaceSnapshot} of it.
 * Thread-safe. Arrays passed in are read before the call returns and never kept. A record past its
 * expiry is never seen.
 *
 * <p>Every operation but {@link #name} throws {@link IllegalStateException} once what it reads is
 * no more, and {@link LimitExceededException} for an argument past {@link Limits}.
 */
public interface SpaceView {
  /**
   * Tells the name. Never throws.
   *
   * @return the name
   */
  String name();

  /**
   * Reads one record where it lies. One read, no lock. The record is seen as one write left it,
   * never as a mix of two.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @param reader called with the record if there is one; what it throws reaches the caller
   * @param <R> what the reader makes of it
   * @return what the reader returned, or null if there is no record
   */
  <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader);

  /**
   * Reads one record. One read, no lock.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @return the record, which holds the two arrays passed in, or null if there is none
   */
  default @Nullable RowRecord get(byte[] hashKey, byte[] sortKey) {
    return get(
        hashKey,
        sortKey,
        (bytes, offset, length, expiryMillis) ->
            new RowRecord(
                hashKey,
                sortKey,
                Arrays.copyOfRange(bytes, offset, offset + length),
                expiryMillis));
  }

  /**
   * Reads many records. One read for all; each is seen by itself.
   *
   * @param keys where they lie; a place may come twice
   * @return the records, each or null, in the order of {@code keys}
   */
  List<@Nullable RowRecord> getAll(List<RecordKey> keys);

  /**
   * Counts. O(1), one read. It may include records whose expiry has passed but which have not been
   * swept, unless the engine has {@link Capability#EXACT_COUNTS}.
   *
   * @param hashKey the row
   * @return the number of counted records in it, see {@link Row#putCounted}
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  long count(byte[] hashKey);

  /**
   * Reads a range of one row.
   *
   * @param hashKey the row
   * @param range what to read
   * @param direction the order
   * @param limit how many records to show at most, 0 or more
   * @return a cursor over the first {@code limit} records of the range; to be closed
   * @throws IllegalArgumentException if the limit is negative
   */
  Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit);

  /**
   * Reads all records of all rows: the rows in no particular order, each row's records together and
   * sorted.
   *
   * @return a cursor over them; to be closed
   */
  default Cursor scanAll() {
    return scanAll(null);
  }

  /**
   * As {@link #scanAll()}, but from behind the record {@code after} on, whether it is still there
   * or not; null for all. So a walk can let go of its cursor and go on later from the last record
   * it saw. The order of the rows is always the same.
   *
   * @param after where to go on, or null
   * @return a cursor over what comes after it; to be closed
   */
  default Cursor scanAll(@Nullable RecordKey after) {
    return scanAll(after, null);
  }

  /**
   * As {@link #scanAll(RecordKey)}, but only up to the record {@code upTo}, that included, whether
   * it is there or not; null for all. So scans side by side can share out the whole.
   *
   * @param after where to go on, or null
   * @param upTo where to end, or null
   * @return a cursor over what lies between; to be closed
   */
  Cursor scanAll(@Nullable RecordKey after, @Nullable RecordKey upTo);

  /**
   * Finds places that divide the records into parts of about the same size, for scans side by side:
   * the first part ends with the first place, the next one lies behind that and ends with the
   * second place, the last one lies behind the last place. A guess, and no read of the records: the
   * parts may differ, and there may be fewer of them, where an engine knows less.
   *
   * @param parts how many parts there should be
   * @return the places, in the order of a scan of all; fewer than {@code parts}
   * @throws IllegalArgumentException if {@code parts} is not positive
   */
  List<RecordKey> splits(int parts);
}
