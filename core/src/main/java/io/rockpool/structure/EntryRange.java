package io.rockpool.structure;

import io.rockpool.engine.SpaceSnapshot;
import java.util.Comparator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A range of sorted entries: a sorted map or set, or a view of a part of one. */
record EntryRange<K, V>(RangeReads<K, V> reads, RangeWrites<K, V> writes) {
  /** All entries of a structure. */
  static <K, V> EntryRange<K, V> live(SortedCodec<K, V> codec, Records records) {
    return new EntryRange<>(
        RangeReads.live(codec, records.buckets()), new RangeWrites<>(codec, records));
  }

  private SortedCodec<K, V> codec() {
    return reads.codec();
  }

  private EntryRange<K, V> within(KeyRange range) {
    return new EntryRange<>(reads.within(range), writes.within(range));
  }

  @Nullable Comparator<? super K> comparator() {
    return codec().comparator();
  }

  EntryRange<K, V> descending() {
    return within(codec().range().descending());
  }

  EntryRange<K, V> sub(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return sub(codec().bound(from, fromInclusive), codec().bound(to, toInclusive));
  }

  EntryRange<K, V> head(K to, boolean inclusive) {
    return sub(null, codec().bound(to, inclusive));
  }

  EntryRange<K, V> tail(K from, boolean inclusive) {
    return sub(codec().bound(from, inclusive), null);
  }

  /** The entries in a snapshot. */
  EntryRange<K, V> of(SpaceSnapshot snapshot) {
    return new EntryRange<>(reads.of(snapshot), writes);
  }

  private EntryRange<K, V> sub(KeyRange.@Nullable Bound from, KeyRange.@Nullable Bound to) {
    return within(codec().range().sub(from, to));
  }

  /** Returns {@code element}, or throws if it is null. */
  static <T> T present(@Nullable T element) {
    if (element == null) {
      throw new NoSuchElementException("There is nothing in the range; check isEmpty first.");
    }
    return element;
  }
}
