package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;

/** The keys of a map, as a live view. */
class KeyView<K, V> extends AbstractSet<K> {
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

  /** Without a size: that of a map may include what has expired. */
  @Override
  public Spliterator<K> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.CONCURRENT | reads.orderCharacteristics());
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, reads.count());
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
