package io.rockpool.queue;

import io.rockpool.internal.concurrent.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** When a timer fires. Immutable. */
public final class Schedule {
  /** No message can be due later: engines store no later time. */
  private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE / 1_000 - 1);

  private final String text;
  private final Duration first;
  private final BiFunction<Instant, Instant, @Nullable Instant> next;

  private Schedule(
      String text, Duration first, BiFunction<Instant, Instant, @Nullable Instant> next) {
    this.text = text;
    this.first = first;
    this.next = next;
  }

  /**
   * The times of a cron expression: minute, hour, day of month, month, day of week, as in {@code
   * "30 3 * * MON-FRI"}; with six fields, the second is in front. Days may be {@code L} (the last
   * of the month), {@code L-3}, {@code LW} (the last weekday), {@code 15W} (the weekday nearest to
   * the 15th), {@code 5L} (the last Friday) and {@code 5#2} (the second Friday). One word is
   * possible instead: {@code "@hourly"}, {@code "@daily"}, {@code "@midnight"}, {@code "@weekly"},
   * {@code "@monthly"}, {@code "@yearly"} or {@code "@annually"}.
   *
   * <p>When the clocks change, a time of the day still fires once: one that is skipped fires at the
   * end of the gap, and one that is repeated fires the first time only. If the minute or the hour
   * begins with {@code *}, the expression is an interval: it fires in both repeated hours, and not
   * in a skipped one.
   *
   * @param zone the zone of the times
   * @throws IllegalArgumentException if it is no such expression, or never matches
   */
  public static Schedule cron(String expression, ZoneId zone) {
    CronExpression cron = new CronExpression(expression);
    if (cron.next(ZonedDateTime.ofInstant(Instant.EPOCH, zone)) == null) {
      throw new IllegalArgumentException(
          "The cron expression \"" + expression + "\" never matches; check day and month.");
    }
    return new Schedule(
        "cron " + expression + " in " + zone,
        Duration.ZERO,
        (due, now) -> {
          ZonedDateTime time = cron.next(ZonedDateTime.ofInstant(later(due, now), zone));
          return time == null ? null : time.toInstant();
        });
  }

  /**
   * A fixed rate. The first firing is one period after the start. Firings that were missed are
   * skipped; the others keep the rhythm.
   *
   * @throws IllegalArgumentException if the period is less than 1 millisecond
   */
  public static Schedule rate(Duration period) {
    long millis = Durations.millis(period);
    if (millis < 1) {
      throw new IllegalArgumentException("period is " + period + "; give 1 millisecond or more.");
    }
    return new Schedule(
        "every " + period,
        period,
        (due, now) -> {
          long missed = Math.max(0, Durations.millis(Duration.between(due, now)) / millis);
          return later(due, missed + 1, millis);
        });
  }

  /**
   * One firing, a delay after the start.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Schedule delay(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay is " + delay + "; give zero or more.");
    }
    return new Schedule("once after " + delay, delay, (due, now) -> null);
  }

  /** Returns the time some periods after another; at most the last that a timer can be due at. */
  private static Instant later(Instant due, long periods, long millis) {
    return millis > (LAST.toEpochMilli() - due.toEpochMilli()) / periods
        ? LAST
        : due.plusMillis(periods * millis);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** The first firing of a timer that is started now; empty if there is none. */
  public Optional<Instant> first(Instant now) {
    return first.isZero() && text.startsWith("cron ")
        ? next(now, now)
        : Optional.of(later(now, 1, Durations.millis(first)));
  }

  /** The firing after one that was due at a time and is delivered now; empty if there is none. */
  public Optional<Instant> next(Instant due, Instant now) {
    return Optional.ofNullable(next.apply(due, now));
  }

  @Override
  public String toString() {
    return text;
  }
}
