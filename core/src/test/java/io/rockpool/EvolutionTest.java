package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.PersistentTimer;
import io.rockpool.queue.Schedule;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.ClassPairs;
import io.rockpool.testing.ClassPairs.Kind;
import io.rockpool.testing.ClassPairs.Pair;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each change of a class, with each codec, in each place that keeps values: what a deploy finds is
 * what the rules promise. The page that lists it is compared, and written with {@code
 * -Drockpool.test.writePages=true}.
 */
@Slow
@Timeout(600)
class EvolutionTest {
  private static final Duration LONG = Duration.ofDays(1);
  private static final int MOST_POLLS = 200;

  private static final String HEAD =
      """
      # What becomes of values when their class changes

      Written by `EvolutionTest`, which compiles each class before and after the change, writes with the first and
      reads with the second. [deploys.md](deploys.md#classes-of-values) has the rules. A collection is a map, deque,
      value, table, `once` or change feed; a timer is as a queue. "Read" is the value as it was; fields that it lacks are
      null or zero. A codec of the application's is registered for the class, or is the option `valueCodec` of a cache, so
      caches of `Object` and `once` do not use it. "Not seen" is another meaning of the same bytes, which no codec can see;
      the reasons are below each table.
      """;

  private static final Path PAGE = Path.of("../docs/evolution.md");

  private static final String NOT_SHOWN =
      "the JDK's serialization does not show how many elements a set had; the codec `FORY` does";

  private static final String NOT_WRITTEN =
      "the JDK's serialization writes no type arguments; the codec `FORY` does";

  private static final String WITHOUT_FIELDS =
      "a collection without fields is written as its elements, each with its class";

  /** What no codec can see, and why. */
  private static final Map<Fallback, Map<String, String>> NOT_SEEN =
      Map.of(
          Fallback.FORY,
          Map.of("type argument of a list changed", WITHOUT_FIELDS),
          Fallback.JAVA_SERIALIZATION,
          Map.of(
              "elements that are equal now", NOT_SHOWN,
              "element type changed", NOT_WRITTEN,
              "type argument of a list changed", WITHOUT_FIELDS,
              "type argument of the superclass changed", NOT_WRITTEN));

  /** What the rules say of a place. */
  private enum Rules {
    CACHE("cache"),
    EVOLVING_CACHE("cache, `evolve`"),
    COLLECTION("collection"),
    STRICT_COLLECTION("not `evolve`"),
    QUEUE("queue"),
    WRITER("write-behind");

    final String title;

    Rules(String title) {
      this.title = title;
    }
  }

  /** What became of a value. */
  private enum Outcome {
    READ,
    WARN,
    MISS,
    REFUSED,
    DEAD,
    CONFLICT,
    UNWRITTEN,
    UNSEEN;

    @Override
    public String toString() {
      return switch (this) {
        case READ -> "read";
        case WARN -> "read, warns";
        case MISS -> "miss";
        case REFUSED -> "refused";
        case DEAD -> "dead letter";
        case CONFLICT -> "refused at open";
        case UNWRITTEN -> "refused at write";
        case UNSEEN -> "not seen";
      };
    }
  }

  /** A cell of the matrix. */
  private record Cell(Outcome outcome, String wrong) {
    @Override
    public String toString() {
      return wrong.isEmpty() ? outcome.toString() : wrong;
    }
  }

  /** Stands for a value that a cache or queue has set aside. */
  private enum Aside {
    MISSED,
    DEAD
  }

  private record World(Rockpool pool, SourceLoader version, Fallback fallback) {
    Class<Object> type() {
      return version.main();
    }

    Codecs strict() {
      return codecs(version, fallback).allowPackage("app").evolve(false).build();
    }
  }

  /** Reads what was written with the earlier class. */
  private interface Reader {
    Object read(World world) throws Exception;
  }

  private interface Writer {
    void write(World world, Object value) throws Exception;
  }

