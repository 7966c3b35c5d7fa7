package io.rockpool.change;

import io.rockpool.error.ChangesLostException;
import io.rockpool.error.StoreClosedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

/**
 * The changes of a cache or collection, in the order of their commits. {@code
 * io.rockpool.Rockpool#changes} opens it. Thread-safe.
 *
 * <p><b>What is in it.</b> Each committed change of an entry, once, and each clearing, from the
 * moment the feed was switched on. The changes of a transaction are neighbours and appear together.
 * A rollback leaves nothing. What expires leaves nothing: {@link ChangeEvent#expires} says
 * beforehand when. Entries that a cache evicts leave nothing either, and loaded values are puts.
 *
 * <p><b>Positions</b> ascend by one. A feed that was dropped and created again starts at higher
 * ones, so an old position is never taken for a new one. Positions are large numbers; {@link
 * #OLDEST}, which is 0, stands for the oldest change that is kept.
 *
 * <p><b>Retention.</b> Changes past the limits of {@link ChangeOptions} are removed, whether a
 * cursor has passed them or not. A read that would skip removed changes throws {@link
 * ChangesLostException} instead. So does every reader of a store that was restored from a backup,
 * the cursors of the store included: positions after the backup were those of other changes.
 *
 * <p><b>Errors.</b> Every method, and every waiting thread, gets a {@link StoreClosedException}
 * once the store is closed or the name is dropped, reset or renamed.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface ChangeFeed<K, V> {
  /** Stands for the position of the oldest change that is kept when it is read, as 0 does. */
  long OLDEST = 0;

  /** The name whose changes these are. */
  String name();

  /** The position of the oldest change that is kept; {@link #next} if there is none. One read. */
  long oldest();

  /** The position that the next change will have. One read. */
  long next();

  /**
   * Reads the changes from a position up to the last one that is committed now. Reads pages as they
   * are needed; holds nothing open in between.
   *
   * @param position of the first change, from {@link #oldest} to {@link #next}, or {@link #OLDEST}
   * @return the changes; a read throws {@link ChangesLostException} if its changes were removed
   *     meanwhile
   * @throws ChangesLostException if changes from there on were removed
   * @throws IllegalArgumentException if the position is after {@link #next}
   */
  Stream<ChangeEvent<K, V>> from(long position);

  /**
   * Reads some changes. One read.
   *
   * @param position as for {@link #from}
   * @param max the maximum number, positive
   * @return the changes; empty if there are none yet
   * @throws ChangesLostException as for {@link #from}
   * @throws IllegalArgumentException as for {@link #from}
   */
  List<ChangeEvent<K, V>> poll(long position, int max);

  /**
   * Like {@link #poll(long, int)}, but waits for the first change.
   *
   * @return the changes; empty if there was none in time
   * @throws IllegalStateException inside a transaction
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  List<ChangeEvent<K, V>> poll(long position, int max, Duration wait) throws InterruptedException;

  /**
   * A publisher of the changes from a position on, without end. Each subscription reads by itself,
   * as fast as its subscriber requests, on a thread of its own. {@code onError} gets what a read
   * throws, {@link StoreClosedException} included.
   *
   * @param position as for {@link #from}
   */
  Flow.Publisher<ChangeEvent<K, V>> publisher(long position);

  /**
   * Opens a durable cursor, or creates it at the {@link #oldest} change. At least once: what was
   * not committed is delivered again after a restart.
   *
   * @param cursor its name in this feed; at most 1 KiB
   * @throws IllegalArgumentException if it is empty or has half of a surrogate pair
   */
  ChangeCursor<K, V> cursor(String cursor);

  /** The committed positions of all cursors, by name. */
  Map<String, Long> cursors();

  /**
   * Removes a cursor.
   *
   * @return whether there was one
   */
  boolean dropCursor(String cursor);
}
