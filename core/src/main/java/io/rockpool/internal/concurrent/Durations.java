package io.rockpool.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Durations as numbers. A duration beyond {@link #MAX} becomes {@link #MAX}, a quarter of the range
 * of a {@code long}, so that sums do not overflow.
 */
public final class Durations {
  /** The largest number: 73 years of nanoseconds, or 73 million years of milliseconds. */
  public static final long MAX = Long.MAX_VALUE / 4;

  private Durations() {}

  /** Returns the nanoseconds, from {@code -MAX} to {@link #MAX}. */
  public static long nanos(Duration duration) {
    return limited(TimeUnit.NANOSECONDS.convert(duration));
  }

  /** Returns the milliseconds, rounded down, from {@code -MAX} to {@link #MAX}. */
  public static long millis(Duration duration) {
    return limited(TimeUnit.MILLISECONDS.convert(duration));
  }

  private static long limited(long number) {
    return Math.max(-MAX, Math.min(MAX, number));
  }
}
