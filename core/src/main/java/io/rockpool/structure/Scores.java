package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;

/** Validates scores, and finds the places of ranges of them. */
final class Scores {
  private Scores() {}

  /**
   * A valid score, with -0.0 replaced by 0.0.
   *
   * @param name of the argument, for the message
   * @throws IllegalArgumentException if it is NaN, which has no place in an order
   */
  static double check(double score, String name) {
    if (Double.isNaN(score)) {
      throw new IllegalArgumentException(
          name + " is NaN, which cannot be ordered; give a number or an infinity.");
    }
    return score + 0.0;
  }

  /** The sort range of the places with the scores of a range. */
  static SortRange places(Range<Double> scores) {
    Range.End<Double> low = scores.unfiltered().low();
    Range.End<Double> high = scores.high();
    double from = low == null ? Double.NEGATIVE_INFINITY : check(low.key(), "The lower bound");
    double to = high == null ? Double.POSITIVE_INFINITY : check(high.key(), "The upper bound");
    if (from > to) {
      throw new IllegalArgumentException(
          "The scores from " + from + " to " + to + " are no range; give the lower bound first.");
    }
    boolean withFrom = low == null || low.inclusive();
    boolean withTo = high == null || high.inclusive();
    byte[] first = withFrom ? ScoredSetFormat.placesFrom(from) : ScoredSetFormat.placesBehind(from);
    byte[] end = withTo ? ScoredSetFormat.placesBehind(to) : ScoredSetFormat.placesFrom(to);
    return ScoredSetFormat.PLACES.from(first, true).to(end, false);
  }

  /** The direction of a range of scores. */
  static Direction direction(Range<Double> scores) {
    return scores.isReversed() ? Direction.BACKWARD : Direction.FORWARD;
  }
}
