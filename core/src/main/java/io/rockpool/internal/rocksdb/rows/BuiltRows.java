package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.format.EntryKeyFormat;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Filters of the sort keys in rows that large batches are building. A batch need not read records
 * that are surely absent. A row gets a filter if it was empty and only large batches write to it. A
 * small change drops the filter. Every access holds the row's lock.
 *
 * <p>The filters of all rows use at most {@link #MAX_BYTES} of heap. Above that, all are dropped,
 * and records are read again.
 */
public final class BuiltRows {
  /** Filters for six million elements: the memory of two of the batches that build such rows. */
  static final long MAX_BYTES = 8 << 20;

  private final Map<ByteBuffer, RowFilter> filters = new ConcurrentHashMap<>();

  /** At least their number. A map that other threads change does not know its own. */
  private final AtomicInteger count = new AtomicInteger();

  private static ByteBuffer name(long generation, byte[] hashKey) {
    return ByteBuffer.wrap(EntryKeyFormat.encode(generation, hashKey));
  }

  /** The filter of a row, or null. */
  @Nullable RowFilter of(long generation, byte[] hashKey) {
    return count.get() == 0 ? null : filters.get(name(generation, hashKey));
  }

  /** Starts a filter for a row that will contain only these sort keys. */
  void begin(long generation, byte[] hashKey, int elements, Stream<byte[]> sortKeys) {
    count.incrementAndGet();
    if (filters.put(name(generation, hashKey), new RowFilter(elements)) != null) {
      count.decrementAndGet();
    }
    add(generation, hashKey, sortKeys);
  }

  /** Adds sort keys to the filter of a row, if it has one. */
  void add(long generation, byte[] hashKey, Stream<byte[]> sortKeys) {
    RowFilter filter = of(generation, hashKey);
    if (filter != null) {
      sortKeys.forEach(filter::add);
      if (filters.values().stream().mapToLong(RowFilter::bytes).sum() > MAX_BYTES) {
        filters.keySet().forEach(this::remove);
      }
    }
  }

  /** Drops the filter of a row. */
  void forget(long generation, byte[] hashKey) {
    if (count.get() > 0) {
      remove(name(generation, hashKey));
    }
  }

  private void remove(ByteBuffer row) {
    if (filters.remove(row) != null) {
      count.decrementAndGet();
    }
  }
}
