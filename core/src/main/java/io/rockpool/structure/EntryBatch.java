package io.rockpool.structure;

import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
  private final List<RowBatch<K, V>> rows;
  private long bytes;
  private long changes;

  /** What is collected for one row. */
  private static final class RowBatch<K, V> {
    final byte[] row;
    final List<K> keys = new ArrayList<>();
    final List<@Nullable V> values = new ArrayList<>();
    final List<byte[]> encodedKeys = new ArrayList<>();
    final List<Function<@Nullable RowRecord, RecordChange>> decisions = new ArrayList<>();

    RowBatch(byte[] row) {
      this.row = row;
    }

    void clear() {
      keys.clear();
      values.clear();
      encodedKeys.clear();
      decisions.clear();
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
        writes.records().buckets().rows().stream().map(row -> new RowBatch<K, V>(row)).toList();
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
    RowBatch<K, V> row = rows.get(writes.records().buckets().bucketOf(encodedKey));
    row.keys.add(key);
    row.values.add(value);
    row.encodedKeys.add(encodedKey);
    row.decisions.add(decision);
    bytes += encodedKey.length + written + ENTRY_OVERHEAD_BYTES;
    if (bytes >= Limits.MAX_BATCH_BYTES) {
      write();
    }
  }

  /** Writes what is collected. */
  void write() {
    rows.forEach(this::write);
    bytes = 0;
  }

  private void write(RowBatch<K, V> row) {
    if (row.keys.isEmpty()) {
      return;
    }
    List<Records.Outcome> outcomes =
        writes.records().transactAll(row.row, row.encodedKeys, row.decisions, reading);
    for (int i = 0; reading && i < outcomes.size(); i++) {
      changes += outcomes.get(i).isChange() ? 1 : 0;
      writes.told(row.keys.get(i), row.values.get(i), outcomes.get(i));
    }
    row.clear();
  }
}
