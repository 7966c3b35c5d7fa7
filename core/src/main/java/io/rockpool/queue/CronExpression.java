package io.rockpool.queue;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: five fields (minute, hour, day of month, month, day of week), or six with the
 * second in front. A field is {@code *}, a value, a range {@code a-b}, either with a step {@code
 * /n}, or a list of these. Months and days of the week have their English names, too. Sunday is 0
 * or 7. Days may also be those of {@link CronDays}; {@code @daily} and its like are one word. As in
 * every cron: if both days are restricted, one of them suffices. As in Vixie cron: if neither
 * minute nor hour begins with {@code *}, each local time fires once, whatever the clocks do.
 */
final class CronExpression {
  private static final List<String> MONTHS =
      List.of(
          "", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private static final Map<String, String> WORDS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  /** February 29 on a certain day of the week may be forty years away. */
  private static final int MAX_YEARS = 41;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");
  private static final int SUNDAY = 7;
  private static final int FIELDS = 6;

  private final String text;
  private final BitSet seconds;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final List<Predicate<LocalDate>> namedOfMonth = new ArrayList<>();
  private final List<Predicate<LocalDate>> namedOfWeek = new ArrayList<>();
  private final boolean eitherDay;

  /** Whether these are times of the day, and no interval, as {@code *} or a step of it is. */
  private final boolean isFixed;

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException if it is none; the message names the field
   */
  CronExpression(String text) {
    String stripped = text.strip();
    String fields = WORDS.getOrDefault(stripped.toLowerCase(Locale.ROOT), stripped);
    if (fields.startsWith("@")) {
      throw new IllegalArgumentException(
          "The cron expression \""
              + text
              + "\" is none of the words "
              + String.join(", ", new TreeSet<>(WORDS.keySet()))
              + ".");
    }
    String[] given = fields.split("\\s+", -1);
    if (given.length != FIELDS && given.length != FIELDS - 1) {
      throw new IllegalArgumentException(
          "The cron expression \"" + text + "\" has " + given.length + " fields; give 5 or 6.");
    }
    int first = given.length - (FIELDS - 1);
    this.text = text;
    this.seconds = first == 0 ? only(0) : field("second", given[0], 0, 59, List.of());
    this.minutes = field("minute", given[first], 0, 59, List.of());
    this.hours = field("hour", given[first + 1], 0, 23, List.of());
    String ofMonth = without(given[first + 2], namedOfMonth, CronDays::ofMonth);
    this.daysOfMonth = field("day of month", ofMonth, 1, 31, List.of());
    this.months = field("month", given[first + 3], 1, 12, MONTHS);
    String ofWeek =
        without(given[first + 4], namedOfWeek, part -> CronDays.ofWeek(part, this::dayOfWeek));
    this.daysOfWeek = field("day of week", ofWeek, 0, SUNDAY, DAYS);
    if (daysOfWeek.get(SUNDAY)) {
      daysOfWeek.set(0);
    }
    this.eitherDay = isRestricted(given[first + 2]) && isRestricted(given[first + 4]);
    this.isFixed = isRestricted(given[first]) && isRestricted(given[first + 1]);
  }

  /**
   * A field without the parts that {@code reader} reads, which it adds to {@code named}; null if
   * nothing is left.
   */
  private static @Nullable String without(
      String field,
      List<Predicate<LocalDate>> named,
      Function<String, @Nullable Predicate<LocalDate>> reader) {
    List<String> others = new ArrayList<>();
    for (String part : field.split(",", -1)) {
      Predicate<LocalDate> read = reader.apply(part);
      if (read == null) {
        others.add(part);
      } else {
        named.add(read);
      }
    }
    return others.isEmpty() ? null : String.join(",", others);
  }

  private int dayOfWeek(String part) {
    int number = value("day of week", part, DAYS);
    if (number < 0 || number > SUNDAY) {
      throw invalid("day of week", part);
    }
    return number;
  }

  private static boolean isRestricted(String field) {
    return !field.startsWith("*") && !field.equals("?");
  }

  private static BitSet only(int value) {
    BitSet set = new BitSet();
    set.set(value);
    return set;
  }

  private BitSet field(String name, @Nullable String field, int min, int max, List<String> names) {
    BitSet set = new BitSet();
    if (field == null) {
      return set;
    }
    for (String part : field.split(",", -1)) {
      String[] step = part.split("/", -1);
      String[] range = step[0].split("-", -1);
      boolean all = step[0].equals("*") || step[0].equals("?");
      int from = all ? min : value(name, range[0], names);
      int to = all ? max : value(name, range[range.length - 1], names);
      to = range.length == 1 && step.length == 2 ? max : to;
      to = max == SUNDAY && range.length == 2 && to == 0 ? SUNDAY : to; // MON-SUN
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
    if (!NUMBER.matcher(part).matches()) { // the JDK would take signs and other digits
      throw invalid(name, part);
    }
    return Integer.parseInt(part);
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
    LocalDate day = time.toLocalDate();
    boolean ofMonth = daysOfMonth.get(time.getDayOfMonth()) || isAny(namedOfMonth, day);
    boolean ofWeek =
        daysOfWeek.get(time.getDayOfWeek().getValue() % DayOfWeek.values().length)
            || isAny(namedOfWeek, day);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private static boolean isAny(List<Predicate<LocalDate>> named, LocalDate day) {
    return !named.isEmpty() && named.stream().anyMatch(one -> one.test(day));
  }

  @Override
  public String toString() {
    return text;
  }
}
