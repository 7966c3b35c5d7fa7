package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Openers;
import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.queue.Schedule;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pages of {@code ui}, as a reader without scripts gets them. */
@Slow
@Timeout(120)
@NotEncrypted("opens stores with and without keys")
final class UiTest {
  private static final Pattern NEXT = Pattern.compile("id=\"next\" href=\"([^\"]+)\"");

  @TempDir Path parent;

  /** A value of the application. */
  record Order(String id, List<Integer> amounts) {}

  /** What the page of each kind of name shows. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("cache", "cached"),
          Map.entry("map", "apple"),
          Map.entry("sortedMap", "{&quot;id&quot;:&quot;o-7&quot;,&quot;amounts&quot;:[3,4]}"),
          Map.entry("set", "red"),
          Map.entry("sortedSet", "-12"),
          Map.entry("scoredSet", "1.5"),
          Map.entry("deque", "second"),
          Map.entry("table", "basket"),
          Map.entry("value", "single"),
          Map.entry("counter", "41"),
          Map.entry("queue", "job"),
          Map.entry("timer", "tick"));

  static void fill(Rockpool pool) {
    pool.cache("cache", TypeRef.of(String.class), TypeRef.of(String.class)).put("/", "cached");
    pool.map("map", String.class, Long.class).put("apple", 3L);
    pool.sortedMap("sortedMap", Long.class, Order.class).put(7L, new Order("o-7", List.of(3, 4)));
    pool.set("set", String.class).add("red");
    pool.sortedSet("sortedSet", Integer.class).add(-12);
    pool.scoredSet("scoredSet", String.class).add("ann", 1.5);
    pool.deque("deque", String.class).addAll(List.of("first", "second"));
    pool.table("table", String.class, Integer.class, String.class).put("ann", 1, "basket");
    pool.value("value", String.class).set("single");
    pool.counter("counter").addAndGet(41);
    pool.queue("queue", String.class).send("job");
    pool.timer("timer", Schedule.rate(Duration.ofDays(1)), String.class);
  }

  /** A store with a name of each kind. */
  static Path filled(Path parent) {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      fill(pool);
    }
    return store;
  }

  @Test
  void everyKindOfNameIsShown() throws Exception {
    assertThat(
            Arrays.stream(Openers.class.getMethods())
                .map(Method::getName)
                .filter(name -> !name.toLowerCase(Locale.ROOT).endsWith("changes"))
                .collect(Collectors.toSet()))
        .as("the kinds that are tried")
        .isEqualTo(KINDS.keySet());
    try (UiRun run = UiRun.start(filled(parent))) {
      String names = run.page("");
      assertThat(names).contains("12 names", "New copy", "Hit ratios");
      for (Map.Entry<String, String> kind : KINDS.entrySet()) {
        if (!kind.getKey().equals("timer")) {
          assertThat(run.page("name?name=" + kind.getKey()))
              .as(kind.getKey())
              .contains(kind.getValue(), "<dt>type</dt>", "Elements: ");
        }
        assertThat(row(names, kind.getKey())).isNotEmpty();
      }
      assertThat(row(names, "deque"))
          .containsSubsequence("deque", "java.lang.String", "2", "0 bytes");
      assertThat(row(names, "cache")).contains("1");
    }
  }

  /** The cells of a row of the table of names, as text. */
  private static List<String> row(String page, String name) {
    return Pattern.compile("<tr>(.*)</tr>")
        .matcher(page)
        .results()
        .map(row -> List.of(row.group(1).replaceAll("<[^>]*>", "|").split("\\|+", -1)))
        .filter(cells -> cells.contains(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + page));
  }

  @Test
  void anElementIsShownAsStructureAndAsAWhole() throws Exception {
    Path store = filled(parent);
    String text = "x".repeat(500) + "end";
    try (Rockpool pool = Rockpool.open(store)) {
      pool.map("long", String.class, String.class).put("k", text);
    }
    try (UiRun run = UiRun.start(store)) {
      assertThat(run.page(link(run.page("name?name=sortedMap"), "all of it")))
          .contains("{\n  &quot;id&quot; : &quot;o-7&quot;,\n");
      String cut = run.page("name?name=long");
      assertThat(cut).contains("… (503 characters)").doesNotContain("xend");
      assertThat(run.page(link(cut, "all of it"))).contains(text).doesNotContain("characters");
    }
  }

  /** The address of a link with a text. */
  static String link(String page, String text) {
    Matcher link = Pattern.compile("<a href=\"([^\"]+)\">" + text + "</a>").matcher(page);
    assertThat(link.find()).as(page).isTrue();
    return link.group(1);
  }

  @Test
  void pagesAndPrefixes() throws Exception {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      PersistentMap<String, Integer> many = pool.map("many", String.class, Integer.class);
      for (int key = 0; key < 250; key++) {
        many.put("key-" + key, key);
        pool.counter("names/" + key);
      }
      var cache = pool.cache("cache", String.class, String.class);
      cache.putAll(
          IntStream.range(0, 120_000).boxed().collect(Collectors.toMap(i -> "key-" + i, i -> "v")));
    }
    try (UiRun run = UiRun.start(store)) {
      assertThat(keys(run, "name?name=many", 3)).hasSize(250).doesNotHaveDuplicates();
      assertThat(keys(run, "name?name=many&prefix=key-12", 1))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      Stream.of("key-12"),
                      Stream.iterate(120, i -> i < 130, i -> i + 1).map(i -> "key-" + i))
                  .toList());
      assertThat(keys(run, "name?name=many&prefix=nothing", 1)).isEmpty();
      String early = run.page("name?name=cache&prefix=nothing");
      assertThat(early).as("a long search").contains("There are none here", "id=\"next\"");
      assertThat(keys(run, "name?name=cache&prefix=nothing", 2)).isEmpty();
      assertThat(run.page("")).contains("252 names", "id=\"next\"");
      assertThat(run.page("?prefix=names/24")).contains("11 names").doesNotContain("id=\"next\"");
      assertThat(run.page("?from=200&prefix=")).doesNotContain("id=\"next\"").contains("names/99");
      String sizes = run.page("?by=bytes");
      assertThat(sizes.indexOf(">cache<")).isBetween(0, sizes.indexOf(">many<"));
      assertThat(Long.parseLong(estimate(row(sizes, "cache")))).isBetween(30_000L, 480_000L);
      for (String wrong :
          List.of(
              "?from=x",
              "name?name=many&after=AAAA",
              "name?name=many&after=" + "A".repeat(80),
              "entry?name=many&at=x",
              "name?name=%2525")) {
        HttpResponse<String> answer = run.get(run.uri(wrong));
        assertThat(answer.statusCode()).as(wrong + answer.body()).isIn(400, 404);
      }
    }
  }

  private static String estimate(List<String> row) {
    return row.stream()
        .filter(cell -> cell.matches("(about |over )?[\\d,]+"))
        .findFirst()
        .orElseThrow()
        .replaceAll("[^\\d]", "");
  }

  /** The keys on so many pages, by their links. */
  static List<String> keys(UiRun run, String first, int pages) throws Exception {
    StringBuilder all = new StringBuilder();
    String page = run.page(first);
    for (int number = 1; number < pages; number++) {
      all.append(page);
      Matcher next = NEXT.matcher(page);
      assertThat(next.find()).as(first + " page " + number).isTrue();
      page = run.page(next.group(1));
    }
    assertThat(page).doesNotContain("id=\"next\"");
    return Pattern.compile("<td data-label=\"key\"><code>([^<]*)")
        .matcher(all.append(page))
        .results()
        .map(key -> key.group(1))
        .collect(Collectors.toList());
  }

  @Test
  void anOpenStoreIsShownAsItWasAndANewCopyAsItIs() throws Exception {
    Path store = parent.resolve("store");
    try (Rockpool pool = Rockpool.open(store)) {
      var jobs = pool.queue("jobs", String.class, o -> o.maxDeliveries(1).deadLetters("dead"));
      for (int job = 0; job < 6; job++) {
        jobs.send("job " + job);
      }
      jobs.send("later", o -> o.delay(Duration.ofHours(1)));
      jobs.receive(1).get(0).reject("broken");
      jobs.receive(2);
      try (UiRun run = UiRun.start(store)) {
        String before = run.page("name?name=jobs");
        assertThat(row(before, "jobs"))
            .containsSubsequence("jobs", "3", "1", "2", "no", "1 in ", "dead");
        assertThat(before).contains("Elements: 6", "copy of <code>" + store + "</code>");
        jobs.pause();
        jobs.send("seventh");
        assertThat(run.page("name?name=jobs")).doesNotContain("seventh");
        assertThat(run.refresh("http://evil.example").statusCode()).isEqualTo(405);
        assertThat(run.get(run.uri("refresh")).statusCode()).isEqualTo(405);
        assertThat(run.page("name?name=jobs")).doesNotContain("seventh");
        assertThat(run.refresh(null).statusCode()).isEqualTo(200);
        assertThat(run.page("name?name=jobs")).contains("seventh", ">yes<");
        assertThat(run.refresh("null").statusCode()).as("of a frame").isEqualTo(405);
        pool.names().drop("jobs");
        run.refresh("http://" + run.address().getAuthority());
        assertThat(run.get(run.uri("name?name=jobs")).statusCode()).isEqualTo(404);
        assertThat(run.page("name?name=dead")).contains("job 0", "broken");
        try (Stream<Path> copies = Files.list(store.resolve("copies"))) {
          assertThat(copies.filter(Files::isDirectory)).hasSize(1);
        }
      }
      assertThat(copies(store)).isEmpty();
    }
  }

  private static List<Path> copies(Path store) throws IOException {
    if (!Files.isDirectory(store.resolve("copies"))) {
      return List.of();
    }
    try (Stream<Path> copies = Files.list(store.resolve("copies"))) {
      return copies.toList();
    }
  }

  @Test
  void aDamagedStoreIsSaidOnThePageOrAtTheStart() throws Exception {
    Path store = filled(parent);
    Files.delete(store.resolve("ROCKPOOL"));
    CommandRun ran = CommandRun.of("ui", store, "--idle=1ms");
    assertThat(ran.code()).isEqualTo(RockpoolCommand.REFUSED);
    assertThat(ran.err()).hasLineCount(1);
  }

  @Test
  void aStoreThatIsGoneLeavesTheOldCopyShown() throws Exception {
    Path store = filled(parent);
    try (UiRun run = UiRun.start(store)) {
      Path moved = Files.move(store.resolve("ROCKPOOL"), parent.resolve("moved"));
      HttpResponse<String> failed = run.refresh(null);
      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(failed.body()).contains("id=\"failure\"").doesNotContain("copies/");
      assertThat(run.page("name?name=map")).contains("apple");
      Files.move(moved, store.resolve("ROCKPOOL"));
      assertThat(run.refresh(null).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void itEndsWhenItIsIdleAndWhenItIsKilled() throws Exception {
    Path store = filled(parent);
    CommandRun ran = CommandRun.of("ui", store, "--idle", "1ms");
    ran.assertDone();
    assertThat(ran.out()).startsWith("address  http://127.0.0.1:");
    assertThat(CommandRun.out("ui", store, "--idle=1ms", "--format=json"))
        .startsWith("{\"address\":\"http://127.0.0.1:");
    assertThat(copies(store)).isEmpty();
    try (Child child = Child.start(RockpoolCommand.class, List.of(), "ui", store.toString())) {
      assertThat(child.readLine()).startsWith("address");
      assertThat(copies(store)).isNotEmpty();
      assertThat(ProcessHandle.of(child.pid()).orElseThrow().destroy()).isTrue();
      child.waitFor();
      assertThat(copies(store)).isEmpty();
    }
  }

  /** The lines of the document, with the port that is free here. */
  @Test
  void theExampleOfTheDocument() throws Exception {
    Matcher example =
        Pattern.compile("\ncli/rockpool (ui data --port) 8080\n```\n\n```\n(address .*)\n```\n")
            .matcher(Files.readString(Path.of("../docs/cli.md")));
    assertThat(example.find()).isTrue();
    Object[] arguments =
        example
            .group(1)
            .replace("data", filled(parent).toString())
            .concat(" 0 --idle=1ms")
            .split(" ", -1);
    assertThat(CommandRun.out(arguments).strip().replaceAll(":\\d+/", ":8080/"))
        .hasSameSizeAs(example.group(2))
        .startsWith(example.group(2).replaceAll("=.*", "="));
  }

  @Test
  void aPortIsTheGivenOneOrRefused() throws Exception {
    Path store = filled(parent);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CommandRun.of("ui", store, "--idle=1ms", "--port=" + taken.getLocalPort())
          .assertRefused("The port " + taken.getLocalPort() + " cannot be used: ");
    }
    CommandRun wrong = CommandRun.of("ui", store, "--port=65536");
    assertThat(wrong.code()).isEqualTo(RockpoolCommand.USAGE);
    assertThat(wrong.err()).contains("65536 is no port; give one from 1 to 65535.");
  }

  @Test
  void aServerIsShownAsItIs() throws Exception {
    String server = "memory://ui-" + UUID.randomUUID();
    Path export = parent.resolve("export");
    CommandRun.of("export", filled(parent), "map", export).assertDone();
    CommandRun.of("import", server, export, "--write").assertDone();
    try (UiRun run = UiRun.start(server)) {
      assertThat(run.page(""))
          .contains("What the server has now.", "1 name,")
          .doesNotContain("New copy");
      CommandRun.of("import", server, export, "--as=again", "--write").assertDone();
      assertThat(run.page("name?name=again")).contains("apple");
    }
  }
}
