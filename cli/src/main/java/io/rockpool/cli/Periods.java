package io.rockpool.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 500ms}, {@code 1s}, {@code 5m}, {@code 2h}. */
final class Periods implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    try {
      Duration period =
          lower.endsWith("ms")
              ? Duration.ofMillis(Long.parseLong(lower.substring(0, lower.length() - 2)))
              : Duration.parse("PT" + lower);
      if (period.isNegative() || period.isZero()) {
        throw new TypeConversionException("'" + text + "' is not a positive duration");
      }
      return period;
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no duration such as 500ms, 1s or 5m");
    }
  }
}
