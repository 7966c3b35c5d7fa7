package io.rockpool.structure;

import java.util.Comparator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/** A range of entries as a map: a sorted map, or a live view of a part of one. */
class RangeMap<K, V> extends EntryMap<K, V> implements ConcurrentNavigableMap<K, V> {
  final EntryRange<K, V> entries;

  RangeMap(EntryRange<K, V> entries) {
    super(entries.reads(), entries.writes());
    this.entries = entries;
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return entries.comparator();
  }

  @Override
  public K firstKey() {
    return EntryRange.present(entries.reads().firstKey());
  }

  @Override
  public K lastKey() {
    return EntryRange.present(entries.reads().lastKey());
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return entries.reads().keyBefore(key, false);
  }

  @Override
  public @Nullable K floorKey(K key) {
    return entries.reads().keyBefore(key, true);
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return entries.reads().keyBehind(key, true);
  }

  @Override
  public @Nullable K higherKey(K key) {
    return entries.reads().keyBehind(key, false);
  }

  @Override
  public Map.@Nullable Entry<K, V> firstEntry() {
    return entries.reads().firstEntry();
  }

  @Override
  public Map.@Nullable Entry<K, V> lastEntry() {
    return entries.reads().lastEntry();
  }

  @Override
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return entries.reads().entryBefore(key, false);
  }

  @Override
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return entries.reads().entryBefore(key, true);
  }

  @Override
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return entries.reads().entryBehind(key, true);
  }

  @Override
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return entries.reads().entryBehind(key, false);
  }

  @Override
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return entries.writes().pollFirst();
  }

  @Override
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return entries.writes().pollLast();
  }

  @Override
  public NavigableSet<K> keySet() {
    return new RangeSet<>(entries, null);
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
    return new RangeMap<>(entries.descending());
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(
      K from, boolean fromInclusive, K to, boolean toInclusive) {
    return new RangeMap<>(entries.sub(from, fromInclusive, to, toInclusive));
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
    return new RangeMap<>(entries.head(to, inclusive));
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
    return new RangeMap<>(entries.tail(from, inclusive));
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
