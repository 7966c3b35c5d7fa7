package io.rockpool.structure;

import java.util.AbstractSet;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;

/**
 * The keys or entries of a structure as a live set. Its size may include expired elements that are
 * not yet swept.
 */
abstract class LiveSet<K, V, E> extends AbstractSet<E> {
  final EntryReads<K, V> reads;
  final EntryWrites<K, V> writes;

  LiveSet(EntryReads<K, V> reads, EntryWrites<K, V> writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** Which elements of a page a set contains. One read for a set that looks up pages. */
  static BitSet contained(Set<?> set, List<?> page) {
    return set instanceof LiveSet<?, ?, ?> live ? live.contained(page) : each(set, page);
  }

  private static BitSet each(Set<?> set, List<?> page) {
    BitSet contained = new BitSet();
    for (int i = 0; i < page.size(); i++) {
      contained.set(i, set.contains(page.get(i)));
    }
    return contained;
  }

  /** Which elements of a page this set contains. */
  BitSet contained(List<?> page) {
    return each(this, page);
  }

  /** The number of elements, as the engine counts them. */
  long count() {
    return reads.count();
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  @Override
  public boolean isEmpty() {
    return reads.isEmpty();
  }

  @Override
  public void clear() {
    writes.clear();
  }

  /** A spliterator that estimates its size: the count may include expired elements. */
  @Override
  public Spliterator<E> spliterator() {
    return reads.spliterator(iterator(), Spliterator.DISTINCT);
  }

  /** Whether the other object is a set, and each contains all elements of the other. */
  @Override
  public boolean equals(Object other) {
    if (other == this) {
      return true;
    }
    try {
      return other instanceof Set<?> set && set.containsAll(this) && containsAll(set);
    } catch (ClassCastException | NullPointerException e) {
      return false;
    }
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
