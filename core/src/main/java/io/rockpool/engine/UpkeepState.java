package io.rockpool.engine;

import java.util.Map;

/**
 * How the background threads of a store fare. A thread that fails goes on and tries again.
 *
 * @param failures how often background work failed since the store was opened
 * @param failing the threads whose last work failed, by name, each with its last failure; empty
 *     where all is well
 */
public record UpkeepState(long failures, Map<String, String> failing) {
  /** Nothing has failed. */
  public static final UpkeepState FINE = new UpkeepState(0, Map.of());

  /** Copies the map. */
  public UpkeepState {
    failing = Map.copyOf(failing);
  }
}
