package io.rockpool.structure;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the descriptor of a scored set says of how its records lie. */
final class ScoredShape {
  private static final String RANKED = "ranked";

  private ScoredShape() {}

  /** The shape of a set that is created with that option. */
  static Map<String, String> of(@Nullable Boolean ranked) {
    return Map.of(RANKED, String.valueOf(ranked == null || ranked));
  }

  /**
   * Whether the set of a space keeps an index of ranks.
   *
   * @param wanted what it is opened with, or null
   * @throws IllegalArgumentException if it was created with the other
   */
  static boolean isRanked(StructureSpace space, @Nullable Boolean wanted) {
    boolean ranked = isRanked(space.shape());
    if (wanted != null && wanted != ranked) {
      throw new IllegalArgumentException(
          space
              + " was created with ranked = "
              + ranked
              + ", which cannot be changed; open it with that, or copy it to another.");
    }
    return ranked;
  }

  /** Whether a set of that shape keeps an index of ranks. */
  static boolean isRanked(Map<String, String> shape) {
    return Boolean.parseBoolean(shape.get(RANKED));
  }
}
