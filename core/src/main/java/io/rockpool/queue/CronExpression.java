package io.rockpool.queue;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: five fields (minute, hour, day of month, month, day of week), or six with the
 * second in front. A field is {@code *}, a value, a range {@code a-b}, either with a step {@code
 * /n}, or a list of these. Months and days of the week have their English names, too. Sunday is 0
 * or 7. As in every cron: if both days are restricted, one of them suffices. As in Vixie cron: if
 * neither minute nor hour begins with {@code *}, each local time fires once, whatever the clocks
 * do.
 */
final class CronExpression {
  private static final List<String> MONTHS =
      List.of(
          "", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** February 29 on a certain day of the week may be forty years away. */
  private static final int MAX_YEARS = 41;

  private static final int SUNDAY = 7;
  private static final int FIELDS = 6;

  private final String text;
  private final BitSet seconds;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final boolean eitherDay;

  /** Whether these are times of the day, and no interval, as {@code *} or a step of it is. */
  private final boolean isFixed;

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException if it is none; the message names the field
   */
  CronExpression(String text) {
    String[] given = text.strip().split("\\s+", -1);
    if (given.length != FIELDS && given.length != FIELDS - 1) {
      throw new IllegalArgumentException(
          "The cron expression \"" + text + "\" has " + given.length + " fields; give 5 or 6.");
    }
    int first = given.length - (FIELDS - 1);
    this.text = text;
    this.seconds = first == 0 ? only(0) : field("second", given[0], 0, 59, List.of());
    this.minutes = field("minute", given[first], 0, 59, List.of());
    this.hours = field("hour", given[first + 1], 0, 23, List.of());
    this.daysOfMonth = field("day of month", given[first + 2], 1, 31, List.of());
    this.months = field("month", given[first + 3], 1, 12, MONTHS);
    this.daysOfWeek = field("day of week", given[first + 4], 0, SUNDAY, DAYS);
    if (daysOfWeek.get(SUNDAY)) {
      daysOfWeek.set(0);
    }
    this.eitherDay = isRestricted(given[first + 2]) && isRestricted(given[first + 4]);
    this.isFixed = isRestricted(given[first]) && isRestricted(given[first + 1]);
  }

  private static boolean isRestricted(String field) {
    return !field.startsWith("*") && !field.equals("?");
  }

  private static BitSet only(int value) {
    BitSet set = new BitSet();
    set.set(value);
    return set;
  }

  private BitSet field(String name, String field, int min, int max, List<String> names) {
    BitSet set = new BitSet();
    for (String part : field.split(",", -1)) {
      String[] step = part.split("/", -1);
      String[] range = step[0].split("-", -1);
      boolean all = step[0].equals("*") || step[0].equals("?");
      int from = all ? min : value(name, range[0], names);
      int to = all ? max : value(name, range[range.length - 1], names);
      to = range.length == 1 && step.length == 2 ? max : to;
      int by = step.length == 1 ? 1 : value(name, step[1], List.of());
      if (step.length > 2 || range.length > 2 || from < min || to > max || from > to || by < 1) {
        throw invalid(name, part);
      }
      for (int value = from; value <= to; value += by) {
        set.set(value);
      }
    }
    return set;
  }

  private int value(String name, String part, List<String> names) {
    int named = names.indexOf(part.toUpperCase(Locale.ROOT));
    if (named >= 0 && !part.isEmpty()) {
      return named;
    }
    try {
      return Integer.parseInt(part);
    } catch (NumberFormatException e) {
      throw invalid(name, part);
    }
  }

  private IllegalArgumentException invalid(String name, String part) {
    return new IllegalArgumentException(
        "The cron expression \""
            + text
            + "\" has the "
            + name
            + " \""
            + part
            + "\", which is not possible. Give numbers, ranges, steps or * in their bounds.");
  }

  /**
   * The first firing after a time, or null if there is none.
   *
   * <p>The search is in local time, from one change of the clocks to the next. At a change, a fixed
   * time that is skipped fires at the end of the gap, and one that is repeated fires the first time
   * only.
   */
  @Nullable ZonedDateTime next(ZonedDateTime after) {
    ZoneRules rules = after.getZone().getRules();
    LocalDateTime from = after.toLocalDateTime().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    ZoneOffsetTransition passed = rules.getTransition(after.toLocalDateTime());
    if (passed != null && passed.getOffsetAfter().equals(after.getOffset())) {
      from = later(from, begin(passed));
    }
    int lastYear = from.getYear() + MAX_YEARS;
    ZoneOffset offset = after.getOffset();
    ZoneOffsetTransition change = rules.nextTransition(after.toInstant());
    for (LocalDateTime time = match(from, lastYear); time != null; time = match(from, lastYear)) {
      if (change == null || time.isBefore(change.getDateTimeBefore())) {
        return ZonedDateTime.ofInstant(time, offset, after.getZone());
      }
      if (isFixed && time.isBefore(change.getDateTimeAfter())) {
        return change.getInstant().atZone(after.getZone());
      }
      from = begin(change);
      offset = change.getOffsetAfter();
      change = rules.nextTransition(change.getInstant());
    }
    return null;
  }

  /** The first local time after a change of the clocks at which this may fire. */
  private LocalDateTime begin(ZoneOffsetTransition change) {
    return isFixed
        ? later(change.getDateTimeBefore(), change.getDateTimeAfter())
        : change.getDateTimeAfter();
  }

  private static LocalDateTime later(LocalDateTime one, LocalDateTime other) {
    return one.isAfter(other) ? one : other;
  }

  /** The first local time that matches, from another on; null if there is none. */
  private @Nullable LocalDateTime match(LocalDateTime from, int lastYear) {
    LocalDateTime time = from;
    while (time.getYear() <= lastYear) {
      if (!months.get(time.getMonthValue())) {
        time = time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1).plusMonths(1);
      } else if (!isDay(time)) {
        time = time.truncatedTo(ChronoUnit.DAYS).plusDays(1);
      } else if (!hours.get(time.getHour())) {
        time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      } else if (!minutes.get(time.getMinute())) {
        time = time.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
      } else if (!seconds.get(time.getSecond())) {
        time = time.plusSeconds(1);
      } else {
        return time;
      }
    }
    return null;
  }

  private boolean isDay(LocalDateTime time) {
    boolean ofMonth = daysOfMonth.get(time.getDayOfMonth());
    boolean ofWeek = daysOfWeek.get(time.getDayOfWeek().getValue() % DayOfWeek.values().length);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  @Override
  public String toString() {
    return text;
  }
}
