package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The entries of a map, as a live view. */
final class EntryView<K, V> extends LiveSet<K, V, Map.Entry<K, V>> {
  EntryView(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    super(reads, writes);
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
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
    return writes.removeIf(reads, true, this::entry, filter);
  }

  @Override
  public boolean removeAll(Collection<?> entries) {
    return size() > entries.size()
        ? super.removeAll(entries)
        : removeIf(entry -> isIn(entries, entry));
  }

  /** As {@link #contains} compares: arrays are equal if their elements are. */
  @Override
  public boolean retainAll(Collection<?> entries) {
    Objects.requireNonNull(entries, "entries");
    return removeIf(entry -> !isIn(entries, entry));
  }

  private static boolean isIn(Collection<?> entries, Map.Entry<?, ?> entry) {
    return entries.contains(entry)
        || (hasArray(entry) && entries.stream().anyMatch(it -> equal(entry, it)));
  }

  private static boolean hasArray(Map.Entry<?, ?> entry) {
    return entry.getKey().getClass().isArray() || entry.getValue().getClass().isArray();
  }

  private static boolean equal(Map.Entry<?, ?> entry, @Nullable Object other) {
    return other instanceof Map.Entry<?, ?> it
        && Objects.deepEquals(entry.getKey(), it.getKey())
        && Objects.deepEquals(entry.getValue(), it.getValue());
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
