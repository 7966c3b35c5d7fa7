package io.rockpool.structure;

import io.rockpool.engine.Direction;

/** An end of a {@link PersistentDeque}. */
public enum DequeEnd {
  /** Where {@code pollFirst} takes from: the head of a queue, the top of a stack. */
  FIRST(Direction.FORWARD),
  /** Where {@code offerLast} puts to: the tail of a queue. */
  LAST(Direction.BACKWARD);

  private final Direction inward;

  DequeEnd(Direction inward) {
    this.inward = inward;
  }

  /** How a scan goes that begins at this end. */
  Direction inward() {
    return inward;
  }
}
