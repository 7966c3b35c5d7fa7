package io.rockpool.engine;

import io.rockpool.error.LimitExceededException;
import io.rockpool.error.OutcomeUnknownException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Everything under one name: rows of records. Thread-safe. All handles of one name are one space.
 *
 * <p>Every operation throws {@link IllegalStateException} once the engine is closed, or the name
 * was dropped or reset after this handle was opened; {@link LimitExceededException} for an argument
 * past {@link Limits}, before anything is changed; and a write {@link OutcomeUnknownException}
 * where a remote engine cannot tell whether it was applied. A write that has returned is as durable
 * as the handle's {@link Durability} says, or {@link Engine#withDurability} around it. Arrays
 * passed in are read before the call returns and never kept. A record past its expiry is never
 * seen.
 *
 * <p>In a space of {@link Layout#ENTRIES} every sort key is {@link #NO_SORT_KEY}; another is
 * refused with an {@link IllegalArgumentException} before anything is changed.
 *
 * <p>Inside {@link Engine#atomically} the operations join the transaction, as is said there.
 */
public interface Space extends SpaceView {
  /** The sort key of a row's only record. */
  byte[] NO_SORT_KEY = {};

  /**
   * Describes the space. One read.
   *
   * @return what is known of it
   */
  SpaceInfo info();

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
   * Removes every record. O(1), one write, atomic, and serial with the transactions of each row: no
   * read that begins after it has returned sees an earlier record. A write that runs at the same
   * time is either removed or not. The space's expiry stays as it is. The disk is given back later.
   */
  void clear();

  /**
   * Lets all records of the space end at once, at an instant: from then on none that was written
   * before is seen, as if {@link #clear} had been called at that instant, and the space has no
   * expiry any more. A write that runs at the instant is either removed or not. O(1), one write,
   * atomic, as durable as other writes through this handle; an instant that is past clears the
   * space at once. The records' own expiries stay as they are, and end them if they come first.
   *
   * @param expiryMillis the instant, in milliseconds since the epoch, or {@link Expiry#NEVER} to
   *     let the space live on; kept as {@link Expiry#normalize} makes it, in the place of any set
   *     before
   */
  void expireAt(long expiryMillis);

  /**
   * Takes a snapshot. O(1), however many records there are; holds up no one.
   *
   * @return the space as it is now; to be closed
   * @throws UnsupportedOperationException if the engine has no {@link Capability#SNAPSHOTS}
   * @throws IllegalStateException also from inside {@link Engine#atomically}
   */
  SpaceSnapshot snapshot();

  /**
   * Gives this space another durability. The two handles are otherwise the same. A handle that an
   * engine returns has the engine's own default.
   *
   * @param durability what writes through the new handle survive, where {@link
   *     Engine#withDurability} says nothing else
   * @return the new handle
   */
  Space withDurability(Durability durability);
}
