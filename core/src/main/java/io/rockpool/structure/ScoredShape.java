package io.rockpool.structure;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a scored set's descriptor. */
final class ScoredShape {
  private static final String RANKED = "ranked";

  private ScoredShape() {}

  /** The attributes of a new set with that option. */
  static Map<String, String> of(@Nullable Boolean ranked) {
    return Map.of(RANKED, String.valueOf(ranked == null || ranked));
  }

  /**
   * Whether a set keeps a rank index.
   *
   * @param wanted the option it is opened with, or null
   * @throws IllegalArgumentException if it was created with the other choice
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

  /** Whether a set with these attributes keeps a rank index. */
  static boolean isRanked(Map<String, String> shape) {
    return Boolean.parseBoolean(shape.get(RANKED));
  }
}
