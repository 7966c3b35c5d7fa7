package io.rockpool.structure;

import java.time.Duration;

/**
 * What all structures have in common. Thread-safe.
 *
 * <p>After the store is closed, or the name dropped or reset, every operation throws {@link
 * IllegalStateException}. Errors of the store are {@link io.rockpool.error.RockpoolException}s; a
 * write that failed has no effect unless its exception says otherwise.
 */
public interface PersistentStructure {
  /** How much longer something lives that never expires. */
  Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** The structure's name. Never throws. */
  String name();

  /** Removes everything. O(1), one write, however much there is; the disk is given back later. */
  void clear();

  /** Whether every operation throws: the store was closed, or the name dropped or reset. */
  boolean isClosed();
}
