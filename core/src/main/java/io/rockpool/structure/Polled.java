package io.rockpool.structure;

import java.util.List;
import java.util.Objects;

/**
 * Elements that a poll of several structures has removed, and the structure they were in.
 *
 * @param from the structure
 * @param elements the elements, in the order of their removal; at least one
 * @param <S> the type of structures
 * @param <T> the type of elements
 */
public record Polled<S, T>(S from, List<T> elements) {
  /** Copies the list. */
  public Polled {
    Objects.requireNonNull(from, "from");
    elements = List.copyOf(elements);
  }
}
