package io.rockpool.structure;

import java.util.AbstractSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;

/** A set of stored elements. Its size may include expired ones that are not yet swept. */
abstract class LiveSet<E> extends AbstractSet<E> {
  /** The number of elements, as the engine counts them. */
  abstract long count();

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  /** The spliterator characteristics of the set's order. */
  int orderCharacteristics() {
    return 0;
  }

  /** A spliterator without a size, because the count may include expired elements. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(),
        Spliterator.DISTINCT
            | Spliterator.NONNULL
            | Spliterator.CONCURRENT
            | orderCharacteristics());
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
