package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.store.Durability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All records under one name, in rows. Thread-safe. All handles of one name access the same space.
 *
 * <p>Every operation throws:
 *
 * <ul>
 *   <li>{@link IllegalStateException} once the engine is closed, or if the name was dropped or
 *       reset after this handle was opened
 *   <li>{@link LimitExceededException} for an argument past {@link Limits}, before anything changes
 *   <li>{@link OutcomeUnknownException}, from a write, if a remote engine cannot know whether it
 *       was applied
 *   <li>{@link ServerUnavailableException} if the server of a remote engine cannot be reached,
 *       before anything changes
 * </ul>
 *
 * <p>A write that has returned has the {@link Durability} of the handle, or of an {@link
 * Engine#withDurability} around it. Arrays passed in are read before the call returns and never
 * kept. Expired records are never visible.
 *
 * <p>In a space of {@link Layout#ENTRIES} every sort key is {@link #NO_SORT_KEY}. Another one is
 * rejected with an {@link IllegalArgumentException} before anything changes.
 *
 * <p>Inside {@link Engine#atomically} the operations join the transaction, as described there.
 */
public interface Space extends SpaceView {
  /** The sort key of a row's only record. */
  byte[] NO_SORT_KEY = {};

  /**
   * Describes the space. One read.
   *
   * @return its description
   */
  SpaceInfo info();

  /**
   * Puts one record without reading the old one. Atomic and serial with the transactions of its
   * row. One write. The record is not counted and must not replace a counted one (see {@link
   * Row#putCounted}), expired or not. Otherwise the row's count becomes wrong; an engine may reject
   * this but need not detect it.
   *
   * @param expiryMillis its expiry, or {@link Expiry#NEVER}; stored as {@link Expiry#normalize}
   *     returns it. A record that has already expired is never visible, but still replaces the old
   *     one
   */
  void put(byte[] hashKey, byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Deletes one record without reading it: one write. It must not be a counted one. Otherwise like
   * {@link #put}.
   */
  void delete(byte[] hashKey, byte[] sortKey);

  /**
   * Puts many records like {@link #put}, in batches of up to {@link Limits#MAX_BATCH_BYTES}. Each
   * record is put atomically; the whole is not atomic. All arguments are checked before the first
   * write. If it throws for another reason, some records may have been put.
   *
   * @param records the records; of two with the same key the later one stays
   */
  void putAll(Collection<RowRecord> records);

  /**
   * Deletes many records like {@link #delete}, in batches. Otherwise like {@link #putAll}.
   *
   * @param keys the keys of the records
   */
  void deleteAll(Collection<RecordKey> keys);

  /**
   * Runs {@code transaction} on one row: all its changes are made, or none. No other change of the
   * row happens between its reads and its changes. If it throws, nothing changes and the exception
   * reaches the caller. One write, after the reads of the transaction; none if it changes nothing.
   * The transaction may use only the row: another transaction on any row or space of this engine
   * throws {@link IllegalStateException}.
   *
   * @param transaction what to do; it may run more than once. A {@link RecordWrite} tells an engine
   *     on a server everything that it needs to decide in one round trip
   * @return the result of the run that was kept
   */
  <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction);

  /**
   * Reads entries, and takes a {@link Lease} on each, for a value that is computed and then written
   * with {@link LeasedWrite}. One round trip. It writes only if a key is absent and has no lease
   * that can be shared; the write need not be durable. Each key is read atomically. Leases are for
   * engines with {@link Capability#SHARED}: without it, the result has none.
   *
   * @param hashKeys the keys, in a space of {@link Layout#ENTRIES}; duplicates are allowed
   * @return what was found, in the order of {@code hashKeys}
   * @throws IllegalStateException also from inside {@link Engine#atomically}
   */
  default List<LeasedRead> lease(List<byte[]> hashKeys) {
    List<LeasedRead> found = new ArrayList<>(hashKeys.size());
    getAll(hashKeys.stream().map(key -> new RecordKey(key, NO_SORT_KEY)).toList())
        .forEach(record -> found.add(new LeasedRead(record, null)));
    return found;
  }

  /**
   * Makes many {@link LeasedWrite}s, each atomic by itself. If it throws, some may have been made.
   * By default one round trip for each.
   *
   * @param hashKeys the keys, each once
   * @param writes the writes, in the order of the keys
   * @return for each whether it was made
   */
  default List<Boolean> writeLeased(List<byte[]> hashKeys, List<LeasedWrite> writes) {
    List<Boolean> made = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      made.add(transact(hashKeys.get(i), writes.get(i)));
    }
    return made;
  }

  /**
   * Removes every record. O(1), one write. Atomic and serial with the transactions of each row: a
   * read of any handle that begins after it has returned sees no earlier record. A concurrent write
   * is either removed or not. The expiry of the space does not change. Disk space is reclaimed
   * later.
   */
  void clear();

  /**
   * Sets the time at which all records of the space expire. From then on no record written before
   * is visible, as if {@link #clear} had been called at that time, and the space has no expiry any
   * longer. A write at that moment is either removed or not. O(1), one write, atomic, with the
   * durability of other writes through this handle. A time in the past clears the space
   * immediately. Records that expire earlier by themselves still do.
   *
   * @param expiryMillis the time, in milliseconds since the epoch, or {@link Expiry#NEVER} for no
   *     expiry; stored as {@link Expiry#normalize} returns it. It replaces an earlier one
   */
  void expireAt(long expiryMillis);

  /**
   * Like {@link #expireAt(long)}, if a condition on the present expiry holds. By default this reads
   * the expiry and then sets it, so another thread may set it in between; the engines of Rockpool
   * do both atomically.
   *
   * @param condition accepts the present expiry, or {@link Expiry#NEVER}; it is fast, and calls
   *     nothing of the engine
   * @return whether it held
   */
  default boolean expireAtIf(long expiryMillis, LongPredicate condition) {
    boolean holds = condition.test(info().expiresMillis());
    if (holds) {
      expireAt(expiryMillis);
    }
    return holds;
  }

  /**
   * Takes a snapshot. O(1), whatever the number of records; blocks no other operation.
   *
   * @return the space as it is now; close it after use
   * @throws UnsupportedOperationException if the engine has no {@link Capability#SNAPSHOTS}
   * @throws IllegalStateException also from inside {@link Engine#atomically}
   */
  SpaceSnapshot snapshot();

  /**
   * Copies all records, as of one instant during the call, into an empty space of the same engine,
   * with their expiries and counts. O(records); blocks no other operation, and each write is small.
   * Not atomic: {@code target} has a part of the records until the call returns. If it throws,
   * {@code target} has an undefined part of them. What it wrote is as durable as buffered writes.
   *
   * @param target an empty space of rows that nothing else uses meanwhile
   * @throws IllegalStateException also from inside {@link Engine#atomically}
   * @throws UnsupportedOperationException without {@link Capability#RENAMES}, or if the spaces are
   *     not of {@link Layout#ROWS}
   */
  default void copyTo(Space target) {
    throw new UnsupportedOperationException(
        "The engine of the space \""
            + name()
            + "\" has no RENAMES: put the content under the new name, and drop the old one.");
  }

  /**
   * Returns a handle of this space with another durability. The handles are otherwise the same. A
   * handle from an engine has the engine's default.
   *
   * @param durability what writes through the new handle survive, unless {@link
   *     Engine#withDurability} sets another level
   * @return the new handle
   */
  Space withDurability(Durability durability);

  /**
   * Returns a handle of this space whose {@code get} and {@code getAll} a replica may answer, if
   * the engine uses replicas. Such a read sees each write through this engine object and never goes
   * backwards. It may miss a write through another one until {@link Engine#onChange} reports that.
   * The handles are otherwise the same. By default, this handle.
   *
   * @return the handle for reads that decide nothing
   */
  default Space withReadsFromReplicas() {
    return this;
  }
}
