package io.rockpool.spring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.queue.Schedule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.support.CronExpression;

/** Days of cron expressions mean what they mean to Spring. */
class CronOracleTest {
  private static final Instant BEGIN = Instant.parse("2024-01-31T10:20:30Z");
  private static final int FIRINGS = 60;
  private static final List<String> NAMES =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

  /** The days of a month, and those of a week: one of them is restricted. */
  private static List<String> expressions() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "@yearly",
                "@annually",
                "@monthly",
                "@weekly",
                "@daily",
                "@midnight",
                "@hourly",
                "15 3 L * ?",
                "15 3 LW * *",
                "15 3 L 2,4 *",
                "*/20 3 1,L * *",
                "0 0 1,15W,LW * *",
                "0 0 * * MON-FRI",
                "0 0 * * MON-SUN",
                "0 0 * * SUN-TUE",
                "0 0 * * MON,5#2",
                "0 0 ? * 1,FRIL"));
    for (int i = 1; i <= 31; i++) {
      all.add("15 3 " + i + "W * *");
    }
    for (int i = 1; i <= 27; i++) { // those that each month has
      all.add("15 3 L-" + i + " * *");
    }
    for (int day = 0; day <= 7; day++) {
      all.add("0 6 * * " + day + "L");
      all.add("0 6 ? 3,8 " + NAMES.get(day) + "L");
      for (int week = 1; week <= 5; week++) {
        all.add("0 6 * * " + day + "#" + week);
        all.add("0 6 ? * " + NAMES.get(day) + "#" + week);
      }
    }
    return all;
  }

  @Test
  void firesWhenSpringDoes() {
    for (String expression : expressions()) {
      Schedule ours = Schedule.cron(expression, ZoneOffset.UTC);
      CronExpression springs =
          CronExpression.parse(expression.startsWith("@") ? expression : "0 " + expression);
      ZonedDateTime time = BEGIN.atZone(ZoneOffset.UTC);
      for (int i = 0; i < FIRINGS; i++) {
        ZonedDateTime expected = springs.next(time);
        assertThat(ours.next(time.toInstant(), time.toInstant()))
            .as("%s after %s", expression, time)
            .contains(expected.toInstant());
        time = expected;
      }
    }
  }
}
