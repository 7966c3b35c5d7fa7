package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.rockpool.testing.MaySkip;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Entries that live as long as they are read, but no longer than a time since they were written.
 */
final class LimitedIdleTest extends OnEverySetup {
  private static final long MINUTE = 60_000;
  private static final long DAY = 24 * 60 * MINUTE;

  private PersistentCache<String, Integer> cache;

  @BeforeEach
  void open() {
    cache = open("limited", Duration.ofHours(1), Duration.ofMinutes(10));
  }

  private PersistentCache<String, Integer> open(String name, Duration ttl, Duration idle) {
    CacheOptions<String, Integer> options = setup.options();
    return pool.cache(
        name,
        String.class,
        Integer.class,
        o -> options.expiry(CacheExpiry.afterWriteOrAccess(ttl, idle)));
  }

  @Test
  void readsLetItLiveUpToTheLimit() {
    cache.put("a", 1);
    for (int minute = 6; minute < 60; minute += 6) {
      clock.advanceMillis(6 * MINUTE);
      assertThat(cache.get("a")).as("after %d minutes", minute).isEqualTo(1);
      assertThat(cache.ttl("a").orElseThrow())
          .isEqualTo(Duration.ofMinutes(Math.min(10, 60 - minute)));
    }
    clock.advanceMillis(6 * MINUTE - 1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.ttl("a")).contains(Duration.ofMillis(1));
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void whatNobodyReadsEndsBeforeThat() {
    cache.put("a", 1);
    clock.advanceMillis(10 * MINUTE - 1);
    assertThat(cache.containsKey("a")).isTrue();
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aWriteBeginsAnew() {
    cache.put("a", 1);
    for (int i = 0; i < 9; i++) {
      clock.advanceMillis(6 * MINUTE);
      assertThat(cache.get("a")).isEqualTo(1);
    }
    cache.merge("a", 1, Integer::sum);
    for (int i = 0; i < 9; i++) {
      clock.advanceMillis(6 * MINUTE);
      assertThat(cache.get("a")).isEqualTo(2);
    }
    clock.advanceMillis(6 * MINUTE);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void anIdleTimeAboveTheLimitIsTheLimit() {
    PersistentCache<String, Integer> brief =
        open("brief", Duration.ofMinutes(5), Duration.ofMinutes(10));
    brief.put("a", 1);
    clock.advanceMillis(5 * MINUTE - 1);
    assertThat(brief.get("a")).isEqualTo(1);
    clock.advanceMillis(1);
    assertThat(brief.get("a")).isNull();
  }

  @Test
  void aDurationOfAnEntrysOwnStands() {
    cache.put("a", 1, Duration.ofHours(3));
    clock.advanceMillis(2 * 60 * MINUTE);
    assertThat(cache.get("a")).isEqualTo(1);
    cache.put("b", 1);
    assertThat(cache.expireAfter("b", Duration.ofHours(3))).isTrue();
    clock.advanceMillis(2 * 60 * MINUTE);
    assertThat(cache.containsKey("b")).isTrue();
  }

  /** Farther apart than the hot tier can say of an entry. */
  @Test
  void limitsOfMonthsHold() {
    PersistentCache<String, Integer> months =
        open("months", Duration.ofDays(90), Duration.ofDays(2));
    months.put("a", 1);
    for (int day = 1; day < 90; day++) {
      clock.advanceMillis(DAY);
      assertThat(months.get("a")).as("after %d days", day).isEqualTo(1);
    }
    clock.advanceMillis(DAY - 1);
    assertThat(months.get("a")).isEqualTo(1);
    clock.advanceMillis(1);
    assertThat(months.get("a")).isNull();
  }

  @Test
  @MaySkip("a parameter may be an engine without a disk")
  void theLimitIsOnDisk() throws Exception {
    assumeFalse(setup.name().startsWith("MEMORY"), "a memory engine's store ends with it");
    cache.put("a", 1);
    for (int i = 0; i < 8; i++) {
      clock.advanceMillis(6 * MINUTE);
      assertThat(cache.get("a")).isEqualTo(1);
    }
    reopen();
    open();
    clock.advanceMillis(6 * MINUTE);
    assertThat(cache.get("a")).isEqualTo(1);
    clock.advanceMillis(6 * MINUTE);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void jitterShortensTheLimitToo() {
    CacheOptions<String, Integer> options = setup.options();
    PersistentCache<String, Integer> jittered =
        pool.cache(
            "jittered",
            String.class,
            Integer.class,
            o ->
                options.expiry(
                    CacheExpiry.<String, Integer>afterWriteOrAccess(
                            Duration.ofMinutes(60), Duration.ofMinutes(10))
                        .withJitter(0.5)));
    for (int i = 0; i < 50; i++) {
      jittered.put("k" + i, i);
    }
    int left = 50;
    for (int minute = 4; minute < 60; minute += 4) {
      clock.advanceMillis(4 * MINUTE);
      left = 0;
      for (int i = 0; i < 50; i++) {
        left += jittered.get("k" + i) == null ? 0 : 1;
      }
      if (minute <= 28) {
        assertThat(left).as("after %d minutes", minute).isEqualTo(50);
      }
    }
    assertThat(left).isLessThan(50);
    clock.advanceMillis(4 * MINUTE);
    for (int i = 0; i < 50; i++) {
      assertThat(jittered.get("k" + i)).isNull();
    }
  }
}
