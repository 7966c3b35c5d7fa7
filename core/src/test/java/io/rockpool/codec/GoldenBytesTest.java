package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ValueRange;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
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
        key("text:locale", Locale.class, Locale.forLanguageTag("sr-Latn"), "2173722d4c61746e"),
        key("text:locale", Locale.class, new Locale("x", "y", "z"), "21785f595f7a"),
        key("text:zone", ZoneId.class, ZoneId.of("UTC"), "22555443"),
        key("text:currency", Currency.class, Currency.getInstance("EUR"), "23455552"));
  }

  /** What follows the length, where such a value is within one that Fory writes. */
  static Stream<Arguments> within() {
    return Stream.of(
        Arguments.of(new UUID(0, 0), "80000000000000008000000000000000"),
        Arguments.of(new BigDecimal("-1.50"), "00000002ff6a"),
        Arguments.of(LocalDate.EPOCH, "800007b20101"),
        Arguments.of(
            ZonedDateTime.parse("2024-10-27T02:30+01:00[Europe/Paris]"),
            "80000000671d9798" + "00000000" + "80000e10" + "4575726f70652f5061726973"),
        Arguments.of(Locale.forLanguageTag("sr-Latn"), "73722d4c61746e"),
        Arguments.of(ZoneOffset.UTC, "5a"),
        Arguments.of(TimeZone.getTimeZone("GMT"), "474d54"),
        Arguments.of(Period.of(1, 2, 3), "503159324d3344"),
        Arguments.of(MonthDay.of(2, 29), "2d2d30322d3239"),
        Arguments.of(OffsetTime.parse("01:02Z"), "30313a30325a"),
        Arguments.of(
            MathContext.DECIMAL32,
            "707265636973696f6e3d3720726f756e64696e674d6f64653d48414c465f4556454e"),
        Arguments.of(Currency.getInstance("EUR"), "455552"),
        Arguments.of(StandardCharsets.UTF_8, "5554462d38"),
        Arguments.of(new File("a"), "61"));
  }

  @ParameterizedTest
  @MethodSource("within")
  @SuppressWarnings("unchecked")
  void simpleValuesWithinOthers(Object value, String hex) {
    Codec<Object> codec = (Codec<Object>) JdkSerializers.codec(value.getClass());
    assertThat(HEX.formatHex(codec.encode(value))).isEqualTo(hex);
    read(codec, value, hex);
  }

  @Test
  void anExpressionWithinOthers() {
    @SuppressWarnings("unchecked")
    Codec<Pattern> codec = (Codec<Pattern>) JdkSerializers.codec(Pattern.class);
    assertThat(HEX.formatHex(codec.encode(Pattern.compile("a:b", Pattern.DOTALL))))
        .isEqualTo("33323a613a62");
    assertThat(codec.decode(HEX.parseHex("33323a613a62"), 0, 6).pattern()).isEqualTo("a:b");
  }

  /** Collections as their trait and their elements. */
  @Test
  void collectionsWithinOthersAreStillRead() {
    Codec<Object> any = Codecs.defaults().valueCodec(TypeRef.of(Object.class));
    read(any, Stream.of("a", null, "b").toList(), "f00000cf070a15ff0461fdff0462");
    read(
        any,
        Map.entry("k", "v"),
        "f00000200015101c7eafc8ce56700019241506a9342c2e482317805a8242716188880059020815046b0476");
    byte[] queue = HEX.parseHex("f00000b4fd02081504610462");
    assertThat(any.decode(queue, 0, queue.length)).hasToString("[a, b]");
    byte[] linked = HEX.parseHex("f00000800004feffffff0f0108150461");
    assertThat(any.decode(linked, 0, linked.length)).hasToString("[a]");
    byte[] bounded = HEX.parseHex("f000007f0004060108150461");
    ArrayBlockingQueue<?> three = (ArrayBlockingQueue<?>) any.decode(bounded, 0, bounded.length);
    assertThat(three).hasToString("[a]");
    assertThat(three.remainingCapacity()).isEqualTo(2);
  }

  @Test
  void aMapInAccessOrderHasAMarkBeforeItsSize() {
    Codec<Object> any = Codecs.defaults().valueCodec(TypeRef.of(Object.class));
    LinkedHashMap<String, String> map = new LinkedHashMap<>(Map.of("a", "b"));
    assertThat(HEX.formatHex(any.encode(map))).isEqualTo("f0000069010001151504610462");
    LinkedHashMap<String, String> byAccess = new LinkedHashMap<>(16, 0.75f, true);
    byAccess.put("a", "b");
    assertThat(HEX.formatHex(any.encode(byAccess)))
        .isEqualTo("f0000069ffffffff0f010001151504610462");
  }

  /**
   * What follows the class data, which is only read: those of arrays, of collections as their trait
   * and their elements, and the JDK's streams with their length.
   */
  static Stream<Arguments> jdkValues() throws Exception {
    LongAdder adder = new LongAdder();
    adder.add(5);
    Exception thrown = new Exception("x");
    thrown.setStackTrace(new StackTraceElement[0]);
    return Stream.of(
        Arguments.of(
            new AtomicIntegerArray(new int[] {1, 2}),
            "00200023e0b89e2091882d700045241506a9342f42734548c48d9e8137310239f41373102ea1b321891e823106",
            "000054080100000002000000"),
        Arguments.of(
            new AtomicLongArray(new long[] {1}),
            "00200021f0c2a275db0679700045241506a9342f42734548c48d9e81373102323499c61014a71a3348a203",
            "000056080100000000000000"),
        Arguments.of(
            new AtomicReferenceArray<>(new Object[] {"a", null}),
            "00200024a0cf3b2251ce6a700045241506a9342f42734548c48d9e813731023d741373102ec4852448d113a08c4180",
            "0059020a15ff0461fd"),
        Arguments.of(
            Collections.nCopies(2, "a"),
            "0020001a208c96c82fd134700019241506a9342c41744e5ac829a1cd973a273d049756894c",
            "02081504610461"),
        Arguments.of(setOfA(), "00b7", "0001010108150461"),
        Arguments.of(
            new LinkedTransferQueue<>(List.of("a")),
            "0020001fb030295543674c700035241506a9342f42734548c48d983975686a883ece206c8a48f6142508",
            "fd0108150461"),
        Arguments.of(
            adder,
            "0020001cf0dd390473a63e700045241506a9342f42734548c48d9e813731021e4a71a33418622",
            "25daced0005737200386a6176612e7574696c2e636f6e63757272656e742e61746f6d69632e4c6f6e67"
                + "41646465722453657269616c697a6174696f6e50726f78796499de12a37d0a3d0200014a0005"
                + "76616c756578700000000000000005"),
        Arguments.of(
            InetAddress.getByAddress(new byte[] {1, 2, 3, 4}),
            "0020001430f12ea5f34e04700019a415069a49802ac46889f0d061a22249006",
            "6aced0005737200146a6176612e6e65742e496e6574416464726573732d9b57af9fe3ebdb0300034900"
                + "0761646472657373490006"
                + "66616d696c794c0008686f73744e616d657400124c6a6176612f6c616e672f537472696e673b78"
                + "7001020304000000027078"),
        Arguments.of(
            ValueRange.of(1, 5),
            "0020001880b0a63a63f343700031a41506a6861353231ee88160225e016a0958068c20880",
            "1aced00057372001d6a6176612e74696d652e74656d706f72616c2e56616c756552616e67659a71a956"
                + "f2cd5ab80200044a000a6d61784c6172676573744a000b6d6178536d616c6c6573744a000a6d"
                + "696e4c6172676573744a000b6d696e536d616c6c657374787000000000000000050000000000"
                + "00000500000000000000010000000000000001"),
        Arguments.of(
            thrown,
            "008a",
            "d402aced0005737200136a6176612e6c616e672e457863657074696f6ed0fd1f3e1a3b1cc40200007872"
                + "00136a6176612e6c616e672e5468726f7761626c65d5c635273977b8cb0300044c0005636175"
                + "73657400154c6a6176612f6c616e672f5468726f7761626c653b4c000d64657461696c4d6573"
                + "736167657400124c6a6176612f6c616e672f537472696e673b5b000a737461636b5472616365"
                + "74001e5b4c6a6176612f6c616e672f537461636b5472616365456c656d656e743b4c00147375"
                + "70707265737365644578"
                + "63657074696f6e737400104c6a6176612f7574696c2f4c6973743b787071007e000674000178"
                + "7572001e5b4c6a6176612e6c616e672e537461636b5472616365456c656d656e743b02462a3c"
                + "3cfd22390200007870000000007372001f6a6176612e7574696c2e436f6c6c656374696f6e73"
                + "24456d7074794c6973747ab817b43ca79ede020000787078"));
  }

  @ParameterizedTest
  @MethodSource("jdkValues")
  void jdkValuesThatHaveNoTag(Object value, String classData, String hex) throws Exception {
    Codec<Object> any = Codecs.defaults().valueCodec(TypeRef.of(Object.class));
    assertThat(HEX.formatHex(any.encode(value))).endsWith(hex);
    byte[] bytes = HEX.parseHex("f000" + classData + hex);
    assertThat(JdkRoundTripTest.same(value, any.decode(bytes, 0, bytes.length))).isTrue();
  }

  /** Class data in values is compressed, which not every JDK does alike: these are only read. */
  @Test
  void valuesOfTheFallbacksAreStillRead() {
    Track track = new Track("a", 7, "é");
    read(
        Codecs.defaults().valueCodec(TypeRef.of(Track.class)),
        track,
        "f0016285c29700001e0034d0604c97c2856230062d21da8b84a7b9cbd09c32084174ce58c8de871324bb324a7c"
            + "ece2012834368c09221405368161a300141536cd13590014150eff0461ff04e9");
    read(
        Codecs.defaults().valueCodec(new TypeRef<List<Track>>() {}),
        List.of(track),
        "f0016285c2970000ce02091e0034d0604c97c2856230062d21da8b84a7b9cbd09c32084174ce58c8de871324"
            + "bb324a7cece2012834368c09221405368161a300141536cd1359001415000eff0461ff04e9");
    read(
        Codecs.defaults().valueCodec(TypeRef.of(Note.class)),
        new Note("a", Optional.of("b")),
        "f0021822dcbed94996c700001e002ce0c318bedc221830042d21da8b84a7b9cbd09c320842c07161886b6c26"
            + "225688927f4e72620037c48f5e001470264c979814150000150462ff0461");
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

  /** Told by its number alone. */
  static final class Article {
    final int number;
    final String title;

    Article(int number, String title) {
      this.number = number;
      this.title = title;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Article article && number == article.number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  static Stream<Arguments> canonicalKeys() {
    return Stream.of(
        Arguments.of("a", "010161"),
        Arguments.of(7, "070480000007"),
        Arguments.of(Float.intBitsToFloat(0x7fc00001), "0904ffc00000"),
        Arguments.of(new BigDecimal("1.50"), "0d06000000020096"),
        Arguments.of(new Object[] {"a", null}, "430201016100"),
        Arguments.of(List.of("b", "a"), "4402010162010161"),
        Arguments.of(Set.of("b", "a"), "4502010161010162"),
        Arguments.of(Map.of("b", 7, "a", true), "4602010161030101010162070480000007"),
        Arguments.of(Optional.of("a"), "4701010161"),
        Arguments.of(new int[] {7}, "4803696e7401070480000007"),
        Arguments.of(Map.entry("a", 7), "4a010161070480000007"),
        Arguments.of(DayOfWeek.MONDAY, "40" + text("java.time.DayOfWeek") + text("MONDAY")),
        Arguments.of(String.class, "4b" + text("java.lang.String")),
        Arguments.of(
            new Note("a", Optional.empty()),
            "41"
                + text(Note.class.getName())
                + "02"
                + text("text")
                + "010161"
                + text("reply")
                + "4700"));
  }

  private static String text(String ascii) {
    return HEX.toHexDigits((byte) ascii.length())
        + HEX.formatHex(ascii.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @MethodSource("canonicalKeys")
  void canonicalKeys(Object key, String hex) {
    check(Codecs.defaults().keyCodec(TypeRef.of(Object.class)), "key", key, hex);
    check(Codecs.defaults().cacheKeyCodec(TypeRef.of(Object.class)), "key", key, hex);
  }

  /** By name where keys do not sort. The order is part of the id where they do. */
  @Test
  void enumsAsKeys() {
    TypeRef<AccessMode> type = TypeRef.of(AccessMode.class);
    check(Codecs.defaults().keyCodec(type), "enum", AccessMode.WRITE, "5752495445");
    check(
        Codecs.defaults().orderedFor(type),
        "ordered:enum(READ,WRITE,EXECUTE)",
        AccessMode.WRITE,
        "0001" + "5752495445");
  }

  record Seat(AccessMode mode, int number) {}

  record Tagged(Seat seat, List<String> tags, Tagged parent) {}

  /** The components of a record are part of the id, whatever codec it has. */
  @Test
  void recordsAsKeys() {
    check(
        Codecs.defaults().keyCodec(TypeRef.of(Seat.class)),
        "ordered:record(mode enum,number ordered:int)",
        new Seat(AccessMode.READ, 1),
        "52454144" + "0000" + "80000001");
    assertThat(Codecs.defaults().keyCodec(TypeRef.of(Tagged.class)).id())
        .isEqualTo(
            "key(seat key(mode enum,number ordered:int),tags"
                + " java.util.List<java.lang.String>,parent "
                + Tagged.class.getName()
                + ")");
  }

  @Test
  void whatForeignKeysHaveInCommon() {
    Codec<Object> keys = Codecs.defaults().cacheKeyCodec(TypeRef.of(Object.class));
    byte[] one = keys.encode(List.of("a", new Article(7, "x")));
    byte[] other = keys.encode(List.of("a", new Article(7, "y")));
    String common = "4f0a" + "4402" + "010161" + "4c00000007";
    assertThat(KeyCodec.commonBytes(one)).isEqualTo(12);
    assertThat(HEX.formatHex(one)).startsWith(common);
    assertThat(HEX.formatHex(other)).startsWith(common).isNotEqualTo(HEX.formatHex(one));
    assertThat(keys.decode(one, 0, one.length)).isEqualTo(List.of("a", new Article(7, "z")));
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

  private static Object setOfA() {
    Set<String> set = ConcurrentHashMap.newKeySet();
    set.add("a");
    return set;
  }
}
