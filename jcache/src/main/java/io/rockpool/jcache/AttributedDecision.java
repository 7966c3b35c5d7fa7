package io.rockpool.jcache;

import io.rockpool.internal.access.Decision;

/** What is to be done to an entry, and on whose behalf. */
record AttributedDecision<V>(Decision<V> decision, Origin origin) {
  /** What an operation of the cache wants done. */
  static <V> AttributedDecision<V> of(Decision<V> decision) {
    return new AttributedDecision<>(decision, Origin.OPERATION);
  }

  /** Whether the cache writer is called. */
  boolean isWrittenThrough() {
    return origin.isWrittenThrough();
  }
}
