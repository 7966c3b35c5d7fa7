package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Byte order is value order, and every value comes back, for edge values and random ones. */
class OrderedCodecTest {
  private static final long SEED = Long.getLong("rockpool.test.seed", System.nanoTime());
  private static final int PAIRS = 45_000;

  @SuppressWarnings("ArrayRecordComponent")
  record Track(String album, int number, String title, Inner inner, byte[] hash) {}

  record Inner(Double score, UUID id) {}

  record Case<T>(
      String name,
      TypeRef<T> type,
      Comparator<T> natural,
      List<T> edges,
      Function<Random, T> random) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static <T extends Comparable<? super T>> Case<T> natural(
      Class<T> type, List<T> edges, Function<Random, T> random) {
    return new Case<>(
        type.getSimpleName(), TypeRef.of(type), Comparator.naturalOrder(), edges, random);
  }

  static Stream<Case<?>> cases() {
    return Stream.of(
        natural(String.class, strings(), OrderedCodecTest::string),
        new Case<>(
            "byte[]",
            TypeRef.of(byte[].class),
            Arrays::compareUnsigned,
            List.of(new byte[0], new byte[1], new byte[2], new byte[] {-1}, new byte[] {127}),
            OrderedCodecTest::bytes),
        natural(Boolean.class, List.of(false, true), Random::nextBoolean),
        natural(Byte.class, List.of((byte) 0, (byte) -128), r -> (byte) r.nextInt()),
        natural(Short.class, List.of((short) 0, Short.MIN_VALUE), r -> (short) r.nextInt()),
        natural(Character.class, List.of('\0', '\uFFFF', '\uD800'), r -> (char) r.nextInt()),
        natural(
            Integer.class,
            List.of(0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE),
            r -> r.nextInt() >> r.nextInt(32)),
        natural(
            Long.class,
            List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE),
            r -> r.nextLong() >> r.nextInt(64)),
        natural(
            Float.class,
            List.of(
                0f,
                -0f,
                Float.NaN,
                Float.MIN_VALUE,
                -Float.MIN_VALUE,
                Float.MAX_VALUE,
                Float.POSITIVE_INFINITY,
                Float.NEGATIVE_INFINITY),
            r -> Float.intBitsToFloat(r.nextInt())),
        natural(
            Double.class,
            List.of(
                0d,
                -0d,
                Double.NaN,
                Double.longBitsToDouble(0xFFF8_0000_0000_0001L),
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                -Double.MAX_VALUE,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY),
            r -> Double.longBitsToDouble(r.nextLong())),
        natural(
            UUID.class,
            List.of(new UUID(0, 0), new UUID(-1, 0), new UUID(0, -1), new UUID(1, Long.MIN_VALUE)),
            r -> new UUID(r.nextLong() >> r.nextInt(64), r.nextLong())),
        natural(BigInteger.class, bigIntegers(), OrderedCodecTest::bigInteger),
        new Case<>(
            "BigDecimal",
            TypeRef.of(BigDecimal.class),
            Comparator.<BigDecimal>naturalOrder().thenComparing(BigDecimal::scale),
            Stream.of("0", "0.00", "0E+9", "1", "1.0", "1.00", "-1.0", "-1", "10", "1E+1", "0.1")
                .map(BigDecimal::new)
                .toList(),
            r -> new BigDecimal(bigInteger(r), r.nextInt(40) - 20)),
        natural(
            Instant.class,
            List.of(Instant.MIN, Instant.MAX, Instant.EPOCH, Instant.EPOCH.minusNanos(1)),
            OrderedCodecTest::instant),
        natural(
            Duration.class,
            List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE)),
            r -> Duration.ofSeconds(r.nextLong() >> r.nextInt(64), r.nextInt(1_000_000_000))),
        dates(),
        natural(
            LocalTime.class,
            List.of(LocalTime.MIN, LocalTime.MAX, LocalTime.NOON),
            r -> LocalTime.ofNanoOfDay(r.nextLong(LocalTime.MAX.toNanoOfDay()))),
        dateTimes(),
        natural(
            OffsetDateTime.class,
            List.of(OffsetDateTime.MIN, OffsetDateTime.MAX),
            r -> instant(r).atOffset(offset(r))),
        zonedDateTimes(),
        natural(
            Year.class, List.of(Year.of(0), Year.of(Year.MIN_VALUE)), r -> Year.of(r.nextInt(9))),
        natural(
            YearMonth.class,
            List.of(YearMonth.of(0, 1), YearMonth.of(-1, 12)),
            r -> YearMonth.of(r.nextInt(40) - 20, 1 + r.nextInt(12))),
        natural(DayOfWeek.class, List.of(DayOfWeek.values()), r -> DayOfWeek.of(1 + r.nextInt(7))),
        tracks());
  }

  private static Case<?> dates() {
    return new Case<LocalDate>(
        "LocalDate",
        TypeRef.of(LocalDate.class),
        LocalDate::compareTo,
        List.of(LocalDate.MIN, LocalDate.MAX, LocalDate.EPOCH),
        r -> LocalDate.ofEpochDay(r.nextInt() >> r.nextInt(32)));
  }

  private static Case<?> dateTimes() {
    return new Case<LocalDateTime>(
        "LocalDateTime",
        TypeRef.of(LocalDateTime.class),
        LocalDateTime::compareTo,
        List.of(LocalDateTime.MIN, LocalDateTime.MAX),
        r -> LocalDateTime.ofInstant(instant(r), ZoneOffset.UTC));
  }

  private static Case<?> zonedDateTimes() {
    List<ZoneId> zones =
        List.of(
            ZoneId.of("Europe/Paris"),
            ZoneId.of("America/New_York"),
            ZoneId.of("UTC"),
            ZoneOffset.UTC,
            ZoneOffset.ofHours(1));
    LocalDateTime overlap = LocalDateTime.of(2024, 10, 27, 2, 30);
    return new Case<ZonedDateTime>(
        "ZonedDateTime",
        TypeRef.of(ZonedDateTime.class),
        ZonedDateTime::compareTo,
        List.of(
            ZonedDateTime.ofStrict(overlap, ZoneOffset.ofHours(1), zones.get(0)),
            ZonedDateTime.ofStrict(overlap, ZoneOffset.ofHours(2), zones.get(0))),
        r ->
            Instant.ofEpochSecond(1_700_000_000L + r.nextInt(3) * 3600L)
                .atZone(zones.get(r.nextInt(zones.size()))));
  }

  private static Case<Track> tracks() {
    Comparator<Track> order =
        Comparator.comparing(Track::album)
            .thenComparing(Track::number)
            .thenComparing(Track::title)
            .thenComparing(track -> track.inner().score())
            .thenComparing(track -> track.inner().id())
            .thenComparing(Track::hash, Arrays::compareUnsigned);
    return new Case<>(
        "record",
        TypeRef.of(Track.class),
        order,
        List.of(),
        r ->
            new Track(
                fewString(r),
                r.nextInt(3) - 1,
                fewString(r),
                new Inner((double) (r.nextInt(3) - 1), new UUID(r.nextInt(2), -r.nextInt(2))),
                bytes(r)));
  }

  /** Characters on both sides of every change of length, and the zero that records escape. */
  private static final String ALPHABET =
      "\0\1az\u007f\u0080\u07ff\u0800\ud7ff\ud800\udbff\udc00\uffff";

  private static List<String> strings() {
    List<String> strings = new ArrayList<>(List.of("", "a", "aa", "a\0", "😀", "é", "日本"));
    for (int i = 0; i < ALPHABET.length(); i++) {
      strings.add(ALPHABET.substring(i, i + 1));
      strings.add("abcdefgh" + ALPHABET.charAt(i));
      strings.add("x".repeat(300) + ALPHABET.charAt(i));
    }
    return strings;
  }

  private static String string(Random random) {
    int length = random.nextInt(12);
    StringBuilder out = new StringBuilder(length);
    boolean plain = random.nextBoolean();
    for (int i = 0; i < length; i++) {
      out.append(
          plain
              ? (char) ('a' + random.nextInt(3))
              : ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return out.toString();
  }

  private static String fewString(Random random) {
    return List.of("", "\0", "\0\0", "a", "a\0", "a\0b", "a\1", "b").get(random.nextInt(8));
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(4) - 2);
    }
    return bytes;
  }

  private static List<BigInteger> bigIntegers() {
    List<BigInteger> numbers = new ArrayList<>();
    for (int bits : new int[] {0, 7, 8, 9, 1007, 1008, 1009, 1015, 1016, 1017, 2040, 2048}) {
      BigInteger power = BigInteger.ONE.shiftLeft(bits);
      for (BigInteger near : List.of(power.subtract(BigInteger.ONE), power)) {
        numbers.add(near);
        numbers.add(near.negate());
      }
    }
    return numbers;
  }

  private static BigInteger bigInteger(Random random) {
    BigInteger number = new BigInteger(random.nextInt(10) == 0 ? 1200 : random.nextInt(70), random);
    return random.nextBoolean() ? number : number.negate();
  }

  private static Instant instant(Random random) {
    return Instant.ofEpochSecond(
        (random.nextLong() >> 20) >> random.nextInt(40), random.nextInt(1_000_000_000));
  }

  private static ZoneOffset offset(Random random) {
    return ZoneOffset.ofTotalSeconds(random.nextInt(2 * 64_800 + 1) - 64_800);
  }

  @ParameterizedTest
  @MethodSource("cases")
  <T> void bytesSortAsValuesAndComeBack(Case<T> given) {
    OrderedCodec<T> codec = Codecs.defaults().orderedFor(given.type());
    Random random = new Random(SEED);
    for (T a : given.edges()) {
      check(given, codec, a, a);
      for (T b : given.edges()) {
        check(given, codec, a, b);
      }
      check(given, codec, a, given.random().apply(random));
    }
    for (int i = 0; i < PAIRS; i++) {
      check(given, codec, given.random().apply(random), given.random().apply(random));
    }
  }

  private static <T> void check(Case<T> given, OrderedCodec<T> codec, T a, T b) {
    byte[] x = codec.encode(a);
    byte[] y = codec.encode(b);
    int expected = Integer.signum(given.natural().compare(a, b));
    if (Integer.signum(codec.compare(a, b)) != expected
        || Integer.signum(Arrays.compareUnsigned(x, y)) != expected
        || given.natural().compare(decode(codec, x), a) != 0) {
      throw new AssertionError(
          "seed "
              + SEED
              + ": "
              + a
              + " "
              + Arrays.toString(x)
              + ", "
              + b
              + " "
              + Arrays.toString(y));
    }
  }

  /** From the middle of an array, which is where most records are. */
  private static <T> T decode(Codec<T> codec, byte[] bytes) {
    byte[] surrounded = new byte[bytes.length + 5];
    Arrays.fill(surrounded, (byte) 0xA5);
    System.arraycopy(bytes, 0, surrounded, 3, bytes.length);
    return codec.decode(surrounded, 3, bytes.length);
  }

  @ParameterizedTest
  @MethodSource("cases")
  <T> void aSortedListIsSortedByBytes(Case<T> given) {
    OrderedCodec<T> codec = Codecs.defaults().orderedFor(given.type());
    Random random = new Random(SEED);
    List<T> values = new ArrayList<>(given.edges());
    for (int i = 0; i < 200; i++) {
      values.add(given.random().apply(random));
    }
    values.sort(given.natural());
    List<byte[]> encoded = new ArrayList<>(values.stream().map(codec::encode).toList());
    List<byte[]> inOrder = List.copyOf(encoded);
    Collections.shuffle(encoded, random);
    encoded.sort(Arrays::compareUnsigned);
    assertThat(encoded)
        .as("seed %d", SEED)
        .usingElementComparator(Arrays::compareUnsigned)
        .isEqualTo(inOrder);
  }
}
