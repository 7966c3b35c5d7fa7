package io.rockpool.structure;

import io.rockpool.engine.Row;
import io.rockpool.engine.RowTransaction;
import io.rockpool.internal.engine.ForwardingRow;
import java.util.Arrays;
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
  private final ConcurrentHashMap<Thread, Deciding> threads = new ConcurrentHashMap<>();

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
    Deciding deciding = threads.get(Thread.currentThread());
    return deciding == null
        ? transaction
        : row -> transaction.run(new GuardedRow(row, hashKey, deciding));
  }

  private static final class GuardedRow extends ForwardingRow {
    private final Row row;
    private final byte[] hashKey;
    private final Deciding innermost;

    GuardedRow(Row row, byte[] hashKey, Deciding innermost) {
      this.row = row;
      this.hashKey = hashKey;
      this.innermost = innermost;
    }

    @Override
    protected Row row() {
      return row;
    }

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
    public void put(byte[] sortKey, byte[] value, long expiryMillis) {
      check(sortKey);
      super.put(sortKey, value, expiryMillis);
    }

    @Override
    public void putCounted(byte[] sortKey, byte[] value, long expiryMillis) {
      check(sortKey);
      super.putCounted(sortKey, value, expiryMillis);
    }

    @Override
    public void delete(byte[] sortKey) {
      check(sortKey);
      super.delete(sortKey);
    }
  }
}
