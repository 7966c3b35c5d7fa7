package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.AccessMode;
import java.time.DayOfWeek;
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
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The formats as literal bytes. A change here is a change of the format on disk. */
@SuppressWarnings("JavaUtilDate") // one of the types that have bytes
class GoldenBytesTest {
  record Note(String text, Optional<String> reply) {}

  record Track(String album, int number, String title) implements Serializable {}

  private static final HexFormat HEX = HexFormat.of();

  static Stream<Arguments> keys() {
    return Stream.of(
        key("string", String.class, "aé日", "61c3a9e697a5"),
        key("string", String.class, "\0😀", "00eda0bdedb880"),
        key("bytes", byte[].class, new byte[] {0, -1}, "00ff"),
        key("ordered:boolean", Boolean.class, true, "01"),
        key("ordered:byte", Byte.class, (byte) -1, "7f"),
        key("ordered:short", Short.class, (short) 1, "8001"),
        key("ordered:char", Character.class, 'a', "0061"),
        key("ordered:int", Integer.class, -2, "7ffffffe"),
        key("ordered:long", Long.class, 1L, "8000000000000001"),
        key("ordered:float", Float.class, 1f, "bf800000"),
        key("ordered:float", Float.class, -1f, "407fffff"),
        key("ordered:double", Double.class, -0d, "7fffffffffffffff"),
        key("ordered:double", Double.class, Double.NaN, "fff8000000000000"),
        key("ordered:uuid", UUID.class, new UUID(1, -1), "80000000000000017fffffffffffffff"),
        key("ordered:biginteger", BigInteger.class, BigInteger.ZERO, "80"),
        key("ordered:biginteger", BigInteger.class, new BigInteger("256"), "820100"),
        key("ordered:biginteger", BigInteger.class, new BigInteger("-256"), "7dfeff"),
        key("ordered:decimal", BigDecimal.class, new BigDecimal("0.00"), "0280000002"),
        key(
            "ordered:decimal",
            BigDecimal.class,
            new BigDecimal("12.50"),
            "03" + "8000000000000002" + "313235" + "00" + "80000002"),
        key(
            "ordered:decimal",
            BigDecimal.class,
            new BigDecimal("-1"),
            "01" + "7ffffffffffffffe" + "ce" + "ff" + "80000000"),
        key(
            "ordered:instant",
            Instant.class,
            Instant.ofEpochSecond(1, 2),
            "800000000000000100000002"),
        key("ordered:duration", Duration.class, Duration.ofNanos(-1), "7fffffffffffffff3b9ac9ff"),
        key("ordered:date", LocalDate.class, LocalDate.of(2024, 2, 29), "800007e8021d"),
        key("ordered:time", LocalTime.class, LocalTime.of(0, 0, 1), "000000003b9aca00"),
        key(
            "ordered:datetime",
            LocalDateTime.class,
            LocalDateTime.of(2024, 2, 29, 0, 0, 1),
            "800007e8021d000000003b9aca00"),
        key(
            "ordered:offsetdatetime",
            OffsetDateTime.class,
            OffsetDateTime.parse("1970-01-01T01:00:01+01:00"),
            "8000000000000001" + "00000000" + "80000e10"),
        key(
            "ordered:zoneddatetime",
            ZonedDateTime.class,
            ZonedDateTime.parse("1970-01-01T01:00:01+01:00[Europe/Paris]"),
            "8000000000000001" + "00000000" + "80000e10" + "4575726f70652f5061726973"),
        key("ordered:year", Year.class, Year.of(2024), "800007e8"),
        key("ordered:yearmonth", YearMonth.class, YearMonth.of(2024, 2), "800007e802"),
        key("ordered:javadate", Date.class, new Date(1), "8000000000000001"),
        key("ordered:enum", DayOfWeek.class, DayOfWeek.TUESDAY, "00015455455344" + "4159"),
        key(
            "ordered:record(album string,number ordered:int,title string)",
            Track.class,
            new Track("a\0b", 7, "\0"),
            "6100ff620000" + "80000007" + "00"));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        key("string", String.class, "a", "0161"),
        key("bytes", byte[].class, new byte[] {5}, "0205"),
        key("ordered:boolean", Boolean.class, false, "0300"),
        key("ordered:byte", Byte.class, (byte) 0, "0480"),
        key("ordered:short", Short.class, (short) 0, "058000"),
        key("ordered:char", Character.class, 'a', "060061"),
        key("ordered:int", Integer.class, 0, "0780000000"),
        key("ordered:long", Long.class, 0L, "088000000000000000"),
        key("ordered:float", Float.class, 0f, "0980000000"),
        key("ordered:double", Double.class, 0d, "0a8000000000000000"),
        key("ordered:uuid", UUID.class, new UUID(0, 0), "0b80000000000000008000000000000000"),
        key("ordered:biginteger", BigInteger.class, BigInteger.ONE, "0c8101"),
        key("decimal", BigDecimal.class, new BigDecimal("-1.50"), "0d00000002ff6a"),
        key("enum", AccessMode.class, AccessMode.READ, "0e52454144"),
        key("ordered:instant", Instant.class, Instant.EPOCH, "10800000000000000000000000"),
        key("ordered:duration", Duration.class, Duration.ZERO, "11800000000000000000000000"),
        key("ordered:date", LocalDate.class, LocalDate.EPOCH, "12800007b20101"),
        key("ordered:time", LocalTime.class, LocalTime.MIN, "130000000000000000"),
        key(
            "ordered:datetime",
            LocalDateTime.class,
            LocalDateTime.of(1970, 1, 1, 0, 0),
            "14800007b201010000000000000000"),
        key(
            "ordered:offsetdatetime",
            OffsetDateTime.class,
            OffsetDateTime.parse("1970-01-01T00:00Z"),
            "1580000000000000000000000080000000"),
        key(
            "ordered:zoneddatetime",
            ZonedDateTime.class,
            ZonedDateTime.parse("1970-01-01T00:00Z"),
            "16800000000000000000000000800000005a"),
        key("ordered:year", Year.class, Year.of(1), "1780000001"),
        key("ordered:yearmonth", YearMonth.class, YearMonth.of(1, 1), "188000000101"),
        key("ordered:javadate", Date.class, new Date(1), "198000000000000001"),
        key("text:uri", URI.class, URI.create("a:b"), "20613a62"),
        key("text:locale", Locale.class, Locale.CANADA_FRENCH, "2166722d4341"),
        key("text:zone", ZoneId.class, ZoneId.of("UTC"), "22555443"));
  }

  /** Class data in values is compressed, which not every JDK does alike: these are only read. */
  @Test
  void valuesOfTheFallbacksAreStillRead() {
    Track track = new Track("a", 7, "é");
    read(
        Codecs.defaults().valueCodec(TypeRef.of(Track.class)),
        track,
        "f000001e0034d0604c97c2856230062d21da8b84a7b9cbd09c32084174ce58c8de871324bb324a7cece20128"
            + "34368c09221405368161a300141536cd13590014150eff0461ff04e9");
    read(
        Codecs.defaults().valueCodec(new TypeRef<List<Track>>() {}),
        List.of(track),
        "f00000ce01091e0034d0604c97c2856230062d21da8b84a7b9cbd09c32084174ce58c8de871324bb324a7cec"
            + "e2012834368c09221405368161a300141536cd1359001415000eff0461ff04e9");
    read(
        Codecs.builder()
            .fallback(Fallback.JAVA_SERIALIZATION)
            .build()
            .valueCodec(TypeRef.of(Track.class)),
        track,
        "f1aced000573720027696f2e726f636b706f6f6c2e636f6465632e476f6c64656e4279746573546573742454"
            + "7261636b00000000000000000200034900066e756d6265724c0005616c62756d7400124c6a6176612f6c"
            + "616e672f537472696e673b4c00057469746c6571007e000178700000000774000161740002c3a9");
  }

  @Test
  void aKeyThatDoesNotSortIsTheSameOnEveryJdk() {
    Note note = new Note("a", Optional.of("b"));
    check(
        Codecs.defaults().keyCodec(TypeRef.of(Note.class)),
        "fory",
        note,
        "00ff1e002c90b715b4ba7c3430042d21da8b84a7b9cbd09c320842c07161886b6c26225688927f4e7262"
            + "0036c48f5e001470264c97981415ffff150462ff0461");
  }

  private static <T> void read(Codec<T> codec, T value, String hex) {
    byte[] bytes = HEX.parseHex(hex);
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(value);
  }

  private static Arguments key(String id, Class<?> type, Object value, String hex) {
    return Arguments.of(id, type, value, hex);
  }

  @ParameterizedTest
  @MethodSource("keys")
  <K> void keys(String id, Class<K> type, K key, String hex) {
    check(Codecs.defaults().keyCodec(TypeRef.of(type)), id, key, hex);
    assertThat(Codecs.defaults().orderedFor(TypeRef.of(type)).id()).isEqualTo(id);
  }

  @ParameterizedTest
  @MethodSource("values")
  <V> void taggedValues(String id, Class<V> type, V value, String hex) {
    check(Codecs.defaults().valueCodec(TypeRef.of(type)), id, value, hex);
  }

  private static <T> void check(Codec<T> codec, String id, T value, String hex) {
    assertThat(codec.id()).isEqualTo(id);
    assertThat(HEX.formatHex(codec.encode(value))).isEqualTo(hex);
    byte[] bytes = HEX.parseHex(hex);
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(value);
  }
}
