package io.rockpool.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * For how many cursors and snapshots an engine records where they were opened. The record names the
 * code that did not close one. With every setting, the engine closes an unreachable one and counts
 * it ({@code Engine.leaks}). It logs the first leak, and each known place once.
 */
public enum LeakDetection {
  /** For none: costs nothing. */
  COUNTED,
  /** For one in 64, at random: next to no cost, and finds a place that leaks often. */
  SAMPLED,
  /** For all: some microseconds per cursor and snapshot, more with a deep stack. */
  ALL;

  /** The system property for this setting: {@code counted}, {@code sampled} or {@code all}. */
  public static final String PROPERTY = "rockpool.leakDetection";

  /**
   * Returns the value of the system property.
   *
   * @return its value; {@link #SAMPLED} if it is not set
   * @throws IllegalArgumentException if its value is invalid
   */
  public static LeakDetection ofSystemProperty() {
    String said = System.getProperty(PROPERTY);
    if (said == null) {
      return SAMPLED;
    }
    List<String> names =
        Arrays.stream(values()).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
    int at = names.indexOf(said.toLowerCase(Locale.ROOT));
    if (at < 0) {
      throw new IllegalArgumentException(
          "The system property " + PROPERTY + " is \"" + said + "\"; give one of " + names + ".");
    }
    return values()[at];
  }
}
