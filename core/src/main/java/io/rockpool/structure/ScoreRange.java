package io.rockpool.structure;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;

/**
 * A range of scores with inclusive or exclusive bounds, as in {@code ScoreRange.from(1, true).to(2,
 * false)}. Immutable. It may be empty.
 *
 * @param low the lower bound
 * @param lowIncluded whether the lower bound is in the range
 * @param high the upper bound
 * @param highIncluded whether the upper bound is in the range
 */
public record ScoreRange(double low, boolean lowIncluded, double high, boolean highIncluded) {
  private static final ScoreRange ALL =
      new ScoreRange(Double.NEGATIVE_INFINITY, true, Double.POSITIVE_INFINITY, true);

  /** Rejects NaN as a bound. */
  public ScoreRange {
    low = Scores.check(low, "low");
    high = Scores.check(high, "high");
  }

  /** Every score, including the infinities. */
  public static ScoreRange all() {
    return ALL;
  }

  /** The scores from {@code low} to {@code high}, both inclusive. */
  public static ScoreRange closed(double low, double high) {
    return new ScoreRange(low, true, high, true);
  }

  /** The scores between {@code low} and {@code high}, both exclusive. */
  public static ScoreRange open(double low, double high) {
    return new ScoreRange(low, false, high, false);
  }

  /** The scores from {@code low} up. */
  public static ScoreRange from(double low, boolean inclusive) {
    return new ScoreRange(low, inclusive, ALL.high, true);
  }

  /** This range with another upper bound. */
  public ScoreRange to(double newHigh, boolean inclusive) {
    return new ScoreRange(low, lowIncluded, newHigh, inclusive);
  }

  /** The sort range of the places with these scores. */
  SortRange places() {
    byte[] from = lowIncluded ? ScoredSetFormat.placesFrom(low) : ScoredSetFormat.placesBehind(low);
    byte[] to =
        highIncluded ? ScoredSetFormat.placesBehind(high) : ScoredSetFormat.placesFrom(high);
    return ScoredSetFormat.PLACES.from(from, true).to(to, false);
  }
}
