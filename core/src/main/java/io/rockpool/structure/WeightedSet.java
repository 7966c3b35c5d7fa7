package io.rockpool.structure;

import java.util.Objects;

/**
 * A source of a union or intersection, with a factor for its scores.
 *
 * @param set the set
 * @param weight the factor; not NaN
 * @param <E> the type of elements
 */
public record WeightedSet<E>(ScoredSetView<E> set, double weight) {
  /** Checks the arguments. */
  public WeightedSet {
    Objects.requireNonNull(set, "set");
    weight = Scores.check(weight, "weight");
  }

  /** A set with the weight 1. */
  public static <E> WeightedSet<E> of(ScoredSetView<E> set) {
    return new WeightedSet<>(set, 1);
  }
}
