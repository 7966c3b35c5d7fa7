package io.rockpool.structure;

import java.util.Comparator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/** A range of entries as a map: a sorted map, or a live view of a part of one. */
class RangeMap<K, V> extends EntryMap<K, V> implements ConcurrentNavigableMap<K, V> {
  private final EntryRange<K, V> range;
  private final RangeReads<K, V> reads;

  RangeMap(EntryRange<K, V> range) {
    super(range.reads(), range.writes());
    this.range = range;
    this.reads = range.reads();
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return range.comparator();
  }

  @Override
  public K firstKey() {
    return EntryRange.present(reads.firstKey());
  }

  @Override
  public K lastKey() {
    return EntryRange.present(reads.lastKey());
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return reads.keyBefore(key, false);
  }

  @Override
  public @Nullable K floorKey(K key) {
    return reads.keyBefore(key, true);
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return reads.keyBehind(key, true);
  }

  @Override
  public @Nullable K higherKey(K key) {
    return reads.keyBehind(key, false);
  }

  @Override
  public Map.@Nullable Entry<K, V> firstEntry() {
    return reads.firstEntry();
  }

  @Override
  public Map.@Nullable Entry<K, V> lastEntry() {
    return reads.lastEntry();
  }

  @Override
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return reads.entryBefore(key, false);
  }

  @Override
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return reads.entryBefore(key, true);
  }

  @Override
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return reads.entryBehind(key, true);
  }

  @Override
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return reads.entryBehind(key, false);
  }

  @Override
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return range.writes().pollFirst();
  }

  @Override
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return range.writes().pollLast();
  }

  @Override
  public NavigableSet<K> keySet() {
    return new RangeSet<>(range, null);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return keySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return keySet().descendingSet();
  }

  @Override
  public ConcurrentNavigableMap<K, V> descendingMap() {
    return new RangeMap<>(range.descending());
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(
      K from, boolean fromInclusive, K to, boolean toInclusive) {
    return new RangeMap<>(range.sub(from, fromInclusive, to, toInclusive));
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
    return new RangeMap<>(range.head(to, inclusive));
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
    return new RangeMap<>(range.tail(from, inclusive));
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from) {
    return tailMap(from, true);
  }
}
