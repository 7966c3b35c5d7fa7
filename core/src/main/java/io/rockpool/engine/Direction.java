package io.rockpool.engine;

/** The order in which a scan visits a row. */
public enum Direction {
  /** From the lowest sort key to the highest. */
  FORWARD,
  /** From the highest sort key to the lowest. */
  BACKWARD
}
