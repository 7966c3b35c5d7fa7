package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rejects a user function that changes the record it decides on. Otherwise its caller would always
 * find the record changed and call the function again, forever. Thread-safe. While no function
 * runs, a write costs one check of an empty map.
 */
final class RecursionGuard {
  /** The record that each thread decides on. */
  private final Map<Thread, Deciding> threads = new ConcurrentHashMap<>();

  /** A record with a decision in progress; {@code outer} is the enclosing decision. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Deciding(byte[] row, byte[] key, @Nullable Deciding outer) {}

  /** Calls {@code function}, which must not change the record. */
  <R extends @Nullable Object> R deciding(byte[] row, byte[] key, Supplier<R> function) {
    Thread thread = Thread.currentThread();
    Deciding outer = threads.get(thread);
    threads.put(thread, new Deciding(row, key, outer));
    try {
      return function.get();
    } finally {
      if (outer == null) {
        threads.remove(thread);
      } else {
        threads.put(thread, outer);
      }
    }
  }

  /** The transaction, with a check if the calling thread is inside a decision. */
  <R extends @Nullable Object> RowTransaction<R> guarded(
      byte[] hashKey, RowTransaction<R> transaction) {
    Deciding deciding = threads.isEmpty() ? null : threads.get(Thread.currentThread());
    return deciding == null
        ? transaction
        : row -> transaction.run(new GuardedRow(row, hashKey, deciding));
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record GuardedRow(Row row, byte[] hashKey, Deciding innermost) implements Row {
    private void check(byte[] sortKey) {
      for (Deciding it = innermost; it != null; it = it.outer()) {
        if (Arrays.equals(it.key(), sortKey) && Arrays.equals(it.row(), hashKey)) {
          throw new IllegalStateException(
              "Recursive update: a function changed the entry that it was called for. Nothing was changed. Return the"
                  + " new value from the function, and change other entries only.");
        }
      }
    }

    @Override
    public @Nullable RowRecord get(byte[] sortKey) {
      return row.get(sortKey);
    }

    @Override
    public List<@Nullable RowRecord> getAll(List<byte[]> sortKeys) {
      return row.getAll(sortKeys);
    }

    @Override
    public List<RowRecord> scan(SortRange range, Direction direction, int limit) {
      return row.scan(range, direction, limit);
    }

    @Override
    public long count() {
      return row.count();
    }

    @Override
    public void put(byte[] sortKey, byte[] value, long expiryMillis) {
      check(sortKey);
      row.put(sortKey, value, expiryMillis);
    }

    @Override
    public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
      check(sortKey);
      row.putCounted(sortKey, value, expiryMillis);
    }

    @Override
    public void delete(byte[] sortKey) {
      check(sortKey);
      row.delete(sortKey);
    }
  }
}
