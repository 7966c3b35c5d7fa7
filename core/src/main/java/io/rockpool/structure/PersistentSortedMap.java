package io.rockpool.structure;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A {@link ConcurrentNavigableMap} that lives on disk and survives the death of its process.
 * Thread-safe. What {@link PersistentMap} says of keys and values, atomicity, durability, expiry,
 * iteration and listeners holds here too, with these differences:
 *
 * <p><b>Order.</b> Keys are of a type that has an {@link io.rockpool.codec.OrderedCodec}: strings,
 * numbers, byte arrays, {@code UUID}, {@code java.time}, enums, and records of these. The map has
 * that codec's order. Where it is the natural one of the keys, {@link #comparator} is null, as
 * {@code java.util} wants it; for records, byte arrays and {@code BigDecimal} it is a comparator
 * with which equal is what has equal bytes. To look for a key of another class is a {@link
 * ClassCastException}, since it has no place in the order.
 *
 * <p><b>Views.</b> {@link #subMap subMap}, {@link #headMap headMap}, {@link #tailMap tailMap},
 * {@link #descendingMap descendingMap} and their views in turn, as well as all sets of keys, are
 * live. To put what lies outside of a view's range, or to make a view of a range that does not lie
 * within, is an {@link IllegalArgumentException}, and nothing is changed.
 *
 * <p><b>One row.</b> All entries lie in one row, because order needs one place: {@code putAll} and
 * {@code removeAll} are atomic for each batch, and writers queue on one lock.
 *
 * <p><b>Cost.</b> First, last, floor, ceiling, higher and lower are one seek each, in a view too.
 * {@code pollFirstEntry} and {@code pollLastEntry} are one seek and one write, atomic; an entry
 * that cannot be decoded stays and is an {@link io.rockpool.error.UndecodableValueException}.
 * {@code size} of the whole is one read and may include expired entries (which {@code new
 * TreeMap<>(map)} does not bear: copy with {@code map.forEach(copy::put)}); of a view it reads the
 * view's keys, and is exact. {@code clear} of the whole is one write; of a view it is {@link
 * #removeRange}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class PersistentSortedMap<K, V> extends RangeMap<K, V> {
  private final EntryRange<K, V> entries;

  PersistentSortedMap(EntryRange<K, V> entries) {
    super(entries);
    this.entries = entries;
  }

  /**
   * Reads the entries of a range: one scan, and all that it finds in memory, so {@link Range#limit
   * limit} it where it may be long. Not atomic: what is put and removed meanwhile may be seen or
   * not.
   *
   * @return the entries, in the range's order; the list is the caller's
   * @throws IllegalArgumentException if the range ends before it begins
   */
  public List<Map.Entry<K, V>> read(Range<K> range) {
    return entries.reads().entries(range);
  }

  /**
   * Removes the entries from one key to another, in transactions of some dozens each: every one of
   * them is atomic, the whole is not. What is put into the range meanwhile may be removed or not.
   * Where it throws, some may have been removed. One scan and one write for each transaction.
   *
   * @return how many there were
   * @throws IllegalArgumentException if {@code from} is above {@code to}; nothing is changed
   */
  public long removeRange(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return entries.sub(from, fromInclusive, to, toInclusive).writes().removeRange();
  }

  /**
   * The map as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<NavigableMap<K, V>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken -> Collections.unmodifiableNavigableMap(new RangeMap<>(entries.of(taken))));
  }
}
