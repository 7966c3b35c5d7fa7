package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.codec.TypeRef;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decoded elements that are exported, written by hand, and imported. */
@Timeout(120)
final class ElementImportTest {
  @TempDir Path parent;
  private Path store = Path.of("");
  private Path copy = Path.of("");

  /** A value of the application. */
  record Item(UUID id, BigDecimal price, List<String> notes, Instant made) {}

  private record Ran(int code, String out, String err) {}

  private static Ran run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        RockpoolCommand.run(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  private static String out(Object... arguments) {
    Ran ran = run(arguments);
    assertThat(ran.code()).as("%s %s", ran.out(), ran.err()).isZero();
    assertThat(ran.err()).isEmpty();
    return ran.out();
  }

  @BeforeEach
  void name() {
    store = parent.resolve("store");
    copy = parent.resolve("copy");
  }

  private static Item item(int number) {
    return new Item(
        new UUID(number, 7),
        new BigDecimal("1.50"),
        List.of("a", "ü\n"),
        Instant.parse("2026-01-31T12:00:00.123456789Z"));
  }

  private static void fill(Rockpool pool) {
    pool.map("map", String.class, Long.class).putAll(Map.of("a", 3L, "max", Long.MAX_VALUE));
    pool.map("map", String.class, Long.class).put("short", 5L, Duration.ofDays(1));
    pool.map("half characters", String.class, String.class).put("\uD83Da", "\uDE00");
    pool.map("bytes", UUID.class, byte[].class).put(new UUID(1, 2), new byte[] {1, -2});
    pool.map("limited", Integer.class, Double.class, o -> o.entryTtl(Duration.ofDays(9)))
        .putAll(Map.of(1, 0.1, 2, 1e300));
    pool.sortedMap("sorted map", Long.class, Item.class).put(7L, item(1));
    pool.map("lists", TypeRef.of(Integer.class), new TypeRef<List<Item>>() {})
        .put(1, List.of(item(2), item(3)));
    pool.set("set", String.class).addAll(List.of("a", "b"));
    pool.set("set", String.class).add("c", Duration.ofDays(1));
    pool.sortedSet("sorted set", Integer.class).addAll(List.of(3, -1, 2));
    var scores = pool.scoredSet("scored set", String.class, o -> o.ranked(true));
    scores.addScores(Map.of("ann", 1.5, "all", Double.POSITIVE_INFINITY));
    scores.add("bob", -0.25, Duration.ofDays(1));
    pool.deque("deque", String.class, o -> o.capacity(10)).addAll(List.of("one", "two", "one"));
    var table = pool.table("table", String.class, Integer.class, Float.class);
    table.put("ann", 1, 0.1f);
    table.put("ann", 2, 2f, Duration.ofDays(1));
    pool.value("value", Duration.class).set(Duration.ofNanos(1_500), Duration.ofDays(1));
    pool.counter("counter").addAndGet(41);
    pool.set("ends", String.class).add("x");
    pool.set("ends", String.class).clearAfter(Duration.ofDays(2));
    var cache =
        pool.cache(
            "cache",
            String.class,
            Item.class,
            o -> o.expiry(CacheExpiry.afterCreation(Duration.ofDays(3))).maximumSize(50));
    cache.put("k", item(4));
    cache.put("s", item(5), Duration.ofDays(1));
  }

  @Test
  void everyTypeIsTheSameAfterAnExportAndAnImport() throws Exception {
    try (Rockpool pool = Rockpool.open(store)) {
      fill(pool);
    }
    List<String> names;
    try (Rockpool pool = Rockpool.open(store)) {
      names = pool.names().list().stream().map(each -> each.name()).toList();
    }
    assertThat(names).hasSize(15);
    for (String name : names) {
      Path file = parent.resolve(name + ".jsonl");
      out("export", store, name, file, "--values");
      out("import", copy, file, "--write");
      assertThat(run("import", copy, file, "--write").err()).contains("already; drop it");
      Path again = parent.resolve(name + ".again");
      out("export", copy, name, again, "--values");
      assertSame(file, again);
    }
    assertThat(out("verify", copy, "--deep", "--format=json")).startsWith("{\"clean\":true");
    try (Rockpool pool = Rockpool.open(copy)) {
      assertThat(pool.map("map", String.class, Long.class)).containsEntry("max", Long.MAX_VALUE);
      assertThat(pool.map("bytes", UUID.class, byte[].class).get(new UUID(1, 2)))
          .containsExactly(1, -2);
      assertThat(pool.sortedMap("sorted map", Long.class, Item.class)).containsEntry(7L, item(1));
      assertThat(pool.deque("deque", String.class)).containsExactly("one", "two", "one");
      assertThat(pool.scoredSet("scored set", String.class).score("ann")).hasValue(1.5);
      assertThat(pool.counter("counter").incrementAndGet()).isEqualTo(42);
      var cache = pool.cache("cache", String.class, Item.class);
      assertThat(cache.get("k")).isEqualTo(item(4));
      assertThat(cache.ttl("s").orElseThrow()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
      cache.put("new", item(6));
      assertThat(cache.ttl("new").orElseThrow()).isGreaterThan(Duration.ofDays(2));
    }
  }

  /** Compares lines without order; an expiry is later by the time of a write. */
  private static void assertSame(Path file, Path again) throws IOException {
    List<String> given = new ArrayList<>(Files.readAllLines(file));
    List<String> found = new ArrayList<>(Files.readAllLines(again));
    assertThat(withoutTimes(found)).containsExactlyInAnyOrderElementsOf(withoutTimes(given));
    List<Instant> times = times(given);
    List<Instant> foundTimes = times(found);
    assertThat(foundTimes).hasSameSizeAs(times);
    for (int at = 0; at < times.size(); at++) {
      assertThat(foundTimes.get(at)).isCloseTo(times.get(at), within(20, ChronoUnit.SECONDS));
    }
  }

  private static List<String> withoutTimes(List<String> lines) {
    return lines.stream().map(line -> line.replaceAll("\"expires\":\"[^\"]*\"", "E")).toList();
  }

  private static List<Instant> times(List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains("\"expires\":"))
        .map(line -> Instant.parse(line.replaceAll(".*\"expires\":\"([^\"]*)\".*", "$1")))
        .sorted()
        .toList();
  }

  private Path file(String... lines) throws IOException {
    return Files.write(parent.resolve("hand.jsonl"), List.of(lines));
  }

  @Test
  void aFileOfAnotherProgramIsImported() throws Exception {
    Instant soon = Instant.now().plusSeconds(3_600);
    Path file =
        file(
            "{\"rockpool\":1,\"name\":\"prices\",\"type\":\"sorted map\","
                + "\"key\":\"java.lang.Long\",\"value\":\"java.math.BigDecimal\","
                + "\"options\":{\"entry-ttl\":\"P1D\"}}",
            "{\"key\":1,\"value\":1.50}",
            "{\"value\":2,\"expires\":" + soon.toEpochMilli() + ",\"key\":2}",
            "{\"key\":3,\"value\":3,\"expires\":\"2001-01-31T12:00:00Z\"}",
            "{\"records\":3}");
    assertThat(out("import", copy, file, "--write", "--as", "p")).contains("3");
    try (Rockpool pool = Rockpool.open(copy)) {
      var prices = pool.sortedMap("p", Long.class, BigDecimal.class);
      assertThat(prices)
          .containsExactly(
              Map.entry(1L, new BigDecimal("1.50")), Map.entry(2L, new BigDecimal("2")));
      assertThat(prices.ttl(1L).orElseThrow()).as("no end").isGreaterThan(Duration.ofDays(9_999));
      assertThat(prices.ttl(2L).orElseThrow()).isLessThanOrEqualTo(Duration.ofHours(1));
      prices.put(4L, BigDecimal.ONE);
      assertThat(prices.ttl(4L).orElseThrow()).isLessThanOrEqualTo(Duration.ofDays(1));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "java.lang.Long | 1.5",
        "java.lang.Long | \"1\"",
        "java.lang.Long | 9223372036854775808",
        "java.lang.Long | true",
        "java.lang.Long | null",
        "java.lang.Byte | 128",
        "java.lang.String | 5",
        "java.lang.Boolean | 1",
        "java.lang.Boolean | \"true\"",
        "java.lang.Float | 0.123456789",
        "java.lang.Double | \"1\"",
        "java.lang.Double | 9007199254740993",
        "java.util.UUID | \"none\"",
        "java.time.Instant | 5",
        "[B | \"AQI=\"",
        "java.util.List<java.lang.Integer> | [1,\"2\"]",
        "java.util.List<java.lang.Integer> | 1",
        "io.rockpool.cli.ElementImportTest$Item | {\"id\":null,\"more\":1}",
      })
  void whatItsTypeDoesNotKeepIsRefusedWithItsLine(String type, String json) throws Exception {
    Path file =
        file(
            "{\"rockpool\":1,\"name\":\"m\",\"type\":\"map\",\"key\":\"java.lang.Integer\","
                + "\"value\":\""
                + type
                + "\"}",
            "{\"key\":1,\"value\":" + json + "}",
            "{\"records\":1}");
    Ran ran = run("import", copy, file, "--write");
    assertThat(ran.code()).as(ran.out()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(ran.err()).contains("Line 2 was refused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"type\":\"map\",\"key\":\"java.lang.Long\" | no text for \"value\"",
        "\"type\":\"queue\",\"key\":\"java.lang.Long\" | records only",
        "\"type\":\"set\",\"key\":\"com.acme.Missing\" | Give --classpath",
        "\"type\":\"set\",\"key\":\"java.lang.Long\",\"ttl\":1 | which no header has",
        "\"type\":\"set\",\"key\":\"java.lang.Long\",\"options\":{\"entry-ttl\":\"soon\"} | refused",
        "\"type\":\"set\",\"key\":\"java.lang.Long\",\"options\":{\"ttl\":\"PT1S\"} | no set has",
        "\"type\":\"set\",\"key\":\"java.lang.Long\",\"key-codec\":\"other\" | codec \"other\"",
        "\"type\":\"table\",\"key\":\"java.lang.Long\",\"value\":\"java.lang.Long\" | ROW/KEY",
      })
  void aHeaderThatDeclaresOtherThingsIsRefused(String header, String why) throws Exception {
    Path file = file("{\"rockpool\":1,\"name\":\"m\"," + header + "}", "{\"records\":0}");
    Ran ran = run("import", copy, file, "--write");
    assertThat(ran.code()).as(ran.out()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(ran.err()).contains(why);
    assertThat(copy).doesNotExist();
  }

  @Test
  void whatJsonDoesNotKeepIsExportedWithAMarkAndRefused() throws Exception {
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("any", String.class, Object.class).putAll(Map.of("int", 1, "long", 1L));
      pool.cache("tagged", String.class, String.class).put("k", "v", Set.of("t"));
    }
    Path file = parent.resolve("any.jsonl");
    for (String name : List.of("any", "tagged")) {
      Ran ran = run("export", store, name, file, "--values");
      assertThat(ran.code()).isZero();
      assertThat(ran.err()).contains("1 elements cannot be imported");
      assertThat(Files.readString(file)).containsOnlyOnce("\"exact\":false");
      assertThat(run("import", copy, file, "--write").err()).contains("does not keep this");
    }
  }

  @Test
  void anInterruptedImportGoesOn() throws Exception {
    try (Rockpool pool = Rockpool.open(store)) {
      List<Integer> numbers = IntStream.range(0, 2_500).boxed().toList();
      pool.deque("deque", Integer.class).addAll(numbers);
      pool.sortedSet("set", Integer.class).addAll(numbers);
      var cache = pool.cache("cache", Integer.class, String.class);
      numbers.forEach(number -> cache.put(number, "v" + number));
    }
    for (String name : List.of("deque", "set", "cache")) {
      Path file = parent.resolve(name + ".jsonl");
      out("export", store, name, file, "--values");
      List<String> lines = Files.readAllLines(file);
      Path cut = Files.write(parent.resolve("cut.jsonl"), lines.subList(0, 1_800));
      assertThat(run("import", copy, cut, "--write").err()).contains("ends before its last line");
      assertThat(run("import", copy, file, "--write").err()).contains("give --resume");
      out("import", copy, file, "--write", "--resume");
      assertThat(out("scan", copy, name, "--limit=0"))
          .isEqualTo(out("scan", store, name, "--limit=0"));
      assertThat(out("count", copy, name, "--format=json")).contains(":2500}");
      assertThat(out("info", copy, name)).doesNotContain("import.elements");
    }
  }

  @Test
  void classesOfTheApplicationComeFromTheClassPath() throws Exception {
    Path source = Files.createDirectories(parent.resolve("src")).resolve("Order.java");
    Files.writeString(source, "package com.acme; public record Order(String id, long amount) {}");
    Path classes = Files.createDirectories(parent.resolve("classes"));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(compiled).isZero();
    Path file =
        file(
            "{\"rockpool\":1,\"name\":\"orders\",\"type\":\"map\",\"key\":\"java.lang.Long\","
                + "\"value\":\"com.acme.Order\"}",
            "{\"key\":7,\"value\":{\"id\":\"o-7\",\"amount\":12}}",
            "{\"records\":1}");
    assertThat(run("import", copy, file, "--write").err()).contains("Give --classpath");
    out("import", copy, file, "--write", "--classpath", classes);
    assertThat(out("export", copy, "orders", "-", "--values", "--classpath", classes))
        .contains("{\"key\":7,\"value\":{\"id\":\"o-7\",\"amount\":12}}\n");
    assertThat(out("verify", copy, "--format=json")).startsWith("{\"clean\":true");
  }
}
