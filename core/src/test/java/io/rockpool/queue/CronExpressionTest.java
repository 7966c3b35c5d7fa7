package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.testing.Slow;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Slow
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CronExpressionTest {
  private static final Instant BEGIN = Instant.parse("2022-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2030-01-01T00:00:00Z");

  /** An expression, and what it means, said in another way. */
  private record Meaning(
      String expression, boolean isFixed, Predicate<LocalTime> time, Predicate<LocalDateTime> day) {
    boolean matches(LocalDateTime local) {
      return time.test(local.toLocalTime()) && day.test(local);
    }
  }

  private static final List<Meaning> MEANINGS =
      List.of(
          new Meaning("30 2 * * *", true, at(2, 30), day -> true),
          new Meaning("0 0 * * *", true, at(0, 0), day -> true),
          new Meaning("15 0 * * *", true, at(0, 15), day -> true),
          new Meaning("59 23 * * *", true, at(23, 59), day -> true),
          new Meaning("0 3 * * *", true, at(3, 0), day -> true),
          new Meaning("37 5 * * *", true, at(5, 37), day -> true),
          new Meaning("0 0 * * MON", true, at(0, 0), day -> is(day, DayOfWeek.MONDAY)),
          new Meaning("0 1 * * 0", true, at(1, 0), day -> is(day, DayOfWeek.SUNDAY)),
          new Meaning("30 0 7 9 *", true, at(0, 30), CronExpressionTest::isSeventhOfSeptember),
          new Meaning("0 0 1 * *", true, at(0, 0), day -> day.getDayOfMonth() == 1),
          new Meaning(
              "0,45 0-4 * * *",
              true,
              time -> time.getMinute() % 45 == 0 && time.getHour() <= 4,
              day -> true),
          new Meaning("*/15 * * * *", false, time -> time.getMinute() % 15 == 0, day -> true),
          new Meaning(
              "10 */2 * * *",
              false,
              time -> time.getMinute() == 10 && time.getHour() % 2 == 0,
              day -> true),
          new Meaning(
              "*/20 0-3 * * *",
              false,
              time -> time.getMinute() % 20 == 0 && time.getHour() <= 3,
              day -> true));

  private static Predicate<LocalTime> at(int hour, int minute) {
    return LocalTime.of(hour, minute)::equals;
  }

  private static boolean is(LocalDateTime day, DayOfWeek wanted) {
    return day.getDayOfWeek() == wanted;
  }

  private static boolean isSeventhOfSeptember(LocalDateTime day) {
    return day.getDayOfMonth() == 7 && day.getMonthValue() == 9;
  }

  /** Around each change of the clocks of each zone, compared with a walk minute by minute. */
  @Test
  void everyChangeOfTheClocksIsAsInAWalkByMinutes() {
    Set<List<ZoneOffsetTransition>> seen = new HashSet<>();
    int walks = 0;
    for (String name : ZoneId.getAvailableZoneIds()) {
      ZoneId zone = ZoneId.of(name);
      ZoneRules rules = zone.getRules();
      ZoneOffsetTransition change = rules.nextTransition(BEGIN);
      while (change != null && change.getInstant().isBefore(END)) {
        Instant begin = change.getInstant().minus(26, ChronoUnit.HOURS);
        Instant end = change.getInstant().plus(28, ChronoUnit.HOURS);
        if (seen.add(changes(rules, begin, end))) {
          walks++;
          compare(zone, begin, end);
        }
        change = rules.nextTransition(change.getInstant());
      }
    }
    assertThat(walks).isGreaterThan(500);
  }

  private static List<ZoneOffsetTransition> changes(ZoneRules rules, Instant begin, Instant end) {
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    ZoneOffsetTransition change = rules.nextTransition(begin);
    while (change != null && change.getInstant().isBefore(end)) {
      changes.add(change);
      change = rules.nextTransition(change.getInstant());
    }
    return changes;
  }

  private static void compare(ZoneId zone, Instant begin, Instant end) {
    List<Set<Instant>> walked = walk(zone, begin, end);
    for (int i = 0; i < MEANINGS.size(); i++) {
      CronExpression cron = new CronExpression(MEANINGS.get(i).expression());
      List<Instant> firings = new ArrayList<>();
      ZonedDateTime next = cron.next(begin.atZone(zone));
      while (next != null && !next.toInstant().isAfter(end)) {
        assertThat(next.getZone()).isEqualTo(zone);
        firings.add(next.toInstant());
        next = cron.next(next);
      }
      assertThat(firings)
          .as(() -> cron + " in " + zone + " from " + begin + " to " + end)
          .containsExactlyElementsOf(walked.get(i));
    }
  }

  /** The firings after a moment, for each expression. */
  private static List<Set<Instant>> walk(ZoneId zone, Instant begin, Instant end) {
    List<Set<Instant>> firings = MEANINGS.stream().map(m -> newSet()).toList();
    ZoneOffset before = zone.getRules().getOffset(begin);
    for (Instant at = begin.plusSeconds(60); !at.isAfter(end); at = at.plusSeconds(60)) {
      ZoneOffset offset = zone.getRules().getOffset(at);
      LocalDateTime local = LocalDateTime.ofInstant(at, offset);
      boolean isRepeated = isRepeated(zone, local, offset);
      List<LocalDateTime> skipped = skipped(local, before, offset);
      for (int i = 0; i < MEANINGS.size(); i++) {
        Meaning meaning = MEANINGS.get(i);
        boolean fires = meaning.matches(local) && !(meaning.isFixed() && isRepeated);
        for (LocalDateTime time : skipped) {
          fires |= meaning.isFixed() && meaning.matches(time);
        }
        if (fires) {
          firings.get(i).add(at);
        }
      }
      before = offset;
    }
    return firings;
  }

  private static Set<Instant> newSet() {
    return new LinkedHashSet<>();
  }

  private static boolean isRepeated(ZoneId zone, LocalDateTime local, ZoneOffset offset) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return offsets.size() > 1 && !offsets.get(0).equals(offset);
  }

  private static List<LocalDateTime> skipped(
      LocalDateTime local, ZoneOffset before, ZoneOffset after) {
    if (after.equals(before)) {
      return List.of();
    }
    List<LocalDateTime> skipped = new ArrayList<>();
    int minutes = (after.getTotalSeconds() - before.getTotalSeconds()) / 60;
    for (int minute = minutes; minute > 0; minute--) {
      skipped.add(local.minusMinutes(minute));
    }
    return skipped;
  }

  @ParameterizedTest
  @CsvSource({
    "Australia/Lord_Howe, 30 3 * * *, 2026-04-04T12:00, 2026-04-05T03:30+10:30",
    "Australia/Lord_Howe, 40 1 * * *, 2026-04-04T12:00, 2026-04-05T01:40+11:00",
    "Australia/Lord_Howe, */5 1 * * *, 2026-04-05T01:55, 2026-04-05T01:30+10:30",
    "America/Santiago, 0 0 * * MON, 2026-09-05T12:00, 2026-09-07T00:00-03:00",
    "America/Santiago, 0 0 * * SUN, 2026-09-05T12:00, 2026-09-06T01:00-03:00",
    "Africa/Cairo, 0 0 * * SAT, 2026-04-22T12:00, 2026-04-25T00:00+03:00",
    "Europe/Berlin, 30 2 * * *, 2026-03-28T12:00, 2026-03-29T03:00+02:00",
    "Europe/Berlin, 30 2 * * *, 2026-03-29T03:00, 2026-03-30T02:30+02:00",
    "Europe/Berlin, 30 2 * * *, 2026-10-24T12:00, 2026-10-25T02:30+02:00",
    "Europe/Berlin, 30 2 * * *, 2026-10-25T02:30, 2026-10-26T02:30+01:00",
    "Europe/Berlin, 30 * * * *, 2026-10-25T02:30, 2026-10-25T02:30+01:00",
    "Europe/Berlin, 5 15 2 * * *, 2026-10-24T12:00, 2026-10-25T02:15:05+02:00",
    "UTC, 0 0 29 2 */7, 2088-03-01T00:00, 2128-02-29T00:00Z",
  })
  void aFiringIsAt(String zone, String expression, LocalDateTime after, String expected) {
    ZonedDateTime next = new CronExpression(expression).next(after.atZone(ZoneId.of(zone)));
    assertThat(next).isNotNull();
    assertThat(next.toOffsetDateTime()).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+5 * * * *",
        "-5 * * * *",
        "\u0665 * * * *",
        "5- * * * *",
        "99999999999 * * * *",
        "* * \u0661W * *",
        "@reboot",
        "@",
        "60 * * * *",
        "* * * *",
        ""
      })
  void whatIsNoExpressionIsRefusedWithItsText(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.cron(text, ZoneOffset.UTC))
        .withMessageContaining("The cron expression \"" + text + "\" ")
        .withMessageMatching("(?s).*(Give numbers|give 5 or 6|none of the words @annually).*");
  }

  @Test
  void aRepeatedTimeDoesNotFireAgainForAnyMomentOfTheSecondPass() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    Instant secondPass = Instant.parse("2026-10-25T01:00:00Z");
    CronExpression cron = new CronExpression("30 2 * * *");
    for (int minute = 0; minute < 60; minute++) {
      Instant after = secondPass.plus(Duration.ofMinutes(minute)).plusNanos(minute);
      assertThat(cron.next(after.atZone(berlin)))
          .isEqualTo(ZonedDateTime.of(2026, 10, 26, 2, 30, 0, 0, berlin));
    }
  }
}
