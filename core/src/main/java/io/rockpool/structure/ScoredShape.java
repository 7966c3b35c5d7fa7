package io.rockpool.structure;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a scored set's descriptor. */
final class ScoredShape {
  static final String RANKED = "ranked";

  private ScoredShape() {}

  /** The attributes of a new set with that option. */
  static Map<String, String> of(@Nullable Boolean ranked) {
    return Map.of(RANKED, String.valueOf(ranked == null || ranked));
  }

  /** Whether a set with these attributes keeps a rank index. */
  static boolean isRanked(Map<String, String> shape) {
    return Boolean.parseBoolean(shape.get(RANKED));
  }
}
