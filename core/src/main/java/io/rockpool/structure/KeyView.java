package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.Iterator;

/** The keys of entries, as a live view. */
class KeyView<K, V> extends LiveSet<K> {
  private final EntryReads<K, V> reads;
  private final EntryWrites<K, V> writes;

  KeyView(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public Iterator<K> iterator() {
    return reads.walk(
        false,
        record -> reads.codec().decodeKey(record.sortKey()),
        record -> writes.removeRecord(record.sortKey()));
  }

  @Override
  long count() {
    return reads.count();
  }

  @Override
  public boolean isEmpty() {
    return reads.isEmpty();
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
  public void clear() {
    writes.clear();
  }
}
