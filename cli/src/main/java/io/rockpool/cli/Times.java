package io.rockpool.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Points in time as ISO 8601 has them, in UTC or with an offset. */
final class Times implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + text + "' is no time such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00");
    }
  }
}
