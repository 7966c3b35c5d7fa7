package io.rockpool.queue;

import java.time.DayOfWeek;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: five fields (minute, hour, day of month, month, day of week), or six with the
 * second in front. A field is {@code *}, a value, a range {@code a-b}, either with a step {@code
 * /n}, or a list of these. Months and days of the week have their English names, too. Sunday is 0
 * or 7. As in every cron: if both days are restricted, one of them suffices.
 */
final class CronExpression {
  private static final List<String> MONTHS =
      List.of(
          "", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** February 29 may be eight years away. */
  private static final int MAX_YEARS = 9;

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

  /** The first time after another that matches, or null if there is none. */
  @Nullable ZonedDateTime next(ZonedDateTime after) {
    ZonedDateTime time = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    int lastYear = time.getYear() + MAX_YEARS;
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

  private boolean isDay(ZonedDateTime time) {
    boolean ofMonth = daysOfMonth.get(time.getDayOfMonth());
    boolean ofWeek = daysOfWeek.get(time.getDayOfWeek().getValue() % DayOfWeek.values().length);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  @Override
  public String toString() {
    return text;
  }
}