  @SuppressWarnings("ImmutableEnumChecker") // functions
  private enum Place {
    CACHE("cache", Rules.CACHE, (w, v) -> putTwo(cache(w), w), w -> missed(cache(w), w)),
    ANY_CACHE(
        "cache of Object",
        Rules.CACHE,
        (w, v) -> putTwo(anyCache(w), w),
        w -> missed(anyCache(w), w)),
    OPTION_CACHE(
        "cache, codec as its option",
        Rules.CACHE,
        (w, v) -> putTwo(optionCache(w), w),
        w -> missed(optionCache(w), w)),
    EVOLVING(
        "cache, evolve",
        Rules.EVOLVING_CACHE,
        (w, v) -> putTwo(evolving(w), w),
        w -> missed(evolving(w), w)),
    MAP("map", Rules.COLLECTION, (w, v) -> map(w).put("k", v), w -> map(w).get("k")),
    STRICT(
        "map, not evolve",
        Rules.STRICT_COLLECTION,
        (w, v) -> strict(w).put("k", v),
        w -> strict(w).get("k")),
    DEQUE(
        "deque",
        Rules.COLLECTION,
        (w, v) -> w.pool.deque("d", w.type()).addLast(v),
        w -> w.pool.deque("d", w.type()).peekFirst()),
    VALUE(
        "value",
        Rules.COLLECTION,
        (w, v) -> w.pool.value("v", w.type()).set(v),
        w -> w.pool.value("v", w.type()).get()),
    TABLE(
        "table",
        Rules.COLLECTION,
        (w, v) -> w.pool.table("t", String.class, String.class, w.type()).put("r", "c", v),
        w -> w.pool.table("t", String.class, String.class, w.type()).get("r", "c")),
    ONCE(
        "once",
        Rules.COLLECTION,
        (w, v) -> w.pool.once("k", LONG, t -> v),
        w -> w.pool.once("k", LONG, t -> "run again")),
    FEED(
        "feed",
        Rules.COLLECTION,
        (w, v) ->
            w.pool
                .map("f", String.class, w.type(), o -> o.changes(ChangeOptions.keep(LONG)))
                .put("k", v),
        w ->
            w.pool
                .changes("f", String.class, w.type())
                .poll(w.pool.changes("f", String.class, w.type()).oldest(), 1)
                .get(0)
                .value()),
    QUEUE("queue", Rules.QUEUE, (w, v) -> queue(w).send(v), w -> received(queue(w))),
    TIMER("timer", Rules.QUEUE, (w, v) -> timer(w).start(v), w -> received(timer(w).firings())),
    BEHIND(
        "write-behind",
        Rules.WRITER,
        (w, v) -> behind(w, new Target(true), false).put("k", v),
        w -> written(w, false)),
    EVOLVING_BEHIND(
        "write-behind, evolve",
        Rules.WRITER,
        (w, v) -> behind(w, new Target(true), true).put("k", v),
        w -> written(w, true));

    final String title;
    final Rules rules;
    final Writer write;
    final Reader read;

    Place(String title, Rules rules, Writer write, Reader read) {
      this.title = title;
      this.rules = rules;
      this.write = write;
      this.read = read;
    }
  }

  /** Without a warm restart, which may be the first that logs what has changed. */
  private static PersistentCache<String, Object> cache(World w) {
    return w.pool.cache("c", String.class, w.type(), o -> o.warmRestart(false));
  }

  private static PersistentCache<String, Object> anyCache(World w) {
    return w.pool.cache("a", String.class, Object.class, o -> o.warmRestart(false));
  }

  private static PersistentCache<String, Object> optionCache(World w) {
    Optional<Codec<Object>> own = w.version.ownCodec(w.type());
    return w.pool.cache(
        "o", String.class, w.type(), o -> own.map(o::valueCodec).orElse(o).warmRestart(false));
  }

  private static PersistentCache<String, Object> evolving(World w) {
    return w.pool.cache("e", String.class, w.type(), o -> o.warmRestart(false).evolve(true));
  }

  private static void putTwo(PersistentCache<String, Object> cache, World w) {
    cache.put("k", w.version.make());
    cache.put("l", w.version.make());
  }

  /** What is found of two entries, which are alike. Writes those anew that are missed. */
  private static Object missed(PersistentCache<String, Object> cache, World w) {
    Object found = cache.get("k");
    Object other = cache.get("l");
    if (found != null) {
      assertThat(other).isNotNull();
      assertThat(cache.statistics().undecodable()).isZero();
      return found;
    }
    assertThat(other).isNull();
    assertThat(cache.statistics().undecodable()).isEqualTo(2);
    assertThat(cache.containsKey("k")).as("removed").isFalse();
    cache.put("k", w.version.make());
    assertThat(cache.get("k")).as("written again").isNotNull();
    return Aside.MISSED;
  }

  private static PersistentMap<String, Object> map(World w) {
    return w.pool.map("m", String.class, w.type());
  }

  private static PersistentMap<String, Object> strict(World w) {
    return w.pool.map("s", String.class, w.type(), o -> o.codecs(w.strict()));
  }

  private static PersistentQueue<Object> queue(World w) {
    return w.pool.queue("q", w.type(), o -> o.deadLetters("q-dead"));
  }

  private static PersistentTimer<Object> timer(World w) {
    return w.pool.timer(
        "timer",
        Schedule.delay(Duration.ofMillis(1)),
        TypeRef.of(w.type()),
        o -> o.deadLetters("timer-dead"));
  }

