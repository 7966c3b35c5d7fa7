package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/** The condition of {@link PersistentScoredSet#add(Object, double, ScoreCondition)}. */
public enum ScoreCondition {
  /** Always holds. */
  ALWAYS,
  /** The element is absent. */
  ABSENT,
  /** The element is present. */
  PRESENT,
  /** The element is absent or has a lower score. */
  GREATER,
  /** The element is absent or has a higher score. */
  LESS,
  /** The element is present and has a lower score. */
  PRESENT_AND_GREATER,
  /** The element is present and has a higher score. */
  PRESENT_AND_LESS;

  /** Whether {@code score} may replace {@code before}. Null means that the element is absent. */
  boolean allows(@Nullable Double before, double score) {
    return switch (this) {
      case ALWAYS -> true;
      case ABSENT -> before == null;
      case PRESENT -> before != null;
      case GREATER -> before == null || score > before;
      case LESS -> before == null || score < before;
      case PRESENT_AND_GREATER -> before != null && score > before;
      case PRESENT_AND_LESS -> before != null && score < before;
    };
  }
}
