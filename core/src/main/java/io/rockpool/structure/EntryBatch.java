package io.rockpool.structure;

import io.rockpool.engine.Limits;
import io.rockpool.engine.RowRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes of many entries by row. At {@link Limits#MAX_BATCH_BYTES} it writes them, with
 * one transaction per row.
 */
final class EntryBatch<K, V> {
  /** Estimated heap overhead of an entry. It bounds the number of tiny entries in a batch. */
  private static final int ENTRY_OVERHEAD_BYTES = 32;

  private final EntryWrites<K, V> writes;
  private final boolean reading;
  private final List<List<EntryChange<K, V>>> rows;
  private long bytes;
  private long changes;

  /** A change. {@code value} is the entry's new value, or null for a removal. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record EntryChange<K, V>(
      @Nullable K key,
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
   * Creates an empty batch.
   *
   * @param reading whether decisions see the existing records, and changes are counted and reported
   *     to listeners; otherwise every decision sees null
   */
  EntryBatch(EntryWrites<K, V> writes, boolean reading) {
    this.writes = writes;
    this.reading = reading;
    this.rows =
        Stream.generate(() -> new ArrayList<EntryChange<K, V>>())
            .limit(writes.records().buckets().rows().size())
            .collect(Collectors.toList());
  }

  /** The number of entries that changed; only if the batch reads. */
  long changes() {
    return changes;
  }

  /**
   * Adds a change.
   *
   * @param key null for a removal whose key is not decoded
   * @param value the new value, or null for a removal
   * @param written the maximum number of value bytes it writes
   */
  void add(
      @Nullable K key,
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

  /**
   * Adds a removal of a record that was read. Its key is decoded for listeners only.
   *
   * @param ifSame whether the record stays if its value has changed since then
   */
  void remove(RowRecord read, boolean ifSame) {
    Function<@Nullable RowRecord, RecordChange> decision =
        found ->
            found == null || (ifSame && !Arrays.equals(found.value(), read.value()))
                ? RecordChange.keep()
                : RecordChange.remove();
    add(null, null, read.sortKey(), read.value().length, decision);
  }

  /** Writes the collected changes. */
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
    // In the order of the store: reads and writes are fastest that way.
    KeySort.sort(row, EntryChange::encodedKey);
    if (reading) {
      List<Records.Outcome> outcomes = writes.records().transactAll(hashKey, row);
      for (int i = 0; i < outcomes.size(); i++) {
        changes += outcomes.get(i).isChange() ? 1 : 0;
        tell(row.get(i), outcomes.get(i));
      }
    } else {
      writes.records().transactAllBlind(hashKey, row);
    }
    row.clear();
  }

  private void tell(EntryChange<K, V> change, Records.Outcome outcome) {
    K key = change.key();
    if (key == null) {
      writes.toldRemoved(change.encodedKey(), outcome);
    } else {
      writes.told(key, change.value(), outcome);
    }
  }
}
