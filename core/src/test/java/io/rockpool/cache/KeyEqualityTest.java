package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a cache finds by one key where another was put, beside what a {@link ConcurrentHashMap}
 * finds, which is what Caffeine finds.
 */
@Slow
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "IdentityHashMapUsage"}) // what this is for
class KeyEqualityTest {
  @TempDir Path directory;

  /** What a cache does with a pair of keys. */
  private enum Outcome {
    /** What a {@link ConcurrentHashMap} does, and the same after a restart. */
    AS_A_MAP,
    /** Finds an array by its content, where a map knows that instance alone. */
    BY_CONTENT,
    /** Refuses the key that is put by the name of its class. */
    REFUSED,
    /** Finds nothing where the map does: only one of the two equals says that they are equal. */
    ONE_SIDED
  }

  private record Pair(String name, Supplier<Object> put, Supplier<Object> asked, Outcome outcome) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Pair pair(String name, Supplier<Object> put, Supplier<Object> asked) {
    return new Pair(name, put, asked, Outcome.AS_A_MAP);
  }

  private static Pair pair(
      String name, Outcome outcome, Supplier<Object> put, Supplier<Object> asked) {
    return new Pair(name, put, asked, outcome);
  }

  private static Pair refused(String name, Supplier<Object> put) {
    return new Pair(name, put, put, Outcome.REFUSED);
  }

