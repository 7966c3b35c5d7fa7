package io.rockpool.structure;

import java.util.Objects;
import java.util.Set;

/**
 * A source of a union or intersection, with a factor for its scores.
 *
 * @param set a {@link ScoredSetView}, or another set, whose elements then have the score 1
 * @param weight the factor; not NaN
 * @param <E> the type of elements
 */
public record WeightedSet<E>(Set<E> set, double weight) {
  /** Checks the arguments. */
  public WeightedSet {
    Objects.requireNonNull(set, "set");
    weight = Scores.check(weight, "weight");
  }

  /** A set with the weight 1. */
  public static <E> WeightedSet<E> of(Set<E> set) {
    return new WeightedSet<>(set, 1);
  }
}
