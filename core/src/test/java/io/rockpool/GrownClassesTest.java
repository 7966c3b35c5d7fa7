package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.testing.SourceLoader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classes of values that change between two openings. What a class has gained is a counted miss of
 * a cache, once logged, unless the cache is told to evolve; a map reads it. The same class, or one
 * that has only lost something, is a hit.
 */
class GrownClassesTest {
  /**
   * A class before and after.
   *
   * @param read what the later class shows of the value where it is read
   * @param gained what the log says if that lacks a field; null if it does not
   */
  private record Change(String name, String before, String after, String read, String gained) {
    static Change hit(String name, String before, String after, String read) {
      return new Change(name, before, after, read, null);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static String ofRecord(String components, String arguments) {
    return "public record Main("
        + components
        + ") implements Serializable { public static Object make() { return new Main("
        + arguments
        + "); } }";
  }

  private static final String ID = ofRecord("String id, long cents", "\"o\", 7");

  /** A class with these members. */
  private static String ofClass(String members) {
    return "public class Main implements Serializable {"
        + " private static final long serialVersionUID = 1;"
        + " public static Object make() { Main m = new Main(); m.fill(); return m; } "
        + members
        + " }";
  }

  /** A class with these fields of its own and in a superclass. */
  private static String withParent(String own, String inherited) {
    return ofClass(
                own + " void fill() {} @Override public String toString() { return \"\" + a + b; }")
            .replace("class Main ", "class Main extends Parent ")
        + " class Parent implements Serializable {"
        + " private static final long serialVersionUID = 1; "
        + inherited
        + " }";
  }

  /** A class that writes itself, by default or not. */
  private static String streamed(String fields, String superclass) {
    return ofClass(
                fields
                    + " void fill() {}"
                    + " private void writeObject(ObjectOutputStream o) throws IOException {"
                    + " o.defaultWriteObject(); }"
                    + " private void readObject(ObjectInputStream i) throws IOException,"
                    + " ClassNotFoundException { i.defaultReadObject(); }"
                    + " @Override public String toString() { return \"\" + a + inner(); }"
                    + " Object inner() { return \"\"; }")
            .replace("class Main ", "class Main extends Parent ")
        + " class Parent implements Serializable {"
        + " private static final long serialVersionUID = 1; "
        + superclass
        + " }";
  }

  private static String list(String fields) {
    return "public class Main extends ArrayList<String> {"
        + " private static final long serialVersionUID = 1; "
        + fields
        + " public static Object make() { Main m = new Main(); m.add(\"e\"); return m; } "
        + "@Override public String toString() { return super.toString() + a; } }";
  }

  private static final String INNER =
      "public record Main(List<Line> lines, Map<String, Line> more) implements Serializable {"
          + " public record Line(%s) implements Serializable {}"
          + " public static Object make() { return new Main(List.of(new Line(%s)), Map.of()); } }";

  private static final List<Change> CHANGES =
      List.of(
          Change.hit("same record", ID, ID, "Main[id=o, cents=7]"),
          Change.hit("component lost", ID, ofRecord("String id", "\"n\""), "Main[id=o]"),
          Change.hit(
              "components reordered",
              ID,
              ofRecord("long cents, String id", "1, \"n\""),
              "Main[cents=7, id=o]"),
          new Change(
              "component added",
              ID,
              ofRecord("String id, long cents, String note", "\"n\", 1, \"\""),
              "Main[id=o, cents=7, note=null]",
              "Class app.Main has gained 'note' since"),
          new Change(
              "component renamed",
              ID,
              ofRecord("String id, long amount", "\"n\", 1"),
              "Main[id=o, amount=0]",
              "Class app.Main has gained 'amount' and lost 'cents' since"),
          Change.hit(
              "same inside",
              INNER.formatted("String sku", "\"s\""),
              INNER.formatted("String sku", "\"s\""),
              "Main[lines=[Line[sku=s]], more={}]"),
          new Change(
              "component added inside",
              INNER.formatted("String sku", "\"s\""),
              INNER.formatted("String sku, int n", "\"s\", 1"),
              "Main[lines=[Line[sku=s, n=0]], more={}]",
              "Class app.Main$Line has gained 'n' since"),
          Change.hit(
              "same hierarchy",
              withParent("int a = 1; transient int t = 5; static int s;", "int b = 2;"),
              withParent("int a = 1; transient int t = 5; static int s;", "int b = 2;"),
              "12"),
          Change.hit(
              "a transient and a static field more",
              withParent("int a = 1;", "int b = 2;"),
              withParent("int a = 1; transient int t = 5; static int s;", "int b = 2;"),
              "12"),
          Change.hit(
              "inherited field lost",
              withParent("int a = 1;", "int b = 2; int c = 3;"),
              withParent("int a = 1;", "int b = 2;"),
              "12"),
          new Change(
              "inherited field added",
              withParent("int a = 1;", "int b = 2;"),
              withParent("int a = 1;", "int b = 2; int c = 3;"),
              "12",
              "has gained 'c' since"),
          new Change(
              "first inherited field added",
              withParent("int a = 1; int b = 2;", "").replace("class Main", "final class Main"),
              withParent("int a = 1; int b = 2;", "int c = 3;")
                  .replace("class Main", "final class Main"),
              "12",
              "has gained 'c' since"),
          Change.hit(
              "same that writes itself",
              streamed("int a = 1;", "int b = 2;"),
              streamed("int a = 1;", "int b = 2;"),
              "1"),
          new Change(
              "field added to what writes itself",
              streamed("int a = 1;", "int b = 2;"),
              streamed("int a = 1; int c = 3;", "int b = 2;"),
              "1",
              "Class app.Main has gained 'c' since"),
          new Change(
              "field added to the superclass of what writes itself",
              streamed("int a = 1;", "int b = 2;"),
              streamed("int a = 1;", "int b = 2; int c = 3;"),
              "1",
              "Class app.Parent has gained 'c' since"),
          Change.hit("same list", list("int a = 1;"), list("int a = 1;"), "[e]1"),
          new Change(
              "field added to a list",
              list("int a = 1;"),
              list("int a = 1; int b = 2;"),
              "[e]1",
              "Class app.Main has gained 'b' since"));

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

  static Stream<Arguments> cases() {
    return CHANGES.stream()
        .flatMap(it -> Stream.of(Fallback.values()).map(fallback -> Arguments.of(it, fallback)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCacheMissesWhatLacksAField(Change change, Fallback fallback) {
    for (boolean typed : List.of(true, false)) {
      String name = "c-" + typed;
      write(change, fallback, name, typed);
      log.reset();
      SourceLoader after = new SourceLoader(change.after);
      try (Rockpool pool = open(after, fallback)) {
        PersistentCache<String, Object> cache = cache(pool, after, name, typed);
        for (String key : List.of("a", "b")) {
          Object found = cache.get(key);
          if (change.gained == null) {
            assertThat(found).hasToString(change.read);
          } else {
            assertThat(found).as(name).isNull();
            assertThat(cache.containsKey(key)).as("removed").isFalse();
          }
        }
        assertThat(cache.statistics().undecodable()).isEqualTo(change.gained == null ? 0 : 2);
        Object fresh = after.make();
        cache.put("a", fresh);
        assertThat(cache.get("a")).hasToString(fresh.toString());
      }
      assertThat(gained()).hasSize(change.gained == null ? 0 : 1);
      assertThat(gained()).allMatch(it -> it.contains("INFO") && it.contains(change.gained));
      log.reset();
      try (Rockpool pool = open(after, fallback)) {
        assertThat(cache(pool, after, name, typed).get("a")).as("written anew").isNotNull();
      }
      assertThat(gained()).isEmpty();
    }
  }

  private List<String> gained() {
    return log.toString(UTF_8).lines().filter(line -> line.contains("has gained")).toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aMapAndACacheThatEvolvesReadIt(Change change, Fallback fallback) {
    write(change, fallback, "c", true);
    SourceLoader after = new SourceLoader(change.after);
    try (Rockpool pool = open(after, fallback)) {
      PersistentCache<String, Object> cache =
          pool.cache("c", String.class, after.main(), o -> o.evolve(true));
      assertThat(cache.get("a")).hasToString(change.read);
      assertThat(cache.statistics().undecodable()).isZero();
      assertThat(pool.map("m", String.class, after.main()).get("a")).hasToString(change.read);
    }
    assertThat(gained()).isEmpty();
  }

  private Rockpool open(SourceLoader version, Fallback fallback) {
    return Rockpool.at(directory)
        .codecs(Codecs.builder().classLoader(version).fallback(fallback).build())
        .open();
  }

  private static PersistentCache<String, Object> cache(
      Rockpool pool, SourceLoader version, String name, boolean typed) {
    return pool.cache(name, String.class, typed ? version.main() : Object.class);
  }

  private void write(Change change, Fallback fallback, String name, boolean typed) {
    SourceLoader before = new SourceLoader(change.before);
    try (Rockpool pool = open(before, fallback)) {
      PersistentCache<String, Object> cache = cache(pool, before, name, typed);
      Map<String, Object> map = pool.map("m", String.class, before.main());
      for (String key : List.of("a", "b")) {
        cache.put(key, before.make());
        map.put(key, before.make());
      }
    }
  }
}
