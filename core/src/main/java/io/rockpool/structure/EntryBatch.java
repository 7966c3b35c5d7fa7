package io.rockpool.structure;

import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes of many entries, collected by row until they come to {@link Limits#MAX_BATCH_BYTES}, then
 * written with one transaction for each row.
 */
final class EntryBatch<K, V> {
  /** What an entry takes beside its bytes, about: many small ones must not fill the heap either. */
  private static final int ENTRY_OVERHEAD_BYTES = 32;

  private final EntryWrites<K, V> writes;
  private final boolean reading;
  private final List<List<EntryChange<K, V>>> rows;
  private long bytes;
  private long changes;

  /** One of the changes, of an entry that has {@code value} after it, if it writes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record EntryChange<K, V>(
      K key,
      @Nullable V value,
      byte[] encodedKey,
      Function<@Nullable RowRecord, RecordChange> decision)
      implements Records.Pending {
    @Override
    public RecordChange decide(@Nullable RowRecord found) {
      return decision.apply(found);
    }
  }

  /**
   * An empty batch.
   *
   * @param reading whether the decisions shall know what is there, and the changes be counted and
   *     told; otherwise it looks to them as if nothing were there
   */
  EntryBatch(EntryWrites<K, V> writes, boolean reading) {
    this.writes = writes;
    this.reading = reading;
    this.rows =
        Stream.generate(() -> new ArrayList<EntryChange<K, V>>())
            .limit(writes.records().buckets().rows().size())
            .collect(Collectors.toList());
  }

  /** How many entries are different for what was written; known only where that was read. */
  long changes() {
    return changes;
  }

  /**
   * Adds one change.
   *
   * @param value what is there after it, if it writes
   * @param written the bytes it writes at most
   */
  void add(
      K key,
      @Nullable V value,
      byte[] encodedKey,
      int written,
      Function<@Nullable RowRecord, RecordChange> decision) {
    rows.get(writes.records().buckets().bucketOf(encodedKey))
        .add(new EntryChange<>(key, value, encodedKey, decision));
    bytes += encodedKey.length + written + ENTRY_OVERHEAD_BYTES;
    if (bytes >= Limits.MAX_BATCH_BYTES) {
      write();
    }
  }

  /** Writes what is collected. */
  void write() {
    List<byte[]> hashKeys = writes.records().buckets().rows();
    for (int i = 0; i < hashKeys.size(); i++) {
      if (!rows.get(i).isEmpty()) {
        write(hashKeys.get(i), rows.get(i));
      }
    }
    bytes = 0;
  }

  private void write(byte[] hashKey, List<EntryChange<K, V>> row) {
    // As the store has them, which finds and takes them fastest so.
    KeySort.sort(row, EntryChange::encodedKey);
    if (reading) {
      List<Records.Outcome> outcomes = writes.records().transactAll(hashKey, row);
      for (int i = 0; i < outcomes.size(); i++) {
        changes += outcomes.get(i).isChange() ? 1 : 0;
        writes.told(row.get(i).key(), row.get(i).value(), outcomes.get(i));
      }
    } else {
      writes.records().transactAllBlind(hashKey, row);
    }
    row.clear();
  }
}
