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
  final EntryRange<K, V> elements;
  private final @Nullable V added;

  /** Creates a set whose added elements get the value {@code added}; null rejects additions. */
  RangeSet(EntryRange<K, V> elements, @Nullable V added) {
    super(elements.reads(), elements.writes(), added);
    this.elements = elements;
    this.added = added;
  }

  private NavigableSet<K> of(EntryRange<K, V> other) {
    return new RangeSet<>(other, added);
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return elements.comparator();
  }

  @Override
  public Spliterator<K> spliterator() {
    return new CountedSpliterator<>(
        iterator(),
        elements.reads()::quickCount,
        Spliterator.DISTINCT | Spliterator.SORTED | Spliterator.ORDERED,
        comparator());
  }

  @Override
  public K first() {
    return EntryRange.present(elements.reads().firstKey());
  }

  @Override
  public K last() {
    return EntryRange.present(elements.reads().lastKey());
  }

  @Override
  public @Nullable K lower(K key) {
    return elements.reads().keyBefore(key, false);
  }

  @Override
  public @Nullable K floor(K key) {
    return elements.reads().keyBefore(key, true);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return elements.reads().keyBehind(key, true);
  }

  @Override
  public @Nullable K higher(K key) {
    return elements.reads().keyBehind(key, false);
  }

  @Override
  public @Nullable K pollFirst() {
    return keyOf(elements.writes().pollFirst());
  }

  @Override
  public @Nullable K pollLast() {
    return keyOf(elements.writes().pollLast());
  }

  /**
   * Removes and returns the first element, in one step. Later JDKs declare this method, and would
   * ask whether the set is empty before.
   *
   * @throws java.util.NoSuchElementException if the set is empty
   */
  public K removeFirst() {
    return EntryRange.present(pollFirst());
  }

  /**
   * Removes and returns the last element, as {@link #removeFirst} does.
   *
   * @throws java.util.NoSuchElementException if the set is empty
   */
  public K removeLast() {
    return EntryRange.present(pollLast());
  }

  private static <K> @Nullable K keyOf(Map.@Nullable Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return of(elements.descending());
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return of(elements.sub(from, fromInclusive, to, toInclusive));
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return of(elements.head(to, inclusive));
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return of(elements.tail(from, inclusive));
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
