package io.rockpool.spring;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a key is made of in the end: the library's codecs, each with its tag in front of the bytes.
 *
 * <p>Only classes of which equal instances have equal bytes, and unequal ones others. A {@code URI}
 * is not among them: two that differ in the case of their letters may be equal.
 */
final class KeyScalars {
  /** The codec of strings, without a tag. */
  static final Codec<String> STRING = Codecs.defaults().codecFor(TypeRef.of(String.class));

  private static final Map<Class<?>, Codec<Object>> BY_CLASS = new HashMap<>();
  private static final Map<Byte, Codec<Object>> BY_TAG = new HashMap<>();

  static {
    add(0x01, String.class);
    add(0x02, byte[].class);
    add(0x03, Boolean.class);
    add(0x04, Byte.class);
    add(0x05, Short.class);
    add(0x06, Character.class);
    add(0x07, Integer.class);
    add(0x08, Long.class);
    add(0x09, Float.class);
    add(0x0A, Double.class);
    add(0x0B, UUID.class);
    add(0x0C, BigInteger.class);
    add(0x0D, BigDecimal.class);
    add(0x10, Instant.class);
    add(0x11, Duration.class);
    add(0x12, LocalDate.class);
    add(0x13, LocalTime.class);
    add(0x14, LocalDateTime.class);
    add(0x15, OffsetDateTime.class);
    add(0x16, ZonedDateTime.class);
    add(0x17, Year.class);
    add(0x18, YearMonth.class);
    add(0x21, Locale.class);
    add(0x22, ZoneId.class);
  }

  private KeyScalars() {}

  @SuppressWarnings("unchecked") // asked for by class or tag, and so given what it encodes
  private static void add(int tag, Class<?> type) {
    Codec<Object> codec = (Codec<Object>) Codecs.defaults().valueCodec(TypeRef.of(type));
    BY_CLASS.put(type, codec);
    BY_TAG.put((byte) tag, codec);
  }

  /** The codec of a class's instances, whose bytes begin with its tag; null if there is none. */
  static @Nullable Codec<Object> of(Class<?> type) {
    return BY_CLASS.get(ZoneId.class.isAssignableFrom(type) ? ZoneId.class : type);
  }

  /** The codec with a tag, or null. */
  static @Nullable Codec<Object> of(byte tag) {
    return BY_TAG.get(tag);
  }
}
