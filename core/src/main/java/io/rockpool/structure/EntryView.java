package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.AbstractMap;
import java.util.Iterator;
import java.util.Map;

/** The entries of a map, as a live view. */
final class EntryView<K, V> extends LiveSet<Map.Entry<K, V>> {
  private final EntryReads<K, V> reads;
  private final EntryWrites<K, V> writes;

  EntryView(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return reads.walk(true, this::entry, record -> writes.removeRecord(record.sortKey()));
  }

  private Map.Entry<K, V> entry(RowRecord record) {
    return new LiveEntry<>(
        reads.codec().decodeKey(record.sortKey()), reads.codec().decodeValue(record), writes);
  }

  @Override
  long count() {
    return reads.count();
  }

  @Override
  int orderCharacteristics() {
    return reads.orderCharacteristics();
  }

  @Override
  public boolean isEmpty() {
    return reads.isEmpty();
  }

  @Override
  public boolean contains(Object other) {
    return other instanceof Map.Entry<?, ?> entry
        && entry.getKey() != null
        && entry.getValue() != null
        && reads.contains(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean remove(Object other) {
    return other instanceof Map.Entry<?, ?> entry
        && entry.getKey() != null
        && entry.getValue() != null
        && writes.remove(entry.getKey(), entry.getValue());
  }

  @Override
  public void clear() {
    writes.clear();
  }

  /** An entry as it was read. {@code setValue} writes through to the map. */
  private static final class LiveEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient EntryWrites<K, V> writes;

    LiveEntry(K key, V value, EntryWrites<K, V> writes) {
      super(key, value);
      this.writes = writes;
    }

    @Override
    public V setValue(V value) {
      writes.overwrite(getKey(), value);
      return super.setValue(value);
    }
  }
}
