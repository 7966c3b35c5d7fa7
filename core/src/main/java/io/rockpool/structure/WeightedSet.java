package io.rockpool.structure;

import java.util.Objects;

/**
 * A set whose scores are multiplied, in a union or an intersection.
 *
 * @param set the set
 * @param weight what its scores are multiplied by; not NaN
 * @param <E> the type of elements
 */
public record WeightedSet<E>(ScoredSetView<E> set, double weight) {
  /** Checks the arguments. */
  public WeightedSet {
    Objects.requireNonNull(set, "set");
    weight = Scores.check(weight, "weight");
  }

  /** A set with its scores as they are. */
  public static <E> WeightedSet<E> of(ScoredSetView<E> set) {
    return new WeightedSet<>(set, 1);
  }
}
