package io.rockpool.store;

import java.util.Map;

/**
 * The failures of a store's background threads. A thread that fails continues and tries again.
 *
 * @param failures how often background work failed since the store was opened
 * @param failing the threads whose last work failed, by name, each with its last failure; empty if
 *     none
 */
public record UpkeepState(long failures, Map<String, String> failing) {
  /** No failures. */
  public static final UpkeepState FINE = new UpkeepState(0, Map.of());

  /** Copies the map. */
  public UpkeepState {
    failing = Map.copyOf(failing);
  }
}
