package io.rockpool;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Distinguishes openings without options from those with default ones. */
final class CurrentOptions {
  private static final UnaryOperator<?> CURRENT = UnaryOperator.identity();

  private CurrentOptions() {}

  /** Asks for the options that an open name has, or that are kept with the name. */
  @SuppressWarnings("unchecked") // returns its argument
  static <T> UnaryOperator<T> asTheyAre() {
    return (UnaryOperator<T>) CURRENT;
  }

  /** The changed defaults; null for {@link #asTheyAre}. */
  static <T> @Nullable T change(UnaryOperator<T> options, T defaults) {
    return options == CURRENT ? null : Objects.requireNonNull(options.apply(defaults), "options");
  }
}
