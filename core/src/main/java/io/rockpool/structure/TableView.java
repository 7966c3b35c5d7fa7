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
   * filter. None if the range ends before it begins. One scan, and all results are in memory. Each
   * record is read atomically, the whole is not; see {@link #fetch}.
   *
   * @return sort keys and values, in the range's order; the list is the caller's
   * @throws UnsupportedOperationException if it filters sort keys that are neither strings nor byte
   *     arrays
   */
  List<Map.Entry<S, V>> read(H hashKey, Range<S> range);

  /** Like {@link #read}, but returns the sort keys only and decodes no value. */
  List<S> sortKeys(H hashKey, Range<S> range);

  /**
   * Reads the records in a {@link Range} of a row atomically, up to a number of bytes. Pegasus'
   * {@code multiGet} with {@code maxFetchCount} and {@code maxFetchSize}.
   *
   * <pre>{@code
   * Fetched<String, String> page = table.fetch("ann", Range.<String>all().limit(100), 1 << 20);
   * while (!page.allFetched()) {
   *   String last = page.entries().get(page.entries().size() - 1).getKey();
   *   page = table.fetch("ann", Range.greaterThan(last).limit(100), 1 << 20);
   * }
   * }</pre>
   *
   * <p>In a table, writers of the row wait until the call has read it: one scan, in one row
   * transaction. It joins a transaction. In a snapshot, nothing waits. Expired records count in
   * neither limit.
   *
   * @param range selects sort keys, with its direction, offset and limit; none if it ends before it
   *     begins
   * @param maxBytes ends the read after the record with which the encoded sort keys and values
   *     reach this size; at least one record is read, unless the range's limit is 0
   * @throws UnsupportedOperationException if the range filters sort keys that are neither strings
   *     nor byte arrays
   */
  Fetched<S, V> fetch(H hashKey, Range<S> range, long maxBytes);

  /**
   * Reads records of a row atomically, in the order of {@code sortKeys}, up to a number of bytes,
   * like {@link #fetch(Object, Range, long)}. Pegasus' {@code multiGet} of sort keys. One read.
   *
   * <pre>{@code
   * boolean same = table.fetch("ann", List.of("old", "new"), Long.MAX_VALUE).entries().size() == 2;
   * }</pre>
   */
  Fetched<S, V> fetch(H hashKey, Collection<? extends S> sortKeys, long maxBytes);

  /**
   * The values of those records of any rows that have one, in the order of {@code keys}. Pegasus'
   * {@code batchGet}. One read per 1,024 keys. Each record is read atomically, the whole is not.
   * Expired records are absent. Joins a transaction, which makes it atomic.
   *
   * <pre>{@code
   * table.getAll(List.of(new TableKey<>("ann", "apple"), new TableKey<>("bob", "pear")));
   * }</pre>
   */
  Map<TableKey<H, S>, V> getAll(Collection<TableKey<H, S>> keys);

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
   * The records that pass a filter, otherwise like {@link #stream()}. Pegasus' {@code
   * getUnorderedScanners} with filters. It reads the whole table.
   *
   * <pre>{@code
   * long users =
   *     table.stream(TableFilter.<String, String>all().hashKeyStartingWith("user:")).count();
   * }</pre>
   *
   * @throws UnsupportedOperationException if the filter does not support the table's keys
   */
  Stream<TableRecord<H, S, V>> stream(TableFilter<H, S> filter);

  /**
   * The keys of the records that pass a filter, otherwise like {@link #stream()}. Pegasus' scans
   * with {@code noValue}. It reads the keys of the whole table, and reads and decodes no value.
   *
   * <pre>{@code
   * table.keys(TableFilter.all()).forEach(key -> System.out.println(key.hashKey()));
   * }</pre>
   *
   * @throws UnsupportedOperationException if the filter does not support the table's keys
   */
  Stream<TableKey<H, S>> keys(TableFilter<H, S> filter);

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

  /**
   * The records that pass a filter, otherwise like {@link #streams(int)}.
   *
   * @throws IllegalArgumentException if {@code streams} is not positive
   * @throws UnsupportedOperationException if the filter does not support the table's keys
   */
  List<Stream<TableRecord<H, S, V>>> streams(int streams, TableFilter<H, S> filter);

  /** Whether there is no record in any row. */
  boolean isEmpty();
}
