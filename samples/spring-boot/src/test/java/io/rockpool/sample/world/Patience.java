package io.rockpool.sample.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits for what other processes do. */
final class Patience {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 50;

  private Patience() {}

  /** Asks until it is as wanted; fails with what it was last when there is no more patience. */
  static <T> T until(String what, Callable<T> asked, Predicate<? super T> wanted) throws Exception {
    Instant end = Instant.now().plus(LIMIT);
    T last = asked.call();
    while (!wanted.test(last)) {
      assertThat(Instant.now()).as("waiting until %s; last: %s", what, last).isBefore(end);
      Thread.sleep(PAUSE_MILLIS); // who is asked has two processors, too
      last = asked.call();
    }
    return last;
  }
}
