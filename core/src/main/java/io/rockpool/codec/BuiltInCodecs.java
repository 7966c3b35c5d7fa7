package io.rockpool.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The codecs of JDK types, by class. */
final class BuiltInCodecs {
  private static final Map<Class<?>, OrderedCodec<?>> ORDERED = new HashMap<>();
  private static final Map<Class<?>, Codec<?>> VALUES;

  static {
    ordered(String.class, StringCodec.INSTANCE);
    ordered(byte[].class, BytesCodec.INSTANCE);
    ordered(Boolean.class, NumberCodecs.BOOLEAN);
    ordered(Byte.class, NumberCodecs.BYTE);
    ordered(Short.class, NumberCodecs.SHORT);
    ordered(Character.class, NumberCodecs.CHARACTER);
    ordered(Integer.class, NumberCodecs.INTEGER);
    ordered(Long.class, NumberCodecs.LONG);
    ordered(Float.class, NumberCodecs.FLOAT);
    ordered(Double.class, NumberCodecs.DOUBLE);
    ordered(UUID.class, UuidCodec.INSTANCE);
    ordered(BigInteger.class, new BigIntegerCodec());
    ordered(BigDecimal.class, new DecimalOrderCodec());
    ordered(Instant.class, TimeCodecs.INSTANT);
    ordered(Duration.class, TimeCodecs.DURATION);
    ordered(LocalDate.class, TimeCodecs.LOCAL_DATE);
    ordered(LocalTime.class, TimeCodecs.LOCAL_TIME);
    ordered(LocalDateTime.class, TimeCodecs.LOCAL_DATE_TIME);
    ordered(OffsetDateTime.class, TimeCodecs.OFFSET_DATE_TIME);
    ordered(ZonedDateTime.class, new ZonedDateTimeCodec());
    ordered(Year.class, TimeCodecs.YEAR);
    ordered(YearMonth.class, TimeCodecs.YEAR_MONTH);
    ordered(Date.class, new DateCodec());
    VALUES = new HashMap<>(ORDERED);
    VALUES.put(BigDecimal.class, new DecimalCodec());
    VALUES.put(URI.class, TextCodec.uri());
    VALUES.put(Locale.class, TextCodec.locale());
    VALUES.put(ZoneId.class, TextCodec.zone());
    VALUES.put(Currency.class, TextCodec.currency());
  }

  private BuiltInCodecs() {}

  private static <T> void ordered(Class<T> type, OrderedCodec<T> codec) {
    ORDERED.put(type, codec);
  }

  /** Returns the ordered codec of a class, for keys. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static @Nullable OrderedCodec<?> ordered(Class<?> type) {
    return type.isEnum() ? new EnumOrderCodec(type) : ORDERED.get(type);
  }

  /** Returns the codec of a class for keys whose order does not count, or null. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static @Nullable OrderedCodec<?> exact(Class<?> type) {
    return type.isEnum() ? new EnumCodec(type) : ORDERED.get(type);
  }

  /** Returns the codec of a class for values: the ordered one where nothing else serves better. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static @Nullable Codec<?> value(Class<?> type) {
    return type.isEnum() ? new EnumCodec(type) : VALUES.get(type);
  }

  static void forEachValueCodec(BiConsumer<Class<?>, Codec<?>> action) {
    VALUES.forEach(action);
  }

  static boolean isImmutable(Class<?> type) {
    Codec<?> codec = VALUES.get(type);
    return codec != null && codec.immutable();
  }
}
