package io.rockpool.structure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table as it can be read: the {@link PersistentTable} itself, or a {@link Snapshot} of it.
 * Thread-safe. A record that has expired is never seen.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public interface TableView<H, S, V> {
  /** The value of a record, or null if there is none. One read, without a lock. */
  @Nullable V get(H hashKey, S sortKey);

  /** Whether there is a record. One read, without a lock. */
  boolean contains(H hashKey, S sortKey);

  /** How much longer a record lives; {@link PersistentStructure#FOREVER}, or empty without one. */
  Optional<Duration> ttl(H hashKey, S sortKey);

  /**
   * The values of those of {@code sortKeys} that have one, in the order of {@code sortKeys}. One
   * read for 1,024 of them; each record is seen by itself.
   */
  Map<S, V> getAll(H hashKey, Collection<? extends S> sortKeys);

  /**
   * Reads the records of a range of a row: {@link Range#all} of it, or between two sort keys, or
   * those whose sort keys pass a filter, from either end, up to a limit. One scan, and all that it
   * finds in memory.
   *
   * @return sort keys and values, in the range's order; the list is the caller's
   * @throws IllegalArgumentException if the range ends before it begins
   * @throws UnsupportedOperationException if it filters sort keys that are neither strings nor byte
   *     arrays
   */
  List<Map.Entry<S, V>> read(H hashKey, Range<S> range);

  /** As {@link #read}, but the sort keys alone: no value is decoded. */
  List<S> sortKeys(H hashKey, Range<S> range);

  /** How many records a row has. O(1), one read; may include some that have expired. */
  long sortKeyCount(H hashKey);

  /** A row as a map, live if the table is; its iterators read a page at a time. O(1), no read. */
  NavigableMap<S, V> row(H hashKey);

  /**
   * All records, the rows in no particular order, each row's records sorted by sort key. Lazy, a
   * page at a time; holds nothing open and no lock. Refused inside of a transaction. A record that
   * cannot be decoded is an {@link io.rockpool.error.UndecodableValueException} in the terminal
   * operation; {@link Stream#iterator}, and with it {@link #row} and {@link #sortKeys}, goes on
   * behind it.
   */
  Stream<TableRecord<H, S, V>> stream();

  /**
   * All records as several streams, which threads may consume side by side: each record is in one
   * of them. Each reads a part of the table of its own, about as large as the others as far as the
   * engine can tell, and then helps with what is left of the others, a page at a time. So what one
   * of them does not consume, the others do. The records of a row may be shared out, too. The parts
   * are chosen by this call, in some dozen estimates for each; afterwards it is as {@link #stream}.
   *
   * @param streams how many
   * @throws IllegalArgumentException if that is not positive
   */
  List<Stream<TableRecord<H, S, V>>> streams(int streams);

  /** Whether there is no record in any row. */
  boolean isEmpty();
}
