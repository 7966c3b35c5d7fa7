package io.rockpool.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(longs = {-5, 5})
  void aStepOfTheMachinesClockMovesNoExpiry(long minutes) {
    AtomicLong machineMillis = new AtomicLong(SERVER_MILLIS);
    AtomicLong passedNanos = new AtomicLong(begunNanos);
    InstantSource machine = () -> Instant.ofEpochMilli(machineMillis.get());
    ServerClock stepped = new ServerClock(machine, passedNanos::get);
    stepped.adjust(TimeUnit.MILLISECONDS.toMicros(SERVER_MILLIS), begunNanos, begunNanos);
    long expiryMillis = Expiry.after(stepped.millis(), TimeUnit.MINUTES.toMillis(1));

    machineMillis.addAndGet(TimeUnit.MINUTES.toMillis(minutes));
    assertThat(stepped.millis()).isEqualTo(SERVER_MILLIS);
    ServerClock next = new ServerClock(machine, passedNanos::get); // of another master
    next.beginAs(stepped);
    assertThat(next.millis()).isEqualTo(SERVER_MILLIS);

    passedNanos.addAndGet(TimeUnit.SECONDS.toNanos(30));
    long serverMicros = TimeUnit.MILLISECONDS.toMicros(SERVER_MILLIS + 30_000);
    stepped.adjust(serverMicros, passedNanos.get(), passedNanos.get());
    passedNanos.addAndGet(TimeUnit.SECONDS.toNanos(30) - TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(stepped.millis()).isEqualTo(expiryMillis - 1);
    assertThat(Expiry.isPast(expiryMillis, stepped)).isFalse();
    passedNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(Expiry.isPast(expiryMillis, stepped)).isTrue();
    assertThat(Expiry.isPast(expiryMillis, next)).isTrue();
  }
}