  private enum WithBody {
    ONE {
      @Override
      public String toString() {
        return "one";
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // what this is for
  private record WithArray(int[] numbers) {}

  private record WithDate(Date date) {}

  private static final class OwnDate extends Date {
    private static final long serialVersionUID = 1L;

    OwnDate(long millis) {
      super(millis);
    }
  }

  private static final class OwnDecimal extends BigDecimal {
    private static final long serialVersionUID = 1L;

    OwnDecimal(String digits) {
      super(digits);
    }
  }

  private static Map<Object, Object> in(Map<Object, Object> map, Object key, Object value) {
    map.put(key, value);
    return map;
  }

  static Stream<Pair> pairs() throws Exception {
    InetAddress address = InetAddress.getByAddress("one", new byte[] {127, 0, 0, 1});
    InetAddress renamed = InetAddress.getByAddress("two", new byte[] {127, 0, 0, 1});
    return Stream.of(
        pair("Date, sql.Date", () -> new Date(1), () -> new java.sql.Date(1)),
        pair("sql.Date, Date", () -> new java.sql.Date(1), () -> new Date(1)),
        pair("sql.Time, sql.Date", () -> new Time(1), () -> new java.sql.Date(1)),
        pair("a subclass of Date, Date", () -> new OwnDate(1), () -> new Date(1)),
        pair("sql.Date, another", () -> new java.sql.Date(1), () -> new Date(2)),
        pair("Timestamp", () -> new Timestamp(1), () -> new Timestamp(1)),
        pair("Date, Timestamp", () -> new Date(1), () -> new Timestamp(1)),
        pair("Timestamp, Date", Outcome.ONE_SIDED, () -> new Timestamp(1), () -> new Date(1)),
        pair(
            "dates in a record",
            () -> new WithDate(new java.sql.Date(1)),
            () -> new WithDate(new Date(1))),
        pair("dates in a list", () -> List.of(new java.sql.Date(1)), () -> List.of(new Date(1))),
        pair("scales", () -> new BigDecimal("1.5"), () -> new BigDecimal("1.50")),
        pair("one scale", () -> new BigDecimal("1.50"), () -> new BigDecimal("1.50")),
        pair(
            "a subclass of BigDecimal", () -> new OwnDecimal("1.50"), () -> new BigDecimal("1.50")),
        pair("BigInteger", () -> new BigInteger("7"), () -> BigInteger.valueOf(7)),
        pair("BigInteger, Long", () -> BigInteger.valueOf(7), () -> 7L),
        pair("Integer, Long", () -> 7, () -> 7L),
        pair("Integer, Short", () -> 7, () -> (short) 7),
        pair("Double, Float", () -> 1.5, () -> 1.5f),
        pair("NaN", () -> Double.NaN, () -> Double.longBitsToDouble(0x7ff8000000000001L)),
        pair("zeros", () -> 0.0, () -> -0.0),
        pair("lists", () -> List.of("a", 1), () -> new ArrayList<>(List.of("a", 1))),
        pair("Arrays.asList", () -> Arrays.asList("a", 1), () -> List.of("a", 1)),
        pair(
            "Vector, LinkedList",
            () -> new Vector<>(List.of(1)),
            () -> new LinkedList<>(List.of(1))),
        pair("sublist", () -> List.of(0, 1, 2).subList(1, 2), () -> List.of(1)),
        pair(
            "CopyOnWriteArrayList",
            () -> new CopyOnWriteArrayList<>(List.of(1)),
            () -> Collections.singletonList(1)),
        pair("list, set", () -> List.of(1), () -> Set.of(1)),
        pair("sets", () -> Set.of(1, 2), () -> new LinkedHashSet<>(List.of(2, 1))),
        pair("TreeSet", () -> new TreeSet<>(Set.of(1, 2)), () -> Set.of(2, 1)),
        pair("EnumSet", () -> EnumSet.of(TimeUnit.DAYS), () -> Set.of(TimeUnit.DAYS)),
        pair(
            "CopyOnWriteArraySet",
            () -> new CopyOnWriteArraySet<>(List.of(1, 2)),
            () -> Set.of(1, 2)),
        pair("key set", () -> new HashMap<>(Map.of(1, 2)).keySet(), () -> Set.of(1)),
        pair("entry set", () -> Map.of(1, 2).entrySet(), () -> Set.of(Map.entry(1, 2))),
        pair("maps", () -> Map.of("a", 1), () -> new TreeMap<>(Map.of("a", 1))),
        pair(
            "ConcurrentHashMap",
            () -> new ConcurrentHashMap<>(Map.of("a", 1)),
            () -> in(new LinkedHashMap<>(), "a", 1)),
        pair(
            "EnumMap",
            () -> new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
            () -> Map.of(TimeUnit.DAYS, 1)),
        refused("IdentityHashMap", () -> in(new IdentityHashMap<>(), "a", 1)),
        refused("values of a map", () -> new HashMap<>(Map.of(1, 2)).values()),
        refused("StringBuilder", StringBuilder::new),
        pair("String, CharBuffer", () -> "a", () -> CharBuffer.wrap("a")),
        pair("Optional", () -> Optional.of(1), () -> Optional.of(1)),
        pair(
            "Optional of a date",
            () -> Optional.of(new Date(1)),
            () -> Optional.of(new java.sql.Date(1))),
        pair("an enum with a body", () -> WithBody.ONE, () -> WithBody.ONE),
        pair("enums", () -> TimeUnit.DAYS, () -> DayOfWeek.MONDAY),
        pair("Class", () -> String.class, () -> String.class),
        pair("Locale", () -> Locale.forLanguageTag("de-AT"), () -> new Locale("de", "AT")),
        pair("Locale, another", () -> Locale.GERMAN, () -> Locale.GERMANY),
        pair("UUID", () -> new UUID(1, 2), () -> new UUID(1, 2)),
        pair("ZoneId, ZoneOffset", () -> ZoneId.of("UTC"), () -> ZoneOffset.UTC),
        pair("ZoneOffset", () -> ZoneId.of("+00:00"), () -> ZoneOffset.UTC),
        pair(
            "ZonedDateTime",
            () -> Instant.EPOCH.atZone(ZoneId.of("Europe/Paris")),
            () -> ZonedDateTime.parse("1970-01-01T01:00+01:00[Europe/Paris]")),
        pair(
            "ZonedDateTime of another zone",
            () -> Instant.EPOCH.atZone(ZoneId.of("Europe/Paris")),
            () -> Instant.EPOCH.atZone(ZoneId.of("Europe/Berlin"))),
        pair("LocalDate", () -> LocalDate.EPOCH, () -> LocalDate.of(1970, 1, 1)),
        pair("Period", () -> Period.ofDays(1), () -> Period.parse("P1D")),
        pair("MonthDay", () -> MonthDay.of(1, 2), () -> MonthDay.of(1, 2)),
        pair("OffsetTime", () -> OffsetTime.parse("10:00Z"), () -> OffsetTime.parse("10:00Z")),
        pair("URI", () -> URI.create("HTTP://a/"), () -> URI.create("http://A/")),
        refused("URL", () -> url("http://localhost/")),
        pair("File", () -> new File("a"), () -> new File("a")),
        refused("Path", () -> Path.of("a")),
        pair("InetAddress", () -> address, () -> renamed),
        refused("Pattern", () -> Pattern.compile("a")),
        pair("Currency", () -> Currency.getInstance("EUR"), () -> Currency.getInstance("EUR")),
        refused("lambda", () -> (Runnable) () -> {}),
        refused("Thread", Thread::currentThread),
        pair("byte[]", Outcome.BY_CONTENT, () -> new byte[] {1}, () -> new byte[] {1}),
        pair("int[]", Outcome.BY_CONTENT, () -> new int[] {1}, () -> new int[] {1}),
        pair("Object[]", Outcome.BY_CONTENT, () -> new Object[] {"a"}, () -> new Object[] {"a"}),
        pair(
            "a record with an array",
            Outcome.BY_CONTENT,
            () -> new WithArray(new int[] {1}),
            () -> new WithArray(new int[] {1})),
        pair(
            "arrays in a list",
            Outcome.BY_CONTENT,
            () -> List.of(new byte[] {1}),
            () -> List.of(new byte[] {1})));
  }

  private static URL url(String text) {
    try {
      return URI.create(text).toURL();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void whatAMapFindsIsFoundOrRefusedByName(Pair pair) {
    String inMap = mapOf(pair.put.get()).get(pair.asked.get());
    String expected =
        switch (pair.outcome) {
          case AS_A_MAP, REFUSED -> inMap;
          case BY_CONTENT -> "v";
          case ONE_SIDED -> null;
        };
    assertThat(inMap).isEqualTo(inMap(pair, expected));
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<Object, String> cache = pool.cache("cache", Object.class, String.class);
      if (pair.outcome == Outcome.REFUSED) {
        Object key = pair.put.get();
        assertThatThrownBy(() -> cache.put(key, "v"))
            .isInstanceOf(UnencodableValueException.class)
            .hasMessageContaining(key.getClass().getName());
        return;
      }
      cache.put(pair.put.get(), "v");
      assertFinds(cache, pair, expected);
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      assertFinds(pool.cache("cache", Object.class, String.class), pair, expected);
    }
  }

  private static Map<Object, String> mapOf(Object key) {
    return new ConcurrentHashMap<>(Map.of(key, "v"));
  }

  private static @Nullable String inMap(Pair pair, @Nullable String expected) {
    return switch (pair.outcome) {
      case AS_A_MAP, REFUSED -> expected;
      case BY_CONTENT -> null;
      case ONE_SIDED -> "v";
    };
  }

  private static void assertFinds(
      PersistentCache<Object, String> cache, Pair pair, @Nullable String expected) {
    try {
      assertThat(cache.get(pair.asked.get())).isEqualTo(expected);
    } catch (UnencodableValueException e) { // refused by name
      assertThat(expected).isNull();
      assertThat(e).hasMessageContaining(pair.asked.get().getClass().getName());
    }
    assertThat(cache.get(pair.put.get())).isEqualTo("v");
  }

  @SuppressWarnings("ArrayRecordComponent") // what this is for
  record SqlDates(java.sql.Date date, java.sql.Date[] more) {}

  @Test
  void datesComeBackAsWhatIsDeclared() {
    java.sql.Date date = new java.sql.Date(1);
    SqlDates dates = new SqlDates(date, new java.sql.Date[] {date});
    try (Rockpool pool = Rockpool.open(directory)) {
      pool.cache("dates", java.sql.Date.class, String.class).put(date, "v");
      pool.cache("records", SqlDates.class, String.class).put(dates, "w");
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      var cache = pool.cache("dates", java.sql.Date.class, String.class);
      assertThat(cache.get(new java.sql.Date(1))).isEqualTo("v");
      java.sql.Date back = cache.iterator().next().getKey();
      assertThat(back).isEqualTo(date);
      SqlDates all = pool.cache("records", SqlDates.class, String.class).iterator().next().getKey();
      assertThat(all.date()).isEqualTo(date);
      assertThat(all.more()).containsExactly(date);
      assertThatThrownBy(() -> pool.cache("own", OwnDecimal.class, String.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("OwnDecimal");
    }
  }
}
