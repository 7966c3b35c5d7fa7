package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.Schedule;
import io.rockpool.queue.SendOptions;
import io.rockpool.testing.FakeClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Between a close and the next opening, the clock is set right, or the options of a cache change.
 */
final class ChangedWorldTest {
  private static final Duration WINDOW = Duration.ofMinutes(5);

  @TempDir private Path parent;
  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final FakeClock clock = new FakeClock();

  @BeforeEach
  void catchLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void letLogGo() {
    System.setErr(standardError);
  }

  private Rockpool open() {
    return Rockpool.at(parent.resolve("store")).clock(clock).open();
  }

  private long warnings(String text) {
    return log.toString(UTF_8)
        .lines()
        .filter(line -> line.contains("WARN") && line.contains(text))
        .count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 365})
  void aClockThatWasAheadIsWarnedOfOnce(long days) {
    Duration ahead = Duration.ofDays(days);
    clock.advanceMillis(ahead.toMillis());
    try (Rockpool pool = open()) {
      pool.map("map", String.class, String.class).put("a", "b", WINDOW);
    }
    clock.advanceMillis(-ahead.toMillis());
    for (int opening = 0; opening < 3; opening++) {
      try (Rockpool pool = open()) {
        assertThat(pool.map("map", String.class, String.class)).containsEntry("a", "b");
      }
      assertThat(warnings("The clock was ahead")).isEqualTo(1);
    }
    assertThat(log.toString(UTF_8)).contains(String.format(Locale.ROOT, "PT%dH", days * 24));
  }

  @Test
  void aClockThatGoesAheadWhileTheStoreIsOpenIsNoticedToo() {
    try (Rockpool pool = open()) {
      assertThat(pool.names().list()).isEmpty();
      clock.advanceMillis(Duration.ofDays(2).toMillis());
    }
    clock.advanceMillis(-Duration.ofDays(2).toMillis());
    try (Rockpool pool = open()) {
      assertThat(pool.names().list()).isEmpty();
    }
    assertThat(warnings("The clock was ahead")).isEqualTo(1);
  }

  @Test
  void aRightClockIsNoReasonToWarn() {
    for (int opening = 0; opening < 3; opening++) {
      try (Rockpool pool = open()) {
        assertThat(pool.names().list()).isEmpty();
      }
      clock.advanceMillis(opening == 1 ? -30_000 : 1_000);
    }
    assertThat(warnings("")).isZero();
  }

  @Test
  void messagesAreDroppedForOneMoreWindowAtMost() {
    Duration ahead = Duration.ofDays(365);
    SendOptions once = SendOptions.defaults().deduplicate("order-7", WINDOW);
    clock.advanceMillis(ahead.toMillis());
    long first;
    try (Rockpool pool = open()) {
      first = pool.<String>queue("mails", String.class).send("one", once);
    }
    clock.advanceMillis(-ahead.toMillis());
    try (Rockpool pool = open()) {
      PersistentQueue<String> queue = pool.queue("mails", String.class);
      assertThat(queue.send("two", once)).isEqualTo(first);
      clock.advanceMillis(WINDOW.toMillis() - 1);
      assertThat(queue.send("three", once)).isEqualTo(first);
      clock.advanceMillis(1);
      assertThat(queue.send("four", once)).isNotEqualTo(first);
      assertThat(queue.size()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 365})
  void aTimerIsPlannedAgain(long days) throws InterruptedException {
    Duration ahead = Duration.ofDays(days);
    Schedule schedule = Schedule.rate(Duration.ofMinutes(10));
    Instant due;
    try (Rockpool pool = open()) {
      PersistentTimer<String> right = pool.timer("right", schedule, String.class);
      assertThat(right.start("a")).isTrue();
      due = right.next().orElseThrow();
    }
    clock.advanceMillis(ahead.toMillis());
    try (Rockpool pool = open()) {
      PersistentTimer<String> started = pool.timer("started", schedule, String.class);
      assertThat(started.start("b")).isTrue();
      assertThat(pool.timer("idle", schedule, String.class).next()).isEmpty();
    }
    clock.advanceMillis(-ahead.toMillis());
    try (Rockpool pool = open()) {
      assertThat(pool.timer("right", schedule, String.class).next()).hasValue(due);
      assertThat(pool.timer("idle", schedule, String.class).next()).isEmpty();
      PersistentTimer<String> started = pool.timer("started", schedule, String.class);
      assertThat(started.next()).hasValue(schedule.first(clock.instant()).orElseThrow());
      clock.advanceMillis(Duration.ofMinutes(10).toMillis());
      assertThat(started.firings().receive(9, Duration.ZERO))
          .extracting(Delivery::message)
          .containsExactly("b");
    }
  }

  /** A cache of Object serves what it can read, and counts each value that it cannot. */
  @ParameterizedTest
  @EnumSource(Fallback.class)
  void aCacheOfObjectWithAnotherFallbackMissesOnlyWhatItCannotRead(Fallback fallback) {
    Fallback other = fallback == Fallback.FORY ? Fallback.JAVA_SERIALIZATION : Fallback.FORY;
    List<Object> own = List.of("text", 1L, Duration.ofDays(1));
    List<Object> others = List.of(List.of("a"), Map.of("a", 1));
    try (Rockpool pool = open(fallback)) {
      PersistentCache<String, Object> cache = pool.cache("any", String.class, Object.class);
      own.forEach(value -> cache.put(value.toString(), value));
      others.forEach(value -> cache.put(value.toString(), value));
    }
    try (Rockpool pool = open(other)) {
      PersistentCache<String, Object> cache = pool.cache("any", String.class, Object.class);
      assertThat(own).allSatisfy(value -> assertThat(cache.get(value.toString())).isEqualTo(value));
      assertThat(cache.statistics().undecodable()).isZero();
      assertThat(others).allSatisfy(value -> assertThat(cache.get(value.toString())).isNull());
      assertThat(cache.statistics().undecodable()).isEqualTo(others.size());
      others.forEach(value -> cache.put(value.toString(), value));
      assertThat(others)
          .allSatisfy(value -> assertThat(cache.get(value.toString())).isEqualTo(value));
    }
  }

  private Rockpool open(Fallback fallback) {
    return Rockpool.at(parent.resolve("store"))
        .clock(clock)
        .codecs(Codecs.builder().fallback(fallback).build())
        .open();
  }

  @Test
  void aCacheThatGetsAnExpiryWarnsOfTheEntriesWithoutOne() {
    try (Rockpool pool = open()) {
      pool.cache("cache", String.class, String.class).put("a", "b");
      pool.cache("empty", String.class, String.class);
      assertThat(fresh(pool, "new").get("a")).isNull();
    }
    for (int opening = 0; opening < 2; opening++) {
      try (Rockpool pool = open()) {
        assertThat(fresh(pool, "cache").get("a")).isEqualTo("b");
        assertThat(fresh(pool, "empty").get("a")).isNull();
        assertThat(fresh(pool, "new").get("a")).isNull();
      }
      assertThat(warnings("")).isEqualTo(1);
      assertThat(warnings("\"cache\" has an expiry policy now")).isEqualTo(1);
    }
  }

  private static PersistentCache<String, String> fresh(Rockpool pool, String name) {
    return pool.cache(
        name, String.class, String.class, o -> o.expiry(CacheExpiry.afterWrite(WINDOW)));
  }
}
