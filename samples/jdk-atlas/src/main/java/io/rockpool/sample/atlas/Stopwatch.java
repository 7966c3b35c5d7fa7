package io.rockpool.sample.atlas;

import java.time.Duration;

/** The time since it was made. */
final class Stopwatch {
  private final long startNanos = System.nanoTime();

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }
}
