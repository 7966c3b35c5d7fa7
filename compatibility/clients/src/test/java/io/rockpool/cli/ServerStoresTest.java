package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.queue.SendOptions;
import io.rockpool.sample.testing.LocalServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names that the command moves between directories and real servers. */
@Tag("slow")
@Timeout(300)
final class ServerStoresTest {
  private static final Logger LOG = LoggerFactory.getLogger(ServerStoresTest.class);
  private static final int KILLS = Boolean.getBoolean("rockpool.test.longRuns") ? 10 : 1;
  private static final int MANY = 20_000;

  @TempDir Path parent;
  private LocalServer server;

  private record Ran(int code, String out, String err) {}

  private static Ran run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        RockpoolCommand.run(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.of(arguments)
                .filter(each -> !each.equals(""))
                .map(Object::toString)
                .toArray(String[]::new));
    return new Ran(code, out.toString(), err.toString());
  }

  private static String out(Object... arguments) {
    Ran ran = run(arguments);
    assertThat(ran.code()).as("%s %s %s", List.of(arguments), ran.out(), ran.err()).isZero();
    return ran.out();
  }

  private void start(LocalServer.Kind kind) throws IOException {
    kind.tool().orSkip();
    server = LocalServer.start(kind);
  }

  @AfterEach
  void endServer() {
    if (server != null) {
      server.close();
    }
  }

  /** All that a name has, in lines without order. */
  private static List<String> elements(Object store, String name) {
    return out("scan", store, name, "--limit=0", "--format=json").lines().sorted().toList();
  }

  private static List<String> withoutTimes(List<String> lines) {
    return lines.stream()
        .map(line -> line.replaceAll("\"expires\":\"[^\"]*\"", "E"))
        .sorted()
        .toList();
  }

  private static void fillCaches(Rockpool pool) {
    var cache = pool.cache("shop/cache", String.class, Long.class);
    cache.putAll(
        IntStream.range(0, 1_500).boxed().collect(Collectors.toMap(i -> "k" + i, i -> (long) i)));
    cache.put("short", 1L, Duration.ofDays(1));
    cache.put("gone", 1L, Duration.ofMillis(1));
  }

  private static void fill(Rockpool pool) {
    fillCaches(pool);
    var map = pool.map("shop/map", String.class, Long.class, o -> o.entryTtl(Duration.ofDays(9)));
    map.put("a", 3L);
    map.put("short", 5L, Duration.ofDays(1));
    pool.sortedMap("sorted map", Long.class, String.class).putAll(Map.of(7L, "x", -1L, "y"));
    pool.set("set", String.class).addAll(List.of("a", "b"));
    pool.sortedSet("sorted set", Integer.class).addAll(List.of(3, -1, 2));
    var scores = pool.scoredSet("scored set", String.class, o -> o.ranked(true));
    scores.addScores(Map.of("ann", 1.5, "bob", -0.25));
    pool.deque("deque", String.class, o -> o.capacity(10)).addAll(List.of("one", "two", "one"));
    pool.table("table", String.class, Integer.class, Float.class).put("ann", 1, 0.1f);
    pool.value("value", Duration.class).set(Duration.ofNanos(1_500), Duration.ofDays(1));
    pool.counter("counter").addAndGet(41);
    pool.set("ends", String.class).add("x");
    pool.set("ends", String.class).clearAfter(Duration.ofDays(2));
  }

  private static void fillForRecords(Rockpool pool) {
    var tagged = pool.cache("tagged", String.class, String.class);
    tagged.put("gone", "v", Set.of("a"));
    tagged.put("stays", "v", Set.of("b"));
    tagged.invalidateTag("a");
    pool.map("any", String.class, Object.class).put("k", List.of(1, 2L));
    var queue = pool.queue("queue", String.class);
    queue.sendAll(List.of("one", "two"), SendOptions.defaults());
    queue.send("last", SendOptions.defaults().timeToLive(Duration.ofDays(1)));
    assertThat(queue.receive(1)).hasSize(1);
  }

  /** Moves every name of a store to another one and returns the lines of their exports. */
  private Map<String, List<String>> move(Object from, Object to, String how) throws IOException {
    List<String> names =
        out("ls", from, "--format=json")
            .lines()
            .map(line -> line.replaceAll(".*\"name\":\"([^\"]*)\".*", "$1"))
            .toList();
    Map<String, List<String>> moved = new TreeMap<>();
    for (String name : names) {
      Path file = parent.resolve("export");
      out("export", from, name, file, how);
      List<String> lines = Files.readAllLines(file);
      moved.put(name, withoutTimes(lines.subList(1, lines.size())));
      out("import", to, file, "--write");
    }
    return moved;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void everyTypeGoesToPostgresAndBack(String how) throws Exception {
    start(LocalServer.Kind.POSTGRESQL);
    Path store = parent.resolve("store");
    Path back = parent.resolve("back");
    URI uri = server.uri("shop");
    try (Rockpool pool = Rockpool.open(store)) {
      fill(pool);
      if (how.isEmpty()) {
        fillForRecords(pool);
      }
    }
    Map<String, List<String>> moved = move(store, uri, how);
    assertThat(moved).hasSize(how.isEmpty() ? 14 : 11);
    try (Rockpool pool = Rockpool.open(uri)) {
      check(pool, how);
    }
    assertThat(move(uri, back, how)).isEqualTo(moved);
    try (Rockpool pool = Rockpool.open(back)) {
      check(pool, how);
      assertThat(pool.verify().isClean()).as("%s", pool.verify().findings()).isTrue();
    }
  }

  private static void check(Rockpool pool, String how) {
    assertThat(pool.map("shop/map", String.class, Long.class)).containsEntry("a", 3L).hasSize(2);
    assertThat(pool.map("shop/map", String.class, Long.class).ttl("short").orElseThrow())
        .isBetween(Duration.ofHours(23), Duration.ofDays(1));
    assertThat(pool.sortedMap("sorted map", Long.class, String.class).firstKey()).isEqualTo(-1);
    assertThat(pool.scoredSet("scored set", String.class).rank("ann")).hasValue(1);
    assertThat(pool.deque("deque", String.class)).containsExactly("one", "two", "one");
    assertThat(pool.counter("counter").get()).isEqualTo(41);
    var cache = pool.cache("shop/cache", String.class, Long.class);
    assertThat(cache.get("k1499")).isEqualTo(1_499);
    assertThat(cache.get("gone")).isNull();
    assertThat(cache.ttl("short").orElseThrow()).isLessThanOrEqualTo(Duration.ofDays(1));
    if (how.isEmpty()) {
      var tagged = pool.cache("tagged", String.class, String.class);
      assertThat(tagged.keys()).containsExactly("stays");
      assertThat(tagged.tags("stays")).containsExactly("b");
      assertThat(pool.map("any", String.class, Object.class)).containsEntry("k", List.of(1, 2L));
      assertThat(pool.queue("queue", String.class).size()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--values"})
  void cachesGoToRedisAndBack(String how) throws Exception {
    start(LocalServer.Kind.REDIS);
    Path store = parent.resolve("store");
    URI uri = server.uri("shop");
    try (Rockpool pool = Rockpool.open(store)) {
      fillCaches(pool);
    }
    Map<String, List<String>> moved = move(store, uri, how);
    assertThat(moved).hasSize(1);
    assertThat(elements(uri, "shop/cache")).hasSize(1_501);
    try (Rockpool pool = Rockpool.open(uri)) {
      assertThat(pool.cache("shop/cache", String.class, Long.class).get("k1499")).isEqualTo(1_499);
    }
    assertThat(move(uri, parent.resolve("back"), how)).isEqualTo(moved);
    try (Rockpool pool = Rockpool.open(parent.resolve("back"))) {
      var cache = pool.cache("shop/cache", String.class, Long.class);
      assertThat(cache.get("k1499")).isEqualTo(1_499);
      assertThat(cache.ttl("short").orElseThrow()).isLessThanOrEqualTo(Duration.ofDays(1));
    }
  }

  @Test
  void whatRedisCannotHaveIsRefusedBeforeAnythingIsMade() throws Exception {
    start(LocalServer.Kind.REDIS);
    Path store = parent.resolve("store");
    URI uri = server.uri("shop");
    try (Rockpool pool = Rockpool.open(store)) {
      fill(pool);
      fillForRecords(pool);
    }
    Path file = parent.resolve("export");
    for (String name : List.of("shop/map", "deque", "scored set", "counter", "queue", "tagged")) {
      boolean isRecordsOnly = name.equals("queue") || name.equals("tagged");
      for (String how : isRecordsOnly ? List.of("") : List.of("", "--values")) {
        out("export", store, name, file, how);
        Ran ran = run("import", uri, file, "--write");
        assertThat(ran.code()).as(name + how + ran.out()).isEqualTo(RockpoolCommand.REFUSED);
        assertThat(ran.err()).as(name + how).startsWith("rockpool: ").hasLineCount(1);
        assertThat(ran.err()).as(name + how).contains("Redis", "PostgreSQL");
      }
    }
    assertThat(out("ls", uri, "--format=json")).isEmpty();
  }

  /** The names with many elements, on the server that can have them. */
  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, map, ''",
    "POSTGRESQL, map, --values",
    "POSTGRESQL, deque, --values",
    "POSTGRESQL, cache, --values",
    "REDIS, cache, ''",
    "REDIS, cache, --values"
  })
  @Timeout(3_600) // a long run has 10 rounds
  void aKilledImportIsResumed(LocalServer.Kind kind, String name, String how) throws Exception {
    start(kind);
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      Map<Integer, String> all =
          IntStream.range(0, MANY).boxed().collect(Collectors.toMap(i -> i, i -> "v" + i));
      switch (name) {
        case "map" -> pool.map(name, Integer.class, String.class).putAll(all);
        case "deque" -> pool.deque(name, String.class).addAll(all.values());
        default -> pool.cache(name, Integer.class, String.class).putAll(all);
      }
    }
    Path file = parent.resolve("export");
    out("export", store, name, file, how);
    List<String> expected = elements(store, name);
    long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
    Random random = new Random(seed);
    int begun = 0;
    for (int round = 0; round < KILLS; round++) {
      URI uri = server.uri("r" + round);
      killed(uri, file, random);
      String there = out("ls", uri, "--format=json");
      if (!there.isEmpty()) {
        begun++;
        assertThat(run("import", uri, file, "--write").err()).contains("give --resume");
      }
      out("import", uri, file, "--write", "--resume");
      assertThat(elements(uri, name)).as("seed %d, round %d", seed, round).isEqualTo(expected);
      assertThat(out("count", uri, name)).contains("" + MANY);
      assertThat(run("import", uri, file, "--write", "--resume").err()).contains("already; drop");
      out("drop", uri, name, "--write");
    }
    LOG.info("{} of {} killed imports had begun; seed {}", begun, KILLS, seed);
  }

  /** Gives some lines to an import in another process, and kills it. */
  private static void killed(URI uri, Path file, Random random) throws Exception {
    List<String> lines = Files.readAllLines(file);
    int given = 1_001 + random.nextInt(MANY);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RockpoolCommand.class.getName(),
                "import",
                uri.toString(),
                "-",
                "--write")
            .redirectErrorStream(true)
            .start();
    try (OutputStream input = process.getOutputStream()) {
      String text = String.join("\n", lines.subList(0, Math.min(given, lines.size() - 1))) + "\n";
      input.write(text.getBytes(StandardCharsets.UTF_8));
      input.flush();
      Thread.sleep(random.nextInt(200));
      process.destroyForcibly();
      process.waitFor();
    } catch (IOException e) {
      throw new AssertionError(
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8), e);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyVerbOnAServer(LocalServer.Kind kind) throws Exception {
    start(kind);
    URI uri = server.uri("shop");
    try (Rockpool pool = Rockpool.open(uri)) {
      fillCaches(pool);
    }
    String cache = "shop/cache";
    assertThat(out("ls", uri)).contains(cache);
    assertThat(out("info", uri)).isNotEmpty();
    assertThat(out("info", uri, cache)).contains("java.lang.Long");
    assertThat(out("get", uri, cache, "k7")).contains("7");
    assertThat(out("count", uri, cache)).contains("1501");
    assertThat(out("scan", uri, cache, "--prefix", "k149", "--format=json").lines()).hasSize(11);
    assertThat(out("top", uri)).contains(cache);
    for (String verb :
        List.of("stat", "backup", "compact", "rekey", "salvage", "reclaim", "verify")) {
      List<String> rest =
          switch (verb) {
            case "backup", "salvage" -> List.of(parent.resolve("out").toString());
            case "compact", "rekey", "reclaim" -> List.of("--write");
            default -> List.of();
          };
      Ran ran = run(Stream.concat(Stream.of(verb, uri), rest.stream()).toArray());
      LOG.info("{} on {}: {} {}", verb, kind, ran.code(), ran.err());
      assertThat(ran.code()).as(verb + ran.err()).isIn(0, RockpoolCommand.REFUSED);
      if (ran.code() == RockpoolCommand.REFUSED) {
        assertThat(ran.err()).as(verb).startsWith("rockpool: ").hasLineCount(1);
      }
    }
    assertThat(parent.resolve("out")).doesNotExist();
    assertThat(run("drop", uri, cache).code()).isEqualTo(RockpoolCommand.USAGE);
    out("drop", uri, cache, "--write");
    assertThat(out("ls", uri, "--format=json")).isEmpty();
    server.kill();
    Ran away = run("ls", uri);
    assertThat(away.code()).as(away.err()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(away.err()).startsWith("rockpool: ");
  }
}
