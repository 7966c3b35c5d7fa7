package io.rockpool.structure;

import io.rockpool.engine.Direction;

/** An end of a {@link PersistentDeque}. */
public enum DequeEnd {
  /** The end of {@code pollFirst}: the head of a queue, the top of a stack. */
  FIRST(Direction.FORWARD),
  /** The end of {@code offerLast}: the tail of a queue. */
  LAST(Direction.BACKWARD);

  private final Direction inward;

  DequeEnd(Direction inward) {
    this.inward = inward;
  }

  /** The direction of a scan that starts at this end. */
  Direction inward() {
    return inward;
  }
}
