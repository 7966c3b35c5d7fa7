package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codecs;
import io.rockpool.error.NameConflictException;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classes of keys that change between two openings, in each structure: an equal key is found, or
 * the opening is refused.
 */
@Slow
class EvolvingKeysTest {
  /** What can be done with a key, whatever holds it. */
  private record Keys(Consumer<Object> put, Predicate<Object> has, IntSupplier size) {}

  /** Something with keys of a class. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  private enum Place {
    CACHE(false, (pool, type) -> map(pool.cache("p", type, String.class).asMap())),
    MAP(false, (pool, type) -> map(pool.map("p", type, String.class))),
    SORTED_MAP(true, (pool, type) -> map(pool.sortedMap("p", type, String.class))),
    SET(false, (pool, type) -> set(pool.set("p", type))),
    SORTED_SET(true, (pool, type) -> set(pool.sortedSet("p", type))),
    SCORED_SET(false, (pool, type) -> scored(pool.scoredSet("p", type))),
    TABLE_ROW(false, (pool, type) -> row(pool.table("p", type, String.class, String.class))),
    TABLE_COLUMN(true, (pool, type) -> column(pool.table("p", String.class, type, String.class)));

    final boolean sorts;
    final BiFunction<Rockpool, Class<Object>, Keys> open;

    Place(boolean sorts, BiFunction<Rockpool, Class<Object>, Keys> open) {
      this.sorts = sorts;
      this.open = open;
    }

    private static Keys map(Map<Object, String> map) {
      return new Keys(key -> map.put(key, "v"), map::containsKey, map::size);
    }

    private static Keys set(Set<Object> set) {
      return new Keys(set::add, set::contains, set::size);
    }

    private static Keys scored(PersistentScoredSet<Object> set) {
      return new Keys(key -> set.add(key, 1), set::contains, set::size);
    }

    private static Keys row(PersistentTable<Object, String, String> table) {
      return new Keys(key -> table.put(key, "c", "v"), key -> table.get(key, "c") != null, () -> 1);
    }

    private static Keys column(PersistentTable<String, Object, String> table) {
      return new Keys(key -> table.put("r", key, "v"), key -> table.get("r", key) != null, () -> 1);
    }
  }

  /** A class before and after, an expression of the key, and what becomes of it where keys sort. */
  private record Change(
      String name, String before, String after, String key, boolean found, boolean foundSorted) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String STATE = "public enum State { %s }";
  private static final String RECORD = "public record Key(%s) {}";

  private static final List<Change> CHANGES =
      List.of(
          new Change("same enum", "PAY, SHIP", "PAY, SHIP", "State.SHIP", true, true),
          new Change("appended", "PAY, SHIP", "PAY, SHIP, SHIPPED", "State.SHIP", true, true),
          new Change("inserted", "PAY, SHIP", "PAY, PACK, SHIP", "State.SHIP", true, false),
          new Change("moved", "PAY, SHIP", "SHIP, PAY", "State.SHIP", true, false),
          new Change("removed", "PAY, SHIP, LOST", "PAY, SHIP", "State.SHIP", true, false),
          new Change("renamed", "PAY, SHIP, LOST", "PAY, SHIP, LOSE", "State.SHIP", true, false),
          new Change("longer name", "PAY, SHIP", "PAY, SHIPPED, SHIP", "State.SHIP", true, false));

  private static final List<Change> RECORDS =
      List.of(
          new Change(
              "list",
              "int n, List<String> l",
              "int n, List<String> l",
              "1, List.of()",
              true,
              false),
          new Change(
              "boxed",
              "int n, List<String> l",
              "Integer n, List<String> l",
              "1, List.of()",
              true,
              false),
          new Change(
              "widened",
              "int n, List<String> l",
              "long n, List<String> l",
              "1, List.of()",
              false,
              false),
          new Change(
              "renamed",
              "int n, List<String> l",
              "int m, List<String> l",
              "1, List.of()",
              false,
              false),
          new Change(
              "swapped",
              "int n, int m, List<String> l",
              "int m, int n, List<String> l",
              "1, 2, List.of()",
              false,
              false),
          new Change(
              "ordered widened", "int n, String s", "long n, String s", "1, \"\"", false, false),
          new Change("ordered same", "int n, String s", "int n, String s", "1, \"\"", true, true));

  @TempDir Path directory;

  static Stream<Arguments> cases() {
    return Stream.of(Place.values())
        .flatMap(
            place ->
                Stream.concat(
                    CHANGES.stream()
                        .flatMap(
                            it ->
                                Stream.of(
                                    Arguments.of(place, it, "%s"),
                                    Arguments.of(place, it, "new Key(%s, 1)"))),
                    RECORDS.stream()
                        .filter(it -> !place.sorts || it.name.startsWith("ordered"))
                        .map(it -> Arguments.of(place, it, "new Key(%s)"))));
  }

  /** A version of the classes; {@code make} returns the key. */
  private static SourceLoader version(Change change, boolean after, String key) {
    String content = after ? change.after : change.before;
    String classes =
        CHANGES.contains(change)
            ? STATE.formatted(content) + RECORD.formatted("State state, int n")
            : RECORD.formatted(content);
    return new SourceLoader(
        "public class Main { "
            + classes
            + " public static Object make() { return "
            + key.formatted(change.key)
            + "; } }");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anEqualKeyIsFoundOrTheOpeningRefused(Place place, Change change, String key) {
    boolean found = place.sorts ? change.foundSorted : change.found;
    for (boolean after : List.of(false, true)) {
      SourceLoader version = version(change, after, key);
      Object mine = version.make();
      try (Rockpool pool =
          Rockpool.at(directory).codecs(Codecs.builder().classLoader(version).build()).open()) {
        @SuppressWarnings("unchecked") // a class that only the loader has
        Class<Object> type = (Class<Object>) mine.getClass();
        if (after && !found) {
          assertThatThrownBy(() -> place.open.apply(pool, type))
              .isInstanceOf(NameConflictException.class)
              .hasMessageContaining("codec is ");
          continue;
        }
        Keys keys = place.open.apply(pool, type);
        assertThat(keys.has.test(mine)).isEqualTo(after);
        keys.put.accept(mine);
        assertThat(keys.has.test(mine)).isTrue();
        assertThat(keys.size.getAsInt()).isOne();
        assertThat(pool.verify().isClean()).isTrue();
      }
    }
  }
}