  /** What is received, or has become a dead letter. */
  private static Object received(PersistentQueue<Object> queue) throws InterruptedException {
    for (int i = 0; i < MOST_POLLS; i++) {
      List<Delivery<Object>> all = queue.receive(1, Duration.ofMillis(10));
      if (!all.isEmpty()) {
        return all.get(0).message();
      }
      if (queue.deadLetters().size() > 0) {
        assertThat(queue.deadLetters().peek(1).get(0).deadLetter().orElseThrow().cause())
            .contains("app.");
        return Aside.DEAD;
      }
    }
    throw new IllegalStateException("nothing was received");
  }

  /** A database, which may be down. */
  private record Target(boolean down, Map<String, Object> rows)
      implements BatchWriter<String, Object> {
    Target(boolean down) {
      this(down, new LinkedHashMap<>());
    }

    @Override
    public void writeAll(Map<String, Object> entries) throws IOException {
      if (down) {
        throw new IOException("down");
      }
      rows.putAll(entries);
    }

    @Override
    public void deleteAll(Set<String> keys) {
      throw new UnsupportedOperationException();
    }
  }

  private static PersistentCache<String, Object> behind(World w, Target target, boolean evolve) {
    return w.pool.cache(
        "b" + evolve,
        TypeRef.of(String.class),
        TypeRef.of(w.type()),
        o ->
            o.evolve(evolve)
                .writeBehind(
                    target, WriteBehindOptions.defaults().delay(LONG).closeTimeout(Duration.ZERO)));
  }

  private static Object written(World w, boolean evolve) throws InterruptedException {
    Target target = new Target(false);
    PersistentCache<String, Object> cache = behind(w, target, evolve);
    boolean unused = cache.writeBehind().flush(Duration.ofSeconds(30)); // false for a dead letter
    assertThat(cache.writeBehind().deadLetters()).isEmpty(); // it cannot be shown
    if (cache.statistics().deadLetters() == 1) {
      assertThat(target.rows).isEmpty();
      return Aside.DEAD;
    }
    return target.rows.get("k");
  }

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream errors = System.err;

  @TempDir Path directory;

  @BeforeEach
  void captureLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void releaseLog() {
    System.setErr(errors);
  }

  private static Codecs.Builder codecs(SourceLoader version, Fallback fallback) {
    Codecs.Builder codecs = Codecs.builder().classLoader(version).fallback(fallback);
    version.ownCodec(version.main()).ifPresent(own -> codecs.register(version.main(), own));
    return codecs;
  }

  private World open(Path path, String source, Fallback fallback) {
    SourceLoader version = new SourceLoader(source);
    Codecs codecs = codecs(version, fallback).build();
    return new World(Rockpool.at(path).codecs(codecs).open(), version, fallback);
  }

  private Map<Place, Cell> cells(Pair pair, Fallback fallback) {
    Path path = directory.resolve(fallback + "-" + ClassPairs.all().indexOf(pair));
    Map<Place, Cell> cells = new EnumMap<>(Place.class);
    World before = open(path, pair.before(), fallback);
    try (Rockpool pool = before.pool) {
      for (Place place : Place.values()) {
        try {
          place.write.write(before, before.version.make());
        } catch (UnencodableValueException e) {
          cells.put(place, new Cell(Outcome.UNWRITTEN, ""));
        } catch (Exception e) {
          cells.put(place, new Cell(Outcome.UNWRITTEN, "write: " + e));
        }
      }
    }
    World after = open(path, pair.after(), fallback);
    try (Rockpool pool = after.pool) {
      for (Place place : EnumSet.complementOf(enumSet(cells.keySet()))) {
        log.reset();
        cells.put(place, cell(place, after, pair));
      }
    }
    return cells;
  }

  private static EnumSet<Place> enumSet(Set<Place> places) {
    return places.isEmpty() ? EnumSet.noneOf(Place.class) : EnumSet.copyOf(places);
  }

