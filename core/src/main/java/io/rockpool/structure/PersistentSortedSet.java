package io.rockpool.structure;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;

/**
 * A {@link NavigableSet} that lives on disk and survives the death of its process. Thread-safe.
 *
 * <p>What {@link PersistentSet} says of elements holds here too, and what {@link
 * PersistentSortedMap} says of the order of keys, of live views and their ranges, of the one row,
 * and of the cost: first, last, floor, ceiling, higher and lower are one seek each; {@code
 * pollFirst} and {@code pollLast} are one seek and one write, atomic. {@code size} of the whole is
 * one read and may include expired elements; of a view it reads the view's elements, and is exact.
 * {@code clear} of the whole is one write; of a view it is {@link #removeRange}. A {@link
 * #difference} has this set's order; an {@link #intersection} has that of the smaller of the two,
 * and a {@link #union} has the elements of this set first.
 *
 * @param <E> the type of elements
 */
public final class PersistentSortedSet<E> extends RangeSet<E, Present> {
  private final EntryRange<E, Present> elements;

  PersistentSortedSet(EntryRange<E, Present> elements) {
    super(elements, Present.HERE);
    this.elements = elements;
  }

  /**
   * Reads the elements of a range, as {@link PersistentSortedMap#read} does entries.
   *
   * @return the elements, in the range's order; the list is the caller's
   * @throws IllegalArgumentException if the range ends before it begins
   */
  public List<E> read(Range<E> range) {
    return elements.reads().keys(range);
  }

  /**
   * Removes the elements from one to another, as {@link PersistentSortedMap#removeRange} does
   * entries: in transactions of some dozens each, the whole is not atomic.
   *
   * @return how many there were
   * @throws IllegalArgumentException if {@code from} is above {@code to}; nothing is changed
   */
  public long removeRange(E from, boolean fromInclusive, E to, boolean toInclusive) {
    return elements.sub(from, fromInclusive, to, toInclusive).writes().removeRange();
  }

  /**
   * The set as it is now, unchanging and for reading only. O(1).
   *
   * @return it; to be closed
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<NavigableSet<E>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken ->
            Collections.unmodifiableNavigableSet(new RangeSet<>(elements.of(taken), Present.HERE)));
  }
}
