package io.rockpool.structure;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;

/**
 * A persistent {@link NavigableSet}. Thread-safe.
 *
 * <pre>{@code
 * PersistentSortedSet<String> words = pool.sortedSet("words", String.class);
 * words.addAll(List.of("pear", "apple", "apricot"));
 * words.first(); // apple
 * words.read(Range.prefix("ap")); // apple, apricot
 * }</pre>
 *
 * <p>{@link PersistentSet} documents elements. {@link PersistentSortedMap} documents order, and
 * live views and their ranges. A {@link #difference} has this set's order. An {@link #intersection}
 * has the order of the smaller set. A {@link #union} returns this set's elements first.
 *
 * <p><b>Cost.</b> First, last, floor, ceiling, higher and lower are one seek each. {@code
 * pollFirst} and {@code pollLast} are atomic: one seek and one write; null if the set or view is
 * empty. {@code size} of the whole set is one read and may include expired elements; of a view it
 * reads the view's elements and is exact. {@code clear} of the whole set is one write; of a view it
 * is {@link #removeRange}.
 *
 * <p><b>Atomicity.</b> Each operation on one element is atomic. All elements are in one row, so
 * {@code addAll} and {@code removeAll} are atomic for each batch, and writers share one lock.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the set, or of
 * {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Operations of the calling thread join {@link
 * io.rockpool.Rockpool#atomically}, bulk operations and iterations as well. The set is one row, so
 * no other thread changes it between the first read or change in the transaction and the commit.
 * {@link #clear} of the whole set or of a view without bounds, {@link #clearAt}, {@link
 * #clearAfter}, {@link #cancelClear} and {@link #snapshot} throw {@link IllegalStateException}
 * there and change nothing. {@link #clearsIn} works, but does not join. {@link #removeRange} and
 * {@code clear} of a view with bounds join. Listeners are notified after the commit.
 *
 * <p><b>Errors.</b> They are those of a {@link PersistentSet}. Using an element of another class
 * throws {@link ClassCastException}, because it has no place in the order.
 *
 * @param <E> the type of elements
 */
public final class PersistentSortedSet<E> extends RangeSet<E, NoContent> {
  PersistentSortedSet(EntryRange<E, NoContent> elements) {
    super(elements, NoContent.HERE);
  }

  /**
   * Reads the elements of a range, like {@link PersistentSortedMap#read}.
   *
   * @return the elements, in the range's order; the list is the caller's
   * @throws IllegalArgumentException if the range ends before it begins
   */
  public List<E> read(Range<E> range) {
    return elements.reads().keys(range);
  }

  /**
   * Removes the elements of a range, like {@link PersistentSortedMap#removeRange}: up to 64 per
   * transaction. The whole is not atomic.
   *
   * @return how many there were
   * @throws IllegalArgumentException as in {@link PersistentSortedMap#removeRange}; nothing is
   *     changed
   */
  public long removeRange(Range<E> range) {
    return elements.writes().removeRange(range);
  }

  /**
   * A read-only snapshot of the set. O(1).
   *
   * @return the snapshot; the caller closes it
   * @throws UnsupportedOperationException if the store's engine has no snapshots
   */
  public Snapshot<NavigableSet<E>> snapshot() {
    return new Snapshot<>(
        space().use().snapshot(),
        taken ->
            Collections.unmodifiableNavigableSet(
                new RangeSet<>(elements.of(taken), NoContent.HERE)));
  }
}
