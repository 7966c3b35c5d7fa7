package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import io.rockpool.error.OutcomeUnknownException;
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
 * refused with an {@link IllegalArgumentException}.
 */
public interface Space {
  /** The sort key of a row's only record. */
  byte[] NO_SORT_KEY = {};

  /** The space's name. */
  String name();

  /** What is known of the space. One read. */
  SpaceInfo info();

  /**
   * What {@code reader} makes of the record, or null if there is none. One read, no lock. A value
   * that is equal for every writer is seen whole: a get sees a record as one write left it.
   */
  <R> @Nullable R get(byte[] hashKey, byte[] sortKey, RecordReader<R> reader);

  /** The record, or null. One read, no lock. */
  default @Nullable RowRecord get(byte[] hashKey, byte[] sortKey) {
    return get(
        hashKey,
        sortKey,
        (bytes, offset, length, expiryMillis) ->
            new RowRecord(
                hashKey,
                sortKey,
                java.util.Arrays.copyOfRange(bytes, offset, offset + length),
                expiryMillis));
  }

  /**
   * The records at {@code keys}, each or null, in the order of {@code keys}. One read for all; each
   * is seen by itself.
   */
  List<@Nullable RowRecord> getAll(List<RecordKey> keys);

  /**
   * Puts one record without reading what is there: one write. The record is not counted, and must
   * not replace one that is (see {@link Row#putCounted}). Atomic, and serial with the transactions
   * of its row.
   */
  void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Deletes one record without reading it: one write. It must not be a counted one. Otherwise as
   * {@link #put}.
   */
  void delete(byte[] hashKey, byte[] sortKey);

  /**
   * Puts many records as {@link #put} does, in batches of up to {@link Limits#MAX_BATCH_BYTES}.
   * Each record is put atomically; the whole is not atomic. Where it throws, some may have been
   * put.
   */
  void putAll(Collection<RowRecord> records);

  /** Deletes many records as {@link #delete} does, in batches; not atomic as a whole. */
  void deleteAll(Collection<RecordKey> keys);

  /**
   * Runs {@code transaction} on one row: all its changes are made, or none; no other change of the
   * row comes between its reads and its changes. If it throws, nothing is changed and the exception
   * reaches the caller. One write, after as many reads as the transaction makes. A transaction may
   * not start another.
   */
  <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction);

  /**
   * The number of counted records in a row, see {@link Row#putCounted}. O(1), one read. It may
   * include records whose expiry has passed but which have not been swept, unless the engine has
   * {@link Capability#EXACT_COUNTS}.
   *
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  long count(byte[] hashKey);

  /** The first {@code limit} records of a range of one row. */
  Cursor scan(byte[] hashKey, SortRange range, Direction direction, int limit);

  /**
   * All records of all rows: the rows in no particular order, each row's records together and
   * sorted.
   */
  default Cursor scanAll() {
    return scanAll(null);
  }

  /**
   * As {@link #scanAll()}, but from behind the record {@code after} on, whether it is still there or
   * not; null for all. So a walk can let go of its cursor and go on later from the last record it
   * saw.
   */
  Cursor scanAll(@Nullable RecordKey after);

  /**
   * Removes every record. O(1), one write, atomic: no read that begins after it has returned sees
   * an earlier record. A write that runs at the same time is either removed or not. The disk is
   * given back later.
   */
  void clear();

  /** This space with writes of another durability. The two handles are otherwise the same. */
  Space withDurability(Durability durability);
}
