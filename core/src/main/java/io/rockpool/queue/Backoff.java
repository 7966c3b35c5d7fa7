package io.rockpool.queue;

import io.rockpool.internal.concurrent.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * How long a message waits after a failed delivery, see {@link Delivery#retry}. The wait after
 * delivery n is {@code first * factor^(n-1)}, at most {@code max}.
 *
 * @param first the wait after the first delivery
 * @param max the longest wait
 * @param factor how much longer each wait is than the one before, 1 or more
 */
public record Backoff(Duration first, Duration max, double factor) {
  private static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 1);

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if a duration is negative, {@code max} is less than {@code
   *     first}, or the factor is less than 1
   */
  public Backoff {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(max, "max");
    if (first.isNegative() || max.compareTo(first) < 0 || !(factor >= 1)) {
      throw new IllegalArgumentException(
          "A backoff from "
              + first
              + " to "
              + max
              + " with factor "
              + factor
              + " is not possible; give 0 <= first <= max and a factor of 1 or more.");
    }
  }

  /** No wait: a failed message is ready at once. */
  public static Backoff none() {
    return NONE;
  }

  /** The same wait after each delivery. */
  public static Backoff fixed(Duration wait) {
    return new Backoff(wait, wait, 1);
  }

  /** A wait that doubles with each delivery, up to a maximum. */
  public static Backoff exponential(Duration first, Duration max) {
    return new Backoff(first, max, 2);
  }

  /** The wait after delivery number {@code deliveries}, which is 1 or more. */
  public Duration after(int deliveries) {
    double millis = Durations.millis(first) * Math.pow(factor, deliveries - 1.0);
    return millis >= Durations.millis(max) ? max : Duration.ofMillis((long) millis);
  }
}
