package io.rockpool.structure;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values of a map, as a live view. Arrays are equal if their elements are. */
final class ValueView<K, V> extends AbstractCollection<V> {
  private final EntryReads<K, V> reads;
  private final EntryWrites<K, V> writes;

  ValueView(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public Iterator<V> iterator() {
    return reads.walk(
        true,
        record -> reads.codec().decodeValue(record),
        record -> writes.removeRecord(record.sortKey()));
  }

  /** A spliterator that estimates its size: the count may include expired entries. */
  @Override
  public Spliterator<V> spliterator() {
    return reads.spliterator(iterator(), 0);
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
  public boolean contains(Object value) {
    Objects.requireNonNull(value, "value");
    for (V other : this) {
      if (Objects.deepEquals(other, value)) {
        return true;
      }
    }
    return false;
  }

  /** Removes one entry with this value. An entry whose value has changed since its test stays. */
  @Override
  public boolean remove(@Nullable Object value) {
    EntryBatch<K, V> batch = new EntryBatch<>(writes, true);
    Iterator<V> values =
        reads.walk(true, reads.codec()::decodeValue, read -> batch.remove(read, true));
    while (batch.changes() == 0 && values.hasNext()) {
      if (Objects.deepEquals(values.next(), value)) {
        values.remove();
        batch.write();
      }
    }
    return batch.changes() > 0;
  }

  @Override
  public boolean removeIf(Predicate<? super V> filter) {
    return writes.removeIf(reads, true, reads.codec()::decodeValue, filter);
  }

  @Override
  public boolean removeAll(Collection<?> values) {
    Objects.requireNonNull(values, "values");
    return removeIf(value -> ElementCodec.isIn(values, value));
  }

  @Override
  public boolean retainAll(Collection<?> values) {
    Objects.requireNonNull(values, "values");
    return removeIf(value -> !ElementCodec.isIn(values, value));
  }

  @Override
  public void clear() {
    writes.clear();
  }
}
