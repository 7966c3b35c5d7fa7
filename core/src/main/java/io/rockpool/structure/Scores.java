package io.rockpool.structure;

/** Validates scores. */
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
}
