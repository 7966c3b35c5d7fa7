package io.rockpool.queue;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The days of a cron expression that no number says: {@code L}, {@code L-3}, {@code LW} and {@code
 * 15W} of a month, {@code 5L} and {@code 5#2} of a week. They mean what they mean to Spring.
 */
final class CronDays {
  private static final Pattern FROM_END = Pattern.compile("L-(\\d{1,2})");
  private static final Pattern NEAREST = Pattern.compile("(\\d{1,2})W");
  private static final Pattern LAST_OF_WEEK = Pattern.compile("(\\w+)L");
  private static final Pattern NTH_OF_WEEK = Pattern.compile("(\\w+)#(\\d)");
  private static final int MAX_DAY = 31;
  private static final int WEEKS = 5;
  private static final int WEEK = DayOfWeek.values().length;

  private CronDays() {}

  /** The day that a part of the field says; null if it is another kind of part. */
  static @Nullable Predicate<LocalDate> ofMonth(String part) {
    String upper = part.toUpperCase(Locale.ROOT);
    if (upper.equals("L")) {
      return day -> day.getDayOfMonth() == day.lengthOfMonth();
    }
    if (upper.equals("LW")) {
      return day -> day.equals(lastWeekday(day.withDayOfMonth(day.lengthOfMonth())));
    }
    Matcher fromEnd = FROM_END.matcher(upper);
    if (fromEnd.matches()) {
      int days = Integer.parseInt(fromEnd.group(1));
      return days < MAX_DAY ? day -> day.getDayOfMonth() == day.lengthOfMonth() - days : null;
    }
    Matcher nearest = NEAREST.matcher(upper);
    if (nearest.matches()) {
      int wanted = Integer.parseInt(nearest.group(1));
      return wanted >= 1 && wanted <= MAX_DAY
          ? day ->
              wanted <= day.lengthOfMonth()
                  && day.equals(nearestWeekday(day.withDayOfMonth(wanted)))
          : null;
    }
    return null;
  }

  private static LocalDate lastWeekday(LocalDate lastDay) {
    return switch (lastDay.getDayOfWeek()) {
      case SATURDAY -> lastDay.minusDays(1);
      case SUNDAY -> lastDay.minusDays(2);
      default -> lastDay;
    };
  }

  /** The nearest weekday; that of a Saturday the 1st is the 3rd. */
  private static LocalDate nearestWeekday(LocalDate day) {
    return switch (day.getDayOfWeek()) {
      case SATURDAY -> day.getDayOfMonth() == 1 ? day.plusDays(2) : day.minusDays(1);
      case SUNDAY -> day.plusDays(1); // may be in the next month: then no day of this one matches
      default -> day;
    };
  }

  /**
   * The day that a part of the field says; null if it is another kind of part.
   *
   * @param number the number of a day, 0 to 7
   */
  static @Nullable Predicate<LocalDate> ofWeek(String part, ToIntFunction<String> number) {
    String upper = part.toUpperCase(Locale.ROOT);
    Matcher last = LAST_OF_WEEK.matcher(upper);
    if (last.matches()) {
      DayOfWeek wanted = dayOfWeek(number.applyAsInt(last.group(1)));
      return day ->
          day.getDayOfWeek().equals(wanted) && day.getDayOfMonth() + WEEK > day.lengthOfMonth();
    }
    Matcher nth = NTH_OF_WEEK.matcher(upper);
    if (nth.matches()) {
      DayOfWeek wanted = dayOfWeek(number.applyAsInt(nth.group(1)));
      int week = Integer.parseInt(nth.group(2));
      return week >= 1 && week <= WEEKS
          ? day -> day.getDayOfWeek().equals(wanted) && (day.getDayOfMonth() - 1) / WEEK + 1 == week
          : null;
    }
    return null;
  }

  private static DayOfWeek dayOfWeek(int number) {
    return DayOfWeek.of(number == 0 ? WEEK : number);
  }
}
