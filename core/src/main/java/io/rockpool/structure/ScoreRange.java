package io.rockpool.structure;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;

/**
 * A range of scores, whose bounds may be part of it or not: {@code ScoreRange.from(1, true).to(2,
 * false)}. Immutable. It may be empty.
 *
 * @param low where it begins
 * @param lowIncluded whether that is part of it
 * @param high where it ends
 * @param highIncluded whether that is part of it
 */
public record ScoreRange(double low, boolean lowIncluded, double high, boolean highIncluded) {
  private static final ScoreRange ALL =
      new ScoreRange(Double.NEGATIVE_INFINITY, true, Double.POSITIVE_INFINITY, true);

  /** Checks the arguments: NaN is no bound. */
  public ScoreRange {
    low = Scores.check(low, "low");
    high = Scores.check(high, "high");
  }

  /** Every score, the infinities included. */
  public static ScoreRange all() {
    return ALL;
  }

  /** The scores from {@code low} to {@code high}, both included. */
  public static ScoreRange closed(double low, double high) {
    return new ScoreRange(low, true, high, true);
  }

  /** The scores between {@code low} and {@code high}, neither included. */
  public static ScoreRange open(double low, double high) {
    return new ScoreRange(low, false, high, false);
  }

  /** All scores from {@code low} on. */
  public static ScoreRange from(double low, boolean inclusive) {
    return new ScoreRange(low, inclusive, ALL.high, true);
  }

  /** This range up to {@code newHigh}. */
  public ScoreRange to(double newHigh, boolean inclusive) {
    return new ScoreRange(low, lowIncluded, newHigh, inclusive);
  }

  /** Where the places of these scores lie. */
  SortRange places() {
    byte[] from = lowIncluded ? ScoredSetFormat.placesFrom(low) : ScoredSetFormat.placesBehind(low);
    byte[] to =
        highIncluded ? ScoredSetFormat.placesBehind(high) : ScoredSetFormat.placesFrom(high);
    return ScoredSetFormat.PLACES.from(from, true).to(to, false);
  }
}
