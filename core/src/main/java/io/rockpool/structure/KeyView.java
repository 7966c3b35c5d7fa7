package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.Iterator;

/** The keys of entries, as a live view. */
class KeyView<K, V> extends LiveSet<K, V, K> {
  KeyView(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    super(reads, writes);
  }

  @Override
  public Iterator<K> iterator() {
    return reads.walk(
        false,
        record -> reads.codec().decodeKey(record.sortKey()),
        record -> writes.removeRecord(record.sortKey()));
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
}
