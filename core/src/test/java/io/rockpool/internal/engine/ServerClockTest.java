package io.rockpool.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which answers of the server count. */
final class ServerClockTest {
  private static final long SERVER_MILLIS = 1_000_000;
  private static final InstantSource BEFORE = InstantSource.fixed(Instant.ofEpochMilli(7));

  private final ServerClock clock = new ServerClock(BEFORE);
  private final long begunNanos = System.nanoTime();

  /**
   * An answer.
   *
   * @param atMillis the middle of its round trip, since the test began
   * @param offMillis how wrong the answer makes the clock
   */
  private void answer(long atMillis, long roundTripMillis, long offMillis) {
    long atNanos = begunNanos + TimeUnit.MILLISECONDS.toNanos(atMillis);
    long halfNanos = TimeUnit.MILLISECONDS.toNanos(roundTripMillis) / 2;
    long micros = TimeUnit.MILLISECONDS.toMicros(SERVER_MILLIS + atMillis + offMillis);
    clock.adjust(micros, atNanos - halfNanos, atNanos + halfNanos);
  }

  /** How far the clock is ahead of the server's. */
  private long offMillis() {
    long millis;
    long nanos;
    do { // until nothing has come between the two
      nanos = System.nanoTime();
      millis = clock.millis();
    } while (System.nanoTime() - nanos > TimeUnit.MILLISECONDS.toNanos(1));
    return millis - SERVER_MILLIS - TimeUnit.NANOSECONDS.toMillis(nanos - begunNanos);
  }

  private void assertOffBy(long millis) {
    assertThat(offMillis()).isBetween(millis - 2, millis + 2);
  }

  @Test
  void isAnotherClockUntilAnAnswer() {
    assertThat(clock.millis()).isEqualTo(7);
    assertThat(clock.instant()).isEqualTo(BEFORE.instant());
    assertThat(clock.isPrecise()).isFalse();
  }

  @Test
  void aMorePreciseAnswerReplacesASlowOne() {
    answer(0, 10_000, 5_000);
    assertOffBy(5_000);
    assertThat(clock.isPrecise()).isFalse();
    answer(5_000, 2, 1);
    assertOffBy(1);
    assertThat(clock.isPrecise()).isTrue();
  }

  @Test
  void aSlowAnswerDoesNotReplaceAPreciseOne() {
    answer(0, 2, 1);
    answer(1_000, 400, 200);
    assertOffBy(1);
  }

  @Test
  void anAnswerCountsIfBothCannotBeRight() {
    answer(0, 2, 1);
    answer(1_000, 400, -10_000);
    assertOffBy(-10_000);
    answer(2_000, 400, 10_000);
    assertOffBy(10_000);
  }

  @Test
  void theErrorGrowsWithTime() {
    answer(0, 20, 10);
    answer(1_000, 22, 20);
    assertOffBy(10);
    answer(20_000, 22, 20);
    assertOffBy(20);
  }

  @Test
  void standsStillForASmallCorrection() {
    answer(0, 20, 9);
    long before = clock.millis();
    answer(0, 2, 1);
    assertThat(clock.millis()).isGreaterThanOrEqualTo(before);
    while (offMillis() > 2) { // until the server's clock has come as far
      assertThat(clock.millis()).isGreaterThanOrEqualTo(before);
    }
    assertThat(offMillis()).isGreaterThanOrEqualTo(0);
  }

  @Test
  void beginsWithWhatAnotherKnows() {
    ServerClock other = new ServerClock(BEFORE);
    other.beginAs(new ServerClock(BEFORE));
    assertThat(other.millis()).isEqualTo(7);
    answer(0, 2, 1);
    other.beginAs(clock);
    assertThat(other.millis()).isGreaterThanOrEqualTo(SERVER_MILLIS);
    clock.beginAs(new ServerClock(BEFORE));
    assertOffBy(1);
  }
}
