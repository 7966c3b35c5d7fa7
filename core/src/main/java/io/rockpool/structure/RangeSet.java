package io.rockpool.structure;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * A range of entries as a set: a sorted set, a live view of a part of one, or the keys of a sorted
 * map.
 */
class RangeSet<K, V> extends ElementSet<K, V> implements NavigableSet<K> {
  private final EntryRange<K, V> range;
  private final RangeReads<K, V> reads;
  private final @Nullable V added;

  /** Creates a set whose added elements get the value {@code added}; null rejects additions. */
  RangeSet(EntryRange<K, V> range, @Nullable V added) {
    super(range.reads(), range.writes(), added);
    this.range = range;
    this.reads = range.reads();
    this.added = added;
  }

  private NavigableSet<K> of(EntryRange<K, V> other) {
    return new RangeSet<>(other, added);
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return range.comparator();
  }

  @Override
  public Spliterator<K> spliterator() {
    return new SortedSpliterator<>(iterator(), comparator());
  }

  @Override
  public K first() {
    return EntryRange.present(reads.firstKey());
  }

  @Override
  public K last() {
    return EntryRange.present(reads.lastKey());
  }

  @Override
  public @Nullable K lower(K key) {
    return reads.keyBefore(key, false);
  }

  @Override
  public @Nullable K floor(K key) {
    return reads.keyBefore(key, true);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return reads.keyBehind(key, true);
  }

  @Override
  public @Nullable K higher(K key) {
    return reads.keyBehind(key, false);
  }

  @Override
  public @Nullable K pollFirst() {
    return keyOf(range.writes().pollFirst());
  }

  @Override
  public @Nullable K pollLast() {
    return keyOf(range.writes().pollLast());
  }

  private static <K> @Nullable K keyOf(Map.@Nullable Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return of(range.descending());
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return of(range.sub(from, fromInclusive, to, toInclusive));
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return of(range.head(to, inclusive));
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return of(range.tail(from, inclusive));
  }

  @Override
  public NavigableSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<K> tailSet(K from) {
    return tailSet(from, true);
  }
}
