package io.rockpool.structure;

/** How to combine the scores of an element in several sets. */
public enum ScoreAggregate {
  /** The sum; infinities of both signs add to 0. */
  SUM,
  /** The lowest score. */
  MIN,
  /** The highest score. */
  MAX;

  double of(double a, double b) {
    return switch (this) {
      case SUM -> numberOrZero(a + b);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
    };
  }

  /** A score multiplied by a weight; an infinity times 0 is 0. */
  static double weighted(double score, double weight) {
    return numberOrZero(score * weight);
  }

  private static double numberOrZero(double score) {
    return Double.isNaN(score) ? 0 : score;
  }
}
