package io.rockpool.structure;

import org.jspecify.annotations.Nullable;

/** When {@link PersistentScoredSet#add(Object, double, ScoreCondition)} gives its score. */
public enum ScoreCondition {
  /** Whether the element is there or not. */
  ALWAYS,
  /** If the element is not there. */
  ABSENT,
  /** If the element is there. */
  PRESENT,
  /** If the element is not there, or has a lower score. */
  GREATER,
  /** If the element is not there, or has a higher score. */
  LESS,
  /** If the element is there and has a lower score. */
  PRESENT_AND_GREATER,
  /** If the element is there and has a higher score. */
  PRESENT_AND_LESS;

  /** Whether {@code score} is given where {@code before} is, or nothing. */
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
