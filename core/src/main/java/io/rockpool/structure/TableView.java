package io.rockpool.structure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The read operations of a table: the {@link PersistentTable} itself, or a {@link Snapshot} of it.
 * Thread-safe. Expired records are never returned.
 *
 * @param <H> the type of hash keys
 * @param <S> the type of sort keys
 * @param <V> the type of values
 */
public interface TableView<H, S, V> {
  /** The value of a record, or null if there is none. One read without a lock. */
  @Nullable V get(H hashKey, S sortKey);

  /** Whether there is a record. One read without a lock. */
  boolean contains(H hashKey, S sortKey);

  /** Whether a row exists: whether it has a record. One seek. */
  boolean containsRow(H hashKey);

  /**
   * The remaining time to live of a record, or {@link PersistentStructure#FOREVER}; empty if there
   * is none.
   */
  Optional<Duration> ttl(H hashKey, S sortKey);

  /**
   * The values of those {@code sortKeys} that have one, in the order of {@code sortKeys}. One read
   * per 1,024 sort keys. Each record is read atomically, the whole is not.
   */
  Map<S, V> getAll(H hashKey, Collection<? extends S> sortKeys);

  /**
   * Reads the records in a {@link Range} of a row: all, between two sort keys, or those that pass a
   * filter. One scan, and all results are in memory.
   *
   * @return sort keys and values, in the range's order; the list is the caller's
   * @throws IllegalArgumentException if the range ends before it begins
   * @throws UnsupportedOperationException if it filters sort keys that are neither strings nor byte
   *     arrays
   */
  List<Map.Entry<S, V>> read(H hashKey, Range<S> range);

  /** Like {@link #read}, but returns the sort keys only and decodes no value. */
  List<S> sortKeys(H hashKey, Range<S> range);

  /** The number of records in a row. O(1), one read. May include expired records. */
  long count(H hashKey);

  /** A row as a map, live if the table is. Its iterators read a page at a time. O(1), no read. */
  NavigableMap<S, V> row(H hashKey);

  /**
   * All records. The order of the rows is undefined; the records of a row are sorted. Lazy: reads a
   * page at a time, and holds no lock and no native resources. Rejected inside a transaction. The
   * terminal operation throws {@link io.rockpool.error.UndecodableValueException} for a record that
   * cannot be decoded. {@link Stream#iterator}, {@link #row} and {@link #sortKeys} can continue
   * after it.
   */
  Stream<TableRecord<H, S, V>> stream();

  /**
   * The hash keys of all rows, as a live set that cannot be changed, in undefined order. O(1), no
   * read. Iteration is lazy, weakly consistent and rejected inside a transaction, like {@link
   * #stream}. It reads sort keys, at most a page of 256 of each row: many short rows cost as much
   * as {@link #stream}, a long row one seek. {@code contains} is {@link #containsRow}. {@code size}
   * iterates over all rows.
   */
  Set<H> rowKeys();

  /**
   * All records as several streams, which threads may consume concurrently. Each record is in one
   * stream. A stream reads its own part of the table, then helps with the rest of the others, a
   * page at a time. So the records of a stream that is not consumed appear in the others, and the
   * records of one row may appear in several. The engine estimates the sizes of the parts, so they
   * are only roughly equal. This call chooses them with a few dozen estimates each; everything else
   * is as for {@link #stream}.
   *
   * @param streams how many
   * @throws IllegalArgumentException if it is not positive
   */
  List<Stream<TableRecord<H, S, V>>> streams(int streams);

  /** Whether there is no record in any row. */
  boolean isEmpty();
}
