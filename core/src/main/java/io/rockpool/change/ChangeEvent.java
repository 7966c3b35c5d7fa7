package io.rockpool.change;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One change in a {@link ChangeFeed}. Immutable and thread-safe. Keys and values are decoded by
 * each call, and outside of the feed's reads: an undecodable one does not block later changes.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface ChangeEvent<K, V> {
  /** What a change did. */
  enum Kind {
    /** An entry was put, whether there was one before or not. */
    PUT,
    /** An entry was removed. There may have been none. */
    REMOVE,
    /** Everything was removed at once. */
    CLEAR,
    /** The time was set at which everything expires, or there is none any longer. */
    CLEAR_AT
  }

  /** Its place in the feed: that of the change before it, plus one. */
  long position();

  /** The position of the first change of the same transaction in this feed. */
  long transaction();

  /** When it was made, by the store's clock; never before the change before it. */
  Instant time();

  /** What it did. */
  Kind kind();

  /**
   * The key; null for {@link Kind#CLEAR} and {@link Kind#CLEAR_AT}, and for values and counters,
   * which have none.
   *
   * @throws io.rockpool.error.UndecodableValueException if it cannot be decoded
   */
  @Nullable K key();

  /**
   * The new value; null unless it is a {@link Kind#PUT}, and for sets, which have none.
   *
   * @throws io.rockpool.error.UndecodableValueException if it cannot be decoded
   */
  @Nullable V value();

  /**
   * When the entry of a {@link Kind#PUT} expires, or everything after a {@link Kind#CLEAR_AT}.
   * Empty for never. No change is logged when that time comes.
   */
  Optional<Instant> expires();
}
