package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import io.rockpool.error.OutcomeUnknownException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything under one name: rows of records. Thread-safe. All handles of one name are one space.
 *
 * <p>Every operation throws {@link IllegalStateException} once the engine is closed, or the name
 * was dropped or reset after this handle was opened; {@link LimitExceededException} for an argument
 * past {@link Limits}, before anything is changed; and a write {@link OutcomeUnknownException}
 * where a remote engine cannot tell whether it was applied. A write that has returned is as durable
 * as the handle's {@link Durability} says. Arrays passed in are read before the call returns and
 * never kept. A record past its expiry is never seen.
 *
 * <p>In a space of {@link Layout#ENTRIES} every sort key is {@link #NO_SORT_KEY}; another is
 * refused with an {@link IllegalArgumentException} before anything is changed.
 */
public interface Space {
  /** The sort key of a row's only record. */
  byte[] NO_SORT_KEY = {};

  /**
   * Tells the name. Never throws.
   *
   * @return the name
   */
  String name();

  /**
   * Describes the space. One read.
   *
   * @return what is known of it
   */
  SpaceInfo info();

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
   * Puts one record without reading what is there: one write. The record is not counted, and must
   * not replace one that is (see {@link Row#putCounted}), expired or not: the row's count would
   * stay wrong, which an engine may refuse and need not notice. Atomic, and serial with the
   * transactions of its row.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   * @param value the value
   * @param expiryMillis when it ends, or {@link Expiry#NEVER}; kept as {@link Expiry#normalize}
   *     makes it. What has expired already is never seen, but still replaces what was there.
   */
  void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Deletes one record without reading it: one write. It must not be a counted one. Otherwise as
   * {@link #put}.
   *
   * @param hashKey the row
   * @param sortKey the place in the row
   */
  void delete(byte[] hashKey, byte[] sortKey);

  /**
   * Puts many records as {@link #put} does, in batches of up to {@link Limits#MAX_BATCH_BYTES}.
   * Each record is put atomically; the whole is not atomic. All arguments are checked before the
   * first record is put; where it throws for another reason, some may have been put.
   *
   * @param records the records; of two at one place the later stays
   */
  void putAll(Collection<RowRecord> records);

  /**
   * Deletes many records as {@link #delete} does, in batches. Otherwise as {@link #putAll}.
   *
   * @param keys where they lie
   */
  void deleteAll(Collection<RecordKey> keys);

  /**
   * Runs {@code transaction} on one row: all its changes are made, or none; no other change of the
   * row comes between its reads and its changes. If it throws, nothing is changed and the exception
   * reaches the caller. One write, after as many reads as the transaction makes; none if it changes
   * nothing. Inside, the row is all there is of the engine: another transaction, of whatever row or
   * space of this engine, is refused with an {@link IllegalStateException}.
   *
   * @param hashKey the row
   * @param transaction what to do; it may run more than once
   * @param <R> what it returns
   * @return what its run returned
   */
  <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction);

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
  Cursor scanAll(@Nullable RecordKey after);

  /**
   * Removes every record. O(1), one write, atomic, and serial with the transactions of each row: no
   * read that begins after it has returned sees an earlier record. A write that runs at the same
   * time is either removed or not. The disk is given back later.
   */
  void clear();

  /**
   * Gives this space another durability. The two handles are otherwise the same. A handle that an
   * engine returns has the engine's own default.
   *
   * @param durability what writes through the new handle survive
   * @return the new handle
   */
  Space withDurability(Durability durability);
}
