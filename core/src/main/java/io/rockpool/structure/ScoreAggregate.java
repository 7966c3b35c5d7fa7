package io.rockpool.structure;

/** What becomes of the scores that an element has in several sets. */
public enum ScoreAggregate {
  /** They are added; infinities of both signs make 0. */
  SUM,
  /** The lowest stays. */
  MIN,
  /** The highest stays. */
  MAX;

  double of(double a, double b) {
    return switch (this) {
      case SUM -> numberOrZero(a + b);
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
    };
  }

  /** A score with its weight: an infinity of no weight is 0. */
  static double weighted(double score, double weight) {
    return numberOrZero(score * weight);
  }

  private static double numberOrZero(double score) {
    return Double.isNaN(score) ? 0 : score;
  }
}
