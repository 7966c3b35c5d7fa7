package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Arrays;

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

  /**
   * The sort range of the places of one score whose elements are in a range.
   *
   * @throws UnsupportedOperationException if the range has a filter other than a prefix, or one
   *     that the codec does not support
   */
  static <E> SortRange places(double score, Range<E> elements, EntryCodec<E, ?> codec) {
    double checked = check(score, "score");
    SortRange places =
        ScoredSetFormat.PLACES
            .from(ScoredSetFormat.placesFrom(checked), true)
            .to(ScoredSetFormat.placesBehind(checked), false);
    Range.End<E> low = elements.low();
    Range.End<E> high = elements.high();
    if (low != null) {
      places = places.from(place(checked, low, codec), low.inclusive());
    }
    if (high != null) {
      byte[] end = place(checked, high, codec);
      if (low != null && Arrays.compareUnsigned(place(checked, low, codec), end) > 0) {
        throw new IllegalArgumentException(
            "The range of elements ends before it begins; give the lower bound first.");
      }
      places = places.to(end, high.inclusive());
    }
    byte[] prefix = elements.prefix(codec);
    return prefix == null ? places : starting(places, ScoredSetFormat.placeKey(checked, prefix));
  }

  private static <E> byte[] place(double score, Range.End<E> end, EntryCodec<E, ?> codec) {
    return ScoredSetFormat.placeKey(score, codec.key(end.key()));
  }

  private static SortRange starting(SortRange places, byte[] prefix) {
    byte[] end = SortRange.successorOfPrefix(prefix);
    SortRange behind = places.from(prefix, true);
    return end == null ? behind : behind.to(end, false);
  }

  /** The direction of a range of scores or elements. */
  static Direction direction(Range<?> scores) {
    return scores.isReversed() ? Direction.BACKWARD : Direction.FORWARD;
  }
}
