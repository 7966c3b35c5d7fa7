package io.rockpool.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.FakeClock;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class ExpiryTest {
  private static final InstantSource UNASKED =
      () -> {
        throw new AssertionError("The clock was asked.");
      };

  private final FakeClock clock = new FakeClock();

  @Test
  void aTimeToLiveIsRoundedUp() {
    long now = clock.millis();
    assertThat(Expiry.after(clock, Duration.ofMillis(5))).isEqualTo(now + 5);
    assertThat(Expiry.after(clock, Duration.ofNanos(1))).isEqualTo(now + 1);
    assertThat(Expiry.after(clock, Duration.ofNanos(5_000_001))).isEqualTo(now + 6);
    assertThat(Expiry.after(clock, Duration.ofDays(1))).isEqualTo(now + 86_400_000);
  }

  @Test
  void noTimeToLiveIsOverAtOnce() {
    assertThat(Expiry.after(UNASKED, Duration.ZERO)).isZero();
    assertThat(Expiry.after(UNASKED, Duration.ofNanos(-1))).isZero();
    assertThat(Expiry.isPast(0, clock)).isTrue();
  }

  @Test
  void whatLivesTooLongToCountNeverExpires() {
    assertThat(Expiry.after(UNASKED, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Expiry.NEVER);
    assertThat(Expiry.after(clock, Duration.ofMillis(Expiry.MAX_MILLIS))).isEqualTo(Expiry.NEVER);
    long now = clock.millis();
    assertThat(Expiry.after(now, Expiry.MAX_MILLIS - now)).isEqualTo(Expiry.MAX_MILLIS);
    assertThat(Expiry.after(now, Expiry.MAX_MILLIS - now + 1)).isEqualTo(Expiry.NEVER);
    assertThat(Expiry.after(now, Long.MAX_VALUE)).isEqualTo(Expiry.NEVER);
  }

  @Test
  void normalized() {
    assertThat(Expiry.normalize(Long.MIN_VALUE)).isZero();
    assertThat(Expiry.normalize(-1)).isZero();
    assertThat(Expiry.normalize(0)).isZero();
    assertThat(Expiry.normalize(Expiry.MAX_MILLIS)).isEqualTo(Expiry.MAX_MILLIS);
    assertThat(Expiry.normalize(Expiry.MAX_MILLIS + 1)).isEqualTo(Expiry.NEVER);
    assertThat(Expiry.normalize(Expiry.NEVER)).isEqualTo(Expiry.NEVER);
  }

  @Test
  void pastFromTheMillisecondOn() {
    long now = clock.millis();
    assertThat(Expiry.isPast(now + 1, clock)).isFalse();
    assertThat(Expiry.isPast(now, clock)).isTrue();
    assertThat(Expiry.isPast(now - 1, clock)).isTrue();
    assertThat(Expiry.isPast(Expiry.NEVER, UNASKED)).isFalse();
  }
}
