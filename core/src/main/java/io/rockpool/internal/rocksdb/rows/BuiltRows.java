package io.rockpool.internal.rocksdb.rows;

import io.rockpool.internal.format.EntryKeyFormat;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is surely not in rows that are being built, so that large batches need not look for each of
 * their records: a filter of the sort keys of a row that was empty, and is written to by large
 * batches alone. A small change ends the building, and with it what is known. All about a row is
 * done under its lock.
 *
 * <p>The filters of all rows may take {@link #MAX_BYTES} of the heap; what would go beyond drops
 * them all, and the rows are looked into again.
 */
public final class BuiltRows {
  /** Six million elements: the memory of two of the batches that build them. */
  static final long MAX_BYTES = 8 << 20;

  private final Map<ByteBuffer, RowFilter> filters = new ConcurrentHashMap<>();

  private static ByteBuffer name(long generation, byte[] hashKey) {
    return ByteBuffer.wrap(EntryKeyFormat.encode(generation, hashKey));
  }

  /** What is known of a row, or null. */
  @Nullable RowFilter of(long generation, byte[] hashKey) {
    return filters.isEmpty() ? null : filters.get(name(generation, hashKey));
  }

  /** Notes that these sort keys alone will be in a row. */
  void begin(long generation, byte[] hashKey, int count, Stream<byte[]> sortKeys) {
    filters.put(name(generation, hashKey), new RowFilter(count));
    add(generation, hashKey, sortKeys);
  }

  /** Notes that these sort keys will be in a row, too, if anything is known of it. */
  void add(long generation, byte[] hashKey, Stream<byte[]> sortKeys) {
    RowFilter filter = of(generation, hashKey);
    if (filter != null) {
      sortKeys.forEach(filter::add);
      if (filters.values().stream().mapToLong(RowFilter::bytes).sum() > MAX_BYTES) {
        filters.clear();
      }
    }
  }

  /** Knows nothing of a row any more. */
  void forget(long generation, byte[] hashKey) {
    if (!filters.isEmpty()) {
      filters.remove(name(generation, hashKey));
    }
  }
}
