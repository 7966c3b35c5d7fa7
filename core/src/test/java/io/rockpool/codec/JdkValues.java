package io.rockpool.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A value of each JDK type that is always allowed and compares by content. */
final class JdkValues {
  private JdkValues() {}

  @SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // People have them, so they are allowed.
  static List<Object> all() {
    List<String> list = List.of("a", "b", "c");
    TreeMap<String, Integer> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    byName.put("Key", 1);
    TreeSet<Integer> descending = new TreeSet<>(Comparator.reverseOrder());
    descending.addAll(List.of(1, 2));
    return List.of(
        true,
        (byte) 1,
        'c',
        (short) 2,
        3,
        4L,
        5f,
        6d,
        "text é 日本 😀",
        new BigInteger("123456789012345678901234567890"),
        new BigDecimal("1.50"),
        RoundingMode.UP,
        URI.create("http://example.invalid/a?b#c"),
        Locale.GERMANY,
        Currency.getInstance("EUR"),
        new UUID(1, 2),
        new Date(5),
        DayOfWeek.MONDAY,
        TimeUnit.DAYS,
        Duration.ofMillis(5),
        Period.ofDays(3),
        Instant.EPOCH,
        LocalDate.EPOCH,
        LocalTime.NOON,
        LocalDate.EPOCH.atTime(LocalTime.NOON),
        OffsetDateTime.MAX,
        ZonedDateTime.of(LocalDate.EPOCH.atTime(LocalTime.NOON), ZoneId.of("Europe/Paris")),
        ZoneOffset.ofHours(3),
        ZoneId.of("Asia/Tokyo"),
        Year.of(2000),
        YearMonth.of(2000, 1),
        BitSet.valueOf(new long[] {5}),
        list,
        List.of(),
        List.of(1),
        Set.of(1),
        Set.of(1, 2, 3),
        Map.of("k", 1),
        Map.of("k", 1, "l", 2),
        List.of(1, 2, 3).subList(0, 2),
        new ArrayList<>(list),
        new ArrayList<>(list).subList(1, 2),
        new LinkedList<>(list),
        new Vector<>(list),
        new CopyOnWriteArrayList<>(list),
        Arrays.asList("x", null),
        Collections.emptyList(),
        Collections.emptyMap(),
        Collections.emptySet(),
        Collections.singletonList(1),
        Collections.singleton(1),
        Collections.singletonMap(1, 2),
        Collections.unmodifiableList(new ArrayList<>(list)),
        Collections.unmodifiableSet(new HashSet<>(list)),
        Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
        Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(1, 2))),
        Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
        new HashSet<>(list),
        new LinkedHashSet<>(list),
        new TreeSet<>(list),
        descending,
        new HashMap<>(Map.of("k", list)),
        new LinkedHashMap<>(Map.of("k", list)),
        new TreeMap<>(Map.of("k", list)),
        byName,
        new ConcurrentHashMap<>(Map.of("k", 1)),
        new ConcurrentSkipListMap<>(Map.of("k", 1)),
        new EnumMap<>(Map.of(DayOfWeek.FRIDAY, 1)),
        EnumSet.of(DayOfWeek.FRIDAY),
        EnumSet.noneOf(DayOfWeek.class),
        new AbstractMap.SimpleEntry<>("k", 1),
        new AbstractMap.SimpleImmutableEntry<>("k", 1));
  }
}
