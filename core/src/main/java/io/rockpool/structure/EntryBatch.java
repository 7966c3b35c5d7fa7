package io.rockpool.structure;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of many entries, collected by row until they come to {@link Limits#MAX_BATCH_BYTES}, then
 * written with one transaction for each row.
 */
final class EntryBatch<K, V> {
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
    final List<RecordChange> changes = new ArrayList<>();

    RowBatch(byte[] row) {
      this.row = row;
    }

    void clear() {
      keys.clear();
      values.clear();
      encodedKeys.clear();
      changes.clear();
    }
  }

  /**
   * An empty batch.
   *
   * @param reading whether it shall find out what was there, to count it or tell listeners
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

  void add(K key, @Nullable V value, byte[] encodedKey, RecordChange change) {
    RowBatch<K, V> row = rows.get(writes.records().buckets().bucketOf(encodedKey));
    row.keys.add(key);
    row.values.add(value);
    row.encodedKeys.add(encodedKey);
    row.changes.add(change);
    bytes += encodedKey.length + (change.value() == null ? 0 : change.value().length);
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
        writes.records().transactAll(row.row, row.encodedKeys, row.changes, reading);
    for (int i = 0; reading && i < outcomes.size(); i++) {
      changes += outcomes.get(i).isChange() ? 1 : 0;
      writes.told(row.keys.get(i), row.values.get(i), outcomes.get(i));
    }
    row.clear();
  }
}
