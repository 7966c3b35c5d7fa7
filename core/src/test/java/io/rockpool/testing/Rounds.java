package io.rockpool.testing;

/**
 * How much a test repeats: enough to run with every change, or what {@code
 * -Drockpool.test.longRuns=true} asks for, as the profile {@code long} does. Both test the same.
 */
public final class Rounds {
  /** The property that asks for long runs. */
  public static final String PROPERTY = "rockpool.test.longRuns";

  private static final boolean LONG = Boolean.getBoolean(PROPERTY);

  private Rounds() {}

  /** Whether this run is a long one. */
  public static boolean areMany() {
    return LONG;
  }

  /** The number of rounds of this run: {@code few}, or {@code many} in a long one. */
  public static int of(int few, int many) {
    return LONG ? many : few;
  }
}
