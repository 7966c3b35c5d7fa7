package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The keys of entries, as a live view. */
class KeyView<K, V> extends LiveSet<K, V, K> {
  KeyView(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    super(reads, writes);
  }

  @Override
  public Iterator<K> iterator() {
    return reads.walk(false, this::key, record -> writes.removeRecord(record.sortKey()));
  }

  private K key(RowRecord record) {
    return reads.codec().decodeKey(record.sortKey());
  }

  @Override
  public boolean contains(Object key) {
    return reads.contains(key);
  }

  @Override
  public boolean remove(Object key) {
    RowRecord before = writes.remove(key);
    return before != null;
  }

  @Override
  public boolean removeAll(Collection<?> keys) {
    return writes.removeAll(keys) > 0;
  }

  @Override
  public boolean removeIf(Predicate<? super K> filter) {
    return writes.removeIf(reads, false, this::key, filter);
  }

  @Override
  public boolean retainAll(Collection<?> keys) {
    if (!(keys instanceof LiveSet<?, ?, ?> kept)) {
      return removeIf(reads.codec().isOutside(Objects.requireNonNull(keys, "keys")));
    }
    Iterable<K> others = () -> SetPages.inNone(this, List.of(kept)).iterator(); // looks up pages
    return writes.removeAll(others) > 0;
  }
}
