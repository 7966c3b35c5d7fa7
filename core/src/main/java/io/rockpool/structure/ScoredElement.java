package io.rockpool.structure;

import java.util.Objects;

/**
 * An element of a {@link PersistentScoredSet} and its score.
 *
 * @param element the element
 * @param score its score, not NaN; -0.0 becomes 0.0
 * @param <E> the type of elements
 */
public record ScoredElement<E>(E element, double score) {
  /** Checks the arguments. */
  public ScoredElement {
    Objects.requireNonNull(element, "element");
    score = Scores.check(score, "score");
  }
}
