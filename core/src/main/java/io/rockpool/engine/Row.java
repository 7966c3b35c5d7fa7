package io.rockpool.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row inside a {@link RowTransaction}: reads see the row as it was when the transaction took
 * hold of it, with the transaction's own changes on top. Not thread-safe, and of no use once the
 * run it was given to has ended.
 */
public interface Row {
  /** The record at {@code sortKey}, or null. */
  @Nullable RowRecord get(byte[] sortKey);

  /** The first {@code limit} records of {@code range}, in {@code direction}. */
  List<RowRecord> scan(SortRange range, Direction direction, int limit);

  /** The number of counted records in the row; see {@link #putCounted}. O(1). */
  long count();

  /** Puts a record that is not counted, over whatever is there. */
  void put(byte[] sortKey, byte[] value, long expiryMillis);

  /**
   * Puts a record that {@link #count} includes, over whatever is there, counted or not. The engine
   * keeps the count true by itself, also when the record expires.
   *
   * @throws UnsupportedOperationException in a space of {@link Layout#ENTRIES}
   */
  void putCounted(byte[] sortKey, byte[] value, long expiryMillis);

  /** Deletes the record at {@code sortKey}, if there is one. */
  void delete(byte[] sortKey);
}
