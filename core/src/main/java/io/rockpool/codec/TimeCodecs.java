package io.rockpool.codec;

import io.rockpool.internal.bytes.BigEndian;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * The types of {@code java.time} that have a fixed width, each in the order of its {@code
 * compareTo}: the most significant part first.
 */
final class TimeCodecs {
  private static final int MOMENT_BYTES = Long.BYTES + Integer.BYTES;
  private static final int DATE_BYTES = Integer.BYTES + 2;
  private static final int LAST_NANO = 999_999_999;

  private TimeCodecs() {}

  static int readNanos(String id, byte[] in, int at) {
    int nanos = BigEndian.getInt(in, at);
    if (nanos < 0 || nanos > LAST_NANO) {
      throw Undecodable.damaged(id, nanos + " is not a nanosecond of a second", null);
    }
    return nanos;
  }

  /** Seconds since 1970, then nanoseconds. */
  static final FixedWidthCodec<Instant> INSTANT =
      new FixedWidthCodec<>("ordered:instant", MOMENT_BYTES) {
        @Override
        void write(byte[] out, int at, Instant value) {
          BigEndian.putOrderedLong(out, at, value.getEpochSecond());
          BigEndian.putInt(out, at + Long.BYTES, value.getNano());
        }

        @Override
        Instant read(byte[] in, int at) {
          int nanos = readNanos(id(), in, at + Long.BYTES);
          return Instant.ofEpochSecond(BigEndian.getOrderedLong(in, at), nanos);
        }
      };

  /** Seconds, then nanoseconds. */
  static final FixedWidthCodec<Duration> DURATION =
      new FixedWidthCodec<>("ordered:duration", MOMENT_BYTES) {
        @Override
        void write(byte[] out, int at, Duration value) {
          BigEndian.putOrderedLong(out, at, value.getSeconds());
          BigEndian.putInt(out, at + Long.BYTES, value.getNano());
        }

        @Override
        Duration read(byte[] in, int at) {
          int nanos = readNanos(id(), in, at + Long.BYTES);
          return Duration.ofSeconds(BigEndian.getOrderedLong(in, at), nanos);
        }
      };

  /** Year, month, day. */
  static final FixedWidthCodec<LocalDate> LOCAL_DATE =
      new FixedWidthCodec<>("ordered:date", DATE_BYTES) {
        @Override
        void write(byte[] out, int at, LocalDate value) {
          BigEndian.putOrderedInt(out, at, value.getYear());
          out[at + Integer.BYTES] = (byte) value.getMonthValue();
          out[at + Integer.BYTES + 1] = (byte) value.getDayOfMonth();
        }

        @Override
        LocalDate read(byte[] in, int at) {
          return LocalDate.of(
              BigEndian.getOrderedInt(in, at), in[at + Integer.BYTES], in[at + Integer.BYTES + 1]);
        }
      };

  /** Nanosecond of the day. */
  static final FixedWidthCodec<LocalTime> LOCAL_TIME =
      new FixedWidthCodec<>("ordered:time", Long.BYTES) {
        @Override
        void write(byte[] out, int at, LocalTime value) {
          BigEndian.putLong(out, at, value.toNanoOfDay());
        }

        @Override
        LocalTime read(byte[] in, int at) {
          return LocalTime.ofNanoOfDay(BigEndian.getLong(in, at));
        }
      };

  /** The date, then the time. */
  static final FixedWidthCodec<LocalDateTime> LOCAL_DATE_TIME =
      new FixedWidthCodec<>("ordered:datetime", DATE_BYTES + Long.BYTES) {
        @Override
        void write(byte[] out, int at, LocalDateTime value) {
          LOCAL_DATE.write(out, at, value.toLocalDate());
          LOCAL_TIME.write(out, at + DATE_BYTES, value.toLocalTime());
        }

        @Override
        LocalDateTime read(byte[] in, int at) {
          return LocalDateTime.of(LOCAL_DATE.read(in, at), LOCAL_TIME.read(in, at + DATE_BYTES));
        }
      };

  /**
   * The instant, then the offset in seconds: {@code compareTo} compares instants and breaks ties by
   * the local time, which at one instant grows with the offset.
   */
  static final FixedWidthCodec<OffsetDateTime> OFFSET_DATE_TIME =
      new FixedWidthCodec<>("ordered:offsetdatetime", MOMENT_BYTES + Integer.BYTES) {
        @Override
        void write(byte[] out, int at, OffsetDateTime value) {
          BigEndian.putOrderedLong(out, at, value.toEpochSecond());
          BigEndian.putInt(out, at + Long.BYTES, value.getNano());
          BigEndian.putOrderedInt(out, at + MOMENT_BYTES, value.getOffset().getTotalSeconds());
        }

        @Override
        OffsetDateTime read(byte[] in, int at) {
          ZoneOffset offset =
              ZoneOffset.ofTotalSeconds(BigEndian.getOrderedInt(in, at + MOMENT_BYTES));
          int nanos = readNanos(id(), in, at + Long.BYTES);
          long seconds = BigEndian.getOrderedLong(in, at);
          return OffsetDateTime.of(LocalDateTime.ofEpochSecond(seconds, nanos, offset), offset);
        }
      };

  /** The year's number. */
  static final FixedWidthCodec<Year> YEAR =
      new FixedWidthCodec<>("ordered:year", Integer.BYTES) {
        @Override
        void write(byte[] out, int at, Year value) {
          BigEndian.putOrderedInt(out, at, value.getValue());
        }

        @Override
        Year read(byte[] in, int at) {
          return Year.of(BigEndian.getOrderedInt(in, at));
        }
      };

  /** Year, month. */
  static final FixedWidthCodec<YearMonth> YEAR_MONTH =
      new FixedWidthCodec<>("ordered:yearmonth", Integer.BYTES + 1) {
        @Override
        void write(byte[] out, int at, YearMonth value) {
          BigEndian.putOrderedInt(out, at, value.getYear());
          out[at + Integer.BYTES] = (byte) value.getMonthValue();
        }

        @Override
        YearMonth read(byte[] in, int at) {
          return YearMonth.of(BigEndian.getOrderedInt(in, at), in[at + Integer.BYTES]);
        }
      };
}
