package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JitteredExpiryTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void entriesWrittenTogetherDoNotExpireTogether() {
    FakeClock clock = new FakeClock();
    try (Rockpool pool = Rockpool.at(o -> TestServer.open(clock)).open()) {
      PersistentCache<Integer, Integer> cache =
          pool.cache(
              "numbers",
              Integer.class,
              Integer.class,
              o -> o.expiry(CacheExpiry.afterWrite(HOUR).withJitter(0.1)));
      IntStream.range(0, 1_000).forEach(i -> cache.put(i, i));
      clock.advanceMillis(HOUR.toMillis() * 9 / 10);
      long before = IntStream.range(0, 1_000).filter(cache::containsKey).count();
      clock.advanceMillis(HOUR.toMillis() / 20);
      long midway = IntStream.range(0, 1_000).filter(cache::containsKey).count();
      clock.advanceMillis(HOUR.toMillis() / 20);
      long after = IntStream.range(0, 1_000).filter(cache::containsKey).count();
      assertThat(before).isEqualTo(1_000);
      assertThat(midway).isBetween(400L, 600L);
      assertThat(after).isZero();
    }
  }

  @Test
  void durationsAreShortenedAndNeverProlonged() {
    CacheExpiry<Object, Object> expiry =
        new JitteredExpiry<>(CacheExpiry.afterAccess(Duration.ofSeconds(10)), 0.5);
    Set<Duration> seen =
        IntStream.range(0, 1_000)
            .mapToObj(i -> expiry.afterCreation(i, i))
            .collect(Collectors.toSet());
    assertThat(seen)
        .hasSizeGreaterThan(500)
        .allMatch(
            it ->
                it.compareTo(Duration.ofSeconds(5)) > 0
                    && it.compareTo(Duration.ofSeconds(10)) <= 0);
    assertThat(expiry.afterUpdate(1, 1)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    assertThat(expiry.afterAccess(1, 1)).isEqualTo(Duration.ofSeconds(10));
    assertThat(expiry.usesAccess()).isTrue();
    assertThat(expiry.updatesAsCreation()).isTrue();
  }

  @Test
  void whatNeverEndsOrIsOverStaysSo() {
    CacheExpiry<Object, Object> never = new JitteredExpiry<>(CacheExpiry.never(), 0.9);
    assertThat(never.afterCreation(1, 1)).isEqualTo(CacheExpiry.FOREVER);
    CacheExpiry<Object, Object> creation =
        new JitteredExpiry<>(CacheExpiry.afterCreation(Duration.ZERO), 0.9);
    assertThat(creation.afterCreation(1, 1)).isZero();
    assertThat(creation.afterUpdate(1, 1)).isNull();
    assertThat(creation.updatesAsCreation()).isFalse();
  }

  @Test
  void aFunctionOfKeyAndValueMayHaveJitter() {
    CacheExpiry<String, Integer> expiry =
        CacheExpiry.<String, Integer>writing((key, value) -> Duration.ofSeconds(value))
            .withJitter(0.2);
    assertThat(expiry.afterCreation("a", 10))
        .isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
    assertThat(expiry.afterUpdate("a", 100))
        .isBetween(Duration.ofSeconds(80), Duration.ofSeconds(100));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1, Double.NaN})
  void fractionsOutOfRangeAreRefused(double fraction) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CacheExpiry.never().withJitter(fraction))
        .withMessageContaining("The jitter is " + fraction);
  }
}
