package io.rockpool.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Of how many cursors and snapshots an engine remembers where they were opened, so that it can name
 * the place if one is never closed. However this is set, such a one is closed once nobody can reach
 * it any more, and counted ({@link Engine#leaks}); the first is logged, and each place that is
 * known once.
 */
public enum LeakDetection {
  /** Of none: costs nothing. */
  COUNTED,
  /** Of one in 64, by chance: next to nothing, and a place that leaks often is found soon. */
  SAMPLED,
  /** Of all: some microseconds for each cursor and snapshot, more where the stack is deep. */
  ALL;

  /** The system property that says which: {@code counted}, {@code sampled} or {@code all}. */
  public static final String PROPERTY = "rockpool.leakDetection";

  /**
   * Tells what the system property says.
   *
   * @return that; {@link #SAMPLED} where it is not set
   * @throws IllegalArgumentException if it says something else
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
