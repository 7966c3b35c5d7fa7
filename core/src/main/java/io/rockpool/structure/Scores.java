package io.rockpool.structure;

/** What scores may be. */
final class Scores {
  private Scores() {}

  /**
   * A score as it is kept: zero has no sign.
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
}
