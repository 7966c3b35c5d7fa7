package io.rockpool.structure;

import java.util.AbstractSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;

/** A set of what is stored, whose size may include what has expired and is not yet swept. */
abstract class LiveSet<E> extends AbstractSet<E> {
  /** How many there are, by the engine's count. */
  abstract long count();

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count());
  }

  /** What a spliterator says of the order, if there is one. */
  int orderCharacteristics() {
    return 0;
  }

  /** Without a size: it may be too large. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(),
        Spliterator.DISTINCT
            | Spliterator.NONNULL
            | Spliterator.CONCURRENT
            | orderCharacteristics());
  }

  /** Whether the other is a set, too, and each contains all of the other. */
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
