package io.rockpool.structure;

/** Successive ranks: the first one, and how many. */
record Ranks(long first, long count) {
  /**
   * The ranks of a range.
   *
   * @throws IllegalArgumentException if a bound is negative, the bounds are in the wrong order, or
   *     the range is reversed
   */
  static Ranks of(Range<Long> range) {
    Range.End<Long> low = range.unfiltered().low();
    Range.End<Long> high = range.high();
    long from = low == null ? 0 : low.key();
    long to = high == null ? Long.MAX_VALUE : high.key();
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "The ranks from "
              + from
              + " to "
              + to
              + " are no range; both are 0 or more, and the end is not before the beginning.");
    }
    if (range.isReversed()) {
      throw new IllegalArgumentException(
          "The range of ranks is reversed, but ranks count from the lowest score; give range() a"
              + " reversed range of scores to count from the highest.");
    }
    long first = low == null || low.inclusive() ? from : saturated(from, 1);
    long end = high != null && high.inclusive() ? saturated(to, 1) : to;
    first = saturated(first, range.offset());
    return new Ranks(first, Math.min(range.limit(), Math.max(0, end - first)));
  }

  private static long saturated(long rank, long more) {
    return rank > Long.MAX_VALUE - more ? Long.MAX_VALUE : rank + more;
  }
}