  private Cell cell(Place place, World after, Pair pair) {
    Object read;
    try {
      read = place.read.read(after);
    } catch (NameConflictException e) {
      return told(Outcome.CONFLICT, String.valueOf(e.getMessage()), pair);
    } catch (UndecodableValueException e) {
      return told(Outcome.REFUSED, String.valueOf(e.getMessage()), pair);
    } catch (Throwable e) {
      return new Cell(Outcome.REFUSED, "throws " + e);
    }
    if (read == Aside.MISSED) {
      return told(Outcome.MISS, log.toString(UTF_8), pair);
    }
    if (read == Aside.DEAD) {
      return told(Outcome.DEAD, log.toString(UTF_8), pair);
    }
    String shown;
    try {
      shown = String.valueOf(read);
    } catch (ClassCastException e) {
      shown = "a broken object";
    }
    if (!shown.equals(pair.read()) && NOT_SEEN.get(after.fallback).containsKey(pair.name())) {
      return new Cell(Outcome.UNSEEN, "");
    }
    if (!shown.equals(pair.read())) {
      return new Cell(Outcome.READ, "WRONG " + shown);
    }
    List<String> lines =
        log.toString(UTF_8).lines().filter(line -> line.contains("has gained")).toList();
    if (lines.isEmpty()) {
      return new Cell(Outcome.READ, "");
    }
    return lines.size() > 1
        ? new Cell(Outcome.WARN, lines.size() + " lines")
        : told(Outcome.WARN, lines.get(0), pair);
  }

  /** Whether the class and what has changed are named, and a class is logged once. */
  private static Cell told(Outcome outcome, String text, Pair pair) {
    boolean named =
        text.contains(pair.named()) && (text.contains("app.") || pair.named().equals("SHIP"));
    boolean once =
        outcome != Outcome.MISS
            || text.lines().filter(line -> line.contains("has gained")).count() == 1
            || pair.kind() != Kind.GAINED;
    return new Cell(outcome, named && once ? "" : outcome + " and said: " + text);
  }

  /** What the rules allow. */
  private static Set<Outcome> allowed(Rules rules, Kind kind) {
    return switch (kind) {
      case SAME, LOST -> Set.of(Outcome.READ);
      case GAINED ->
          Set.of(
              switch (rules) {
                case CACHE -> Outcome.MISS;
                case EVOLVING_CACHE -> Outcome.READ;
                case COLLECTION, QUEUE -> Outcome.WARN;
                case STRICT_COLLECTION -> Outcome.REFUSED;
                case WRITER -> Outcome.DEAD;
              });
      case CHANGED -> {
        Set<Outcome> all = EnumSet.of(Outcome.UNWRITTEN, Outcome.CONFLICT, Outcome.UNSEEN);
        all.add(Outcome.READ); // as what it was
        all.addAll(allowed(rules, Kind.GAINED));
        all.add(
            switch (rules) {
              case CACHE, EVOLVING_CACHE -> Outcome.MISS;
              case COLLECTION, STRICT_COLLECTION -> Outcome.REFUSED;
              case QUEUE, WRITER -> Outcome.DEAD;
            });
        yield all;
      }
    };
  }

  @Test
  void eachPlaceDoesWhatTheRulesPromise() throws IOException {
    List<String> wrong = new ArrayList<>();
    StringBuilder page = new StringBuilder(HEAD);
    for (Fallback fallback : Fallback.values()) {
      Set<String> unseen = new TreeSet<>();
      page.append("\n## Codec `").append(fallback).append("`\n\n| change |");
      page.append(Stream.of(Rules.values()).map(it -> ' ' + it.title + " |").collect(joining()));
      page.append("\n|---|").append("---|".repeat(Rules.values().length)).append('\n');
      for (Pair pair : ClassPairs.all()) {
        Map<Place, Cell> cells = cells(pair, fallback);
        cells.forEach(
            (place, cell) -> {
              if (!cell.wrong.isEmpty()
                  || !allowed(place.rules, pair.kind()).contains(cell.outcome)) {
                wrong.add(fallback + ", " + pair + ", " + place.title + ": " + cell);
              }
              if (cell.outcome == Outcome.UNSEEN) {
                unseen.add(pair.name());
              }
            });
        page.append("| ").append(pair).append(" |").append(row(cells)).append('\n');
      }
      Map<String, String> reasons = new TreeMap<>(NOT_SEEN.get(fallback));
      assertThat(unseen).isEqualTo(reasons.keySet());
      page.append("\nNot seen:\n");
      reasons.forEach(
          (name, why) -> page.append("- *").append(name).append("*: ").append(why).append(".\n"));
    }
    assertThat(wrong).isEmpty();
    if (Boolean.getBoolean("rockpool.test.writePages")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as("write it with -Drockpool.test.writePages=true")
        .hasContent(page.toString());
  }

  /** The cells of a row; places with the same rules share one. */
  private static String row(Map<Place, Cell> cells) {
    return Stream.of(Rules.values())
        .map(
            rules ->
                cells.entrySet().stream()
                    .filter(it -> it.getKey().rules == rules)
                    .map(it -> it.getValue().toString())
                    .distinct()
                    .collect(joining(" or ", " ", " |")))
        .collect(joining());
  }
}
