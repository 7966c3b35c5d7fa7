package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.NameConflictException;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A timer fires once for each due time. */
class PersistentTimerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void aRateKeepsItsRhythmAndSkipsWhatItMissed(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Schedule everyMinute = Schedule.rate(MINUTE);
      PersistentTimer<String> timer = store.pool().timer("t", everyMinute, String.class);
      Instant start = store.clock.instant();
      assertThat(timer.start("x")).isTrue();
      assertThat(timer.start("y")).isFalse();
      assertThat(timer.next()).contains(start.plus(MINUTE));
      store.clock.advanceMillis(59_999);
      assertThat(timer.firings().receive()).isEmpty();
      store.clock.advanceMillis(1);
      Delivery<String> first = timer.firings().receive().orElseThrow();
      assertThat(first.message()).isEqualTo("x");
      assertThat(first.headers().get(PersistentTimer.DUE))
          .isEqualTo(String.valueOf(start.plus(MINUTE).toEpochMilli()));
      assertThat(timer.next()).contains(start.plus(MINUTE.multipliedBy(2)));
      first.release();
      Delivery<String> again = timer.firings().receive().orElseThrow();
      assertThat(again.deliveries()).isEqualTo(2);
      again.acknowledge();
      assertThat(timer.firings().size()).isEqualTo(1);

      timer = store.reopen().timer("t", everyMinute, String.class);
      store.clock.advanceMillis(MINUTE.toMillis() * 5 + 7);
      List<Delivery<String>> missed = timer.firings().receive(10);
      assertThat(missed).hasSize(1);
      assertThat(timer.next()).contains(start.plus(MINUTE.multipliedBy(7)));
      timer.cancel();
      assertThat(timer.next()).isEmpty();
      assertThat(timer.start("z")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "ADVERSARIAL", mode = EnumSource.Mode.EXCLUDE)
  void aCrashNeitherLosesNorDoublesAFiring(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Schedule everyMinute = Schedule.rate(MINUTE);
      PersistentTimer<String> timer = store.pool().timer("t", everyMinute, String.class);
      timer.start("x");
      for (int i = 1; i <= 5; i++) {
        store.clock.advanceMillis(MINUTE.toMillis());
        Delivery<String> lost = timer.firings().receive().orElseThrow();
        timer = store.crash().timer("t", everyMinute, String.class);
        List<Delivery<String>> again = timer.firings().receive(10);
        assertThat(again).hasSize(1);
        assertThat(again.get(0).id()).isEqualTo(lost.id());
        assertThat(again.get(0).acknowledge()).isTrue();
        assertThat(timer.firings().size()).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherScheduleReplacesTheFiringThatWaits(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Schedule yearly = Schedule.rate(Duration.ofDays(365));
      PersistentTimer<String> timer = store.pool().timer("t", yearly, String.class);
      timer.start("x");
      Instant yearlyNext = timer.next().orElseThrow();
      store.clock.advanceMillis(7);
      timer = store.reopen().timer("t", yearly, String.class);
      assertThat(timer.next()).contains(yearlyNext);
      timer = store.reopen().timer("t", Schedule.rate(MINUTE), String.class);
      Instant next = store.clock.instant().plus(MINUTE);
      assertThat(timer.next()).contains(next);
      assertThat(timer.firings().size()).isEqualTo(1);
      store.clock.advanceMillis(MINUTE.toMillis());
      timer = store.reopen().timer("t", yearly, String.class); // it is due: it fires
      Delivery<String> firing = timer.firings().receive().orElseThrow();
      assertThat(firing.message()).isEqualTo("x");
      assertThat(firing.acknowledge()).isTrue();
      assertThat(timer.next()).contains(next.plus(Duration.ofDays(365)));
      timer = store.pool().timer("t", Schedule.cron("@daily", ZoneOffset.UTC), String.class);
      assertThat(timer.next()).contains(Instant.parse("2030-01-02T00:00:00Z"));
      assertThat(timer.firings().size()).isEqualTo(1);
      assertThat(store.pool().verify().isClean()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void startingAgainWithAnotherPayloadWarns(Kind kind) {
    PrintStream errors = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentTimer<String> timer = store.pool().timer("t", Schedule.rate(MINUTE), String.class);
      timer.start("old");
      assertThat(timer.start("old")).isFalse();
      assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("payload");
      assertThat(timer.start("new")).isFalse();
      assertThat(log.toString(StandardCharsets.UTF_8)).contains("WARN", "\"t\"", "payload");
      store.clock.advanceMillis(MINUTE.toMillis());
      assertThat(timer.firings().receive().orElseThrow().message()).isEqualTo("old");
    } finally {
      System.setErr(errors);
    }
  }

  @Test
  void aDelayFiresOnceAndATimerIsNoQueue() {
    try (StoreUnderTest store = new StoreUnderTest(Kind.MEMORY, directory)) {
      PersistentTimer<String> timer = store.pool().timer("t", Schedule.delay(MINUTE), String.class);
      timer.start("x");
      store.clock.advanceMillis(MINUTE.toMillis());
      assertThat(timer.firings().receive().orElseThrow().acknowledge()).isTrue();
      assertThat(timer.firings().size()).isZero();
      assertThatThrownBy(() -> store.pool().queue("t", String.class))
          .isInstanceOf(NameConflictException.class);
      assertThat(store.pool().names().find("t").orElseThrow().type()).isEqualTo("timer");
      assertThatThrownBy(() -> store.reopen().queue("t", String.class))
          .isInstanceOf(NameConflictException.class);
      assertThat(store.pool().verify().isClean()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 3 * * *       | 2030-01-01T03:30:00 | 2030-01-02T03:30:00",
        "*/15 * * * *     | 2030-01-01T00:15:00 | 2030-01-01T00:30:00",
        "*/20 * * * * *   | 2030-01-01T00:00:20 | 2030-01-01T00:00:40",
        "0 9 * * MON-FRI  | 2030-01-01T09:00:00 | 2030-01-02T09:00:00",
        "0 0 29 2 *       | 2032-02-29T00:00:00 | 2036-02-29T00:00:00",
        "0 0 31 * *       | 2030-01-31T00:00:00 | 2030-03-31T00:00:00",
        "0 0 13 * FRI     | 2030-01-04T00:00:00 | 2030-01-11T00:00:00",
        "0 0 * * 7        | 2030-01-06T00:00:00 | 2030-01-13T00:00:00",
        "0 0 * * MON-SUN  | 2030-01-02T00:00:00 | 2030-01-03T00:00:00",
        "0 0 1,L * *      | 2030-01-31T00:00:00 | 2030-02-01T00:00:00",
        "0 0 13 * FRI#2   | 2030-01-11T00:00:00 | 2030-01-13T00:00:00",
        "0 0 31W * *      | 2030-01-31T00:00:00 | 2030-05-31T00:00:00",
        "@Daily           | 2030-01-02T00:00:00 | 2030-01-03T00:00:00",
        "5,10-12/2 1 1 JUN * | 2030-06-01T01:05:00 | 2030-06-01T01:10:00",
      })
  void cronExpressionsMatch(String expression, String first, String second) {
    Schedule schedule = Schedule.cron(expression, ZoneOffset.UTC);
    Instant start = Instant.parse("2030-01-01T00:00:00Z");
    Instant one = schedule.first(start).orElseThrow();
    assertThat(one).isEqualTo(Instant.parse(first + "Z"));
    assertThat(schedule.next(one, one)).contains(Instant.parse(second + "Z"));
  }

  @Test
  void aTimeThatTheClocksSkipFiresAtTheEndOfTheGap() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    Schedule schedule = Schedule.cron("30 2 * * *", berlin);
    Instant before = ZonedDateTime.of(2030, 3, 30, 12, 0, 0, 0, berlin).toInstant();
    assertThat(schedule.first(before).orElseThrow())
        .isEqualTo(ZonedDateTime.of(2030, 3, 31, 3, 0, 0, 0, berlin).toInstant());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "a * * * *",
        "1-2-3 * * * *",
        "*/0 * * * *",
        "5-1 * * * *",
        "0 0 30 2 *",
        "1//2 * * * *",
        "0 0 L-31 * *",
        "0 0 0W * *",
        "0 0 32W * *",
        "0 0 30W 2 *",
        "0 0 W * *",
        "0 0 1L * *",
        "0 0 * * L",
        "0 0 * * 8L",
        "0 0 * * 5#0",
        "0 0 * * 5#6",
        "0 0 * * #2",
        "0 0 , * *",
        "0 0 L, * *",
        "@reboot",
        "@"
      })
  void whatIsNoCronExpressionIsRefused(String expression) {
    assertThatThrownBy(() -> Schedule.cron(expression, ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
