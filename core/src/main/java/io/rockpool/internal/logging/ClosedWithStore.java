package io.rockpool.internal.logging;

/** An open object whose end is worth a warning, unless its store was closed. Thread-safe. */
public interface ClosedWithStore {
  /** Whether it is closed because its store is, and not because it was dropped. */
  boolean isClosedWithStore();
}
