package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import io.rockpool.error.NameConflictException;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.KeyPairs;
import io.rockpool.testing.KeyPairs.Outcome;
import io.rockpool.testing.KeyPairs.Pair;
import io.rockpool.testing.KeyPairs.Rules;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
  private static final Path PAGE = Path.of("../docs/evolution-keys.md");

  private static final String HEAD =
      """
      # What becomes of keys when their class changes

      Written by `EvolvingKeysTest`, which compiles each class before and after the change, writes with the first and
      reads with the second. The modules `jcache` and `spring` have tests of their columns.
      [deploys.md](deploys.md#classes-of-keys) has the rules. "Another key" means that no key finds the entry and that
      a list does not have it; it ends by TTL or eviction. A class that is not a record is a key of caches only.
      """;

  /** What can be done with a key, whatever holds it. */
  private record Keys(
      Consumer<Object> put, Predicate<Object> has, Supplier<Collection<Object>> all) {}

  /** Something with keys of a class. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  private enum Place {
    CACHE(Rules.CACHE, (pool, type) -> cache(pool.cache("p", type, String.class))),
    ANY_CACHE(Rules.ANY_CACHE, (pool, type) -> cache(pool.cache("p", Object.class, String.class))),
    MAP(Rules.COLLECTION, (pool, type) -> map(pool.map("p", type, String.class))),
    SORTED_MAP(Rules.SORTED, (pool, type) -> map(pool.sortedMap("p", type, String.class))),
    SET(Rules.COLLECTION, (pool, type) -> set(pool.set("p", type))),
    SORTED_SET(Rules.SORTED, (pool, type) -> set(pool.sortedSet("p", type))),
    SCORED_SET(Rules.COLLECTION, (pool, type) -> scored(pool.scoredSet("p", type))),
    TABLE_ROW(
        Rules.COLLECTION, (pool, type) -> row(pool.table("p", type, String.class, String.class))),
    TABLE_COLUMN(
        Rules.SORTED, (pool, type) -> column(pool.table("p", String.class, type, String.class)));

    final Rules rules;
    final BiFunction<Rockpool, Class<Object>, Keys> open;

    Place(Rules rules, BiFunction<Rockpool, Class<Object>, Keys> open) {
      this.rules = rules;
      this.open = open;
    }

    private static Keys cache(PersistentCache<Object, String> cache) {
      return map(cache.asMap());
    }

    private static Keys map(Map<Object, String> map) {
      return new Keys(
          key -> map.put(key, "v"), map::containsKey, () -> new ArrayList<>(map.keySet()));
    }

    private static Keys set(Set<Object> set) {
      return new Keys(set::add, set::contains, () -> new ArrayList<>(set));
    }

    private static Keys scored(PersistentScoredSet<Object> set) {
      return new Keys(key -> set.add(key, 1), set::contains, () -> set.stream().toList());
    }

    private static Keys row(PersistentTable<Object, String, String> table) {
      return new Keys(
          key -> table.put(key, "c", "v"),
          key -> table.get(key, "c") != null,
          () -> table.stream().map(it -> it.hashKey()).toList());
    }

    private static Keys column(PersistentTable<String, Object, String> table) {
      return new Keys(
          key -> table.put("r", key, "v"),
          key -> table.get("r", key) != null,
          () -> new ArrayList<>(table.row("r").keySet()));
    }
  }

  @TempDir Path directory;

  static Stream<Arguments> cases() {
    return Stream.of(Place.values())
        .flatMap(
            place ->
                KeyPairs.all().stream()
                    .filter(pair -> pair.outcome(place.rules) != null)
                    .map(pair -> Arguments.of(place, pair)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anEqualKeyIsFoundOrTheOpeningRefused(Place place, Pair pair) {
    Outcome outcome = pair.outcome(place.rules);
    for (boolean after : List.of(false, true)) {
      SourceLoader version = pair.version(after);
      Object mine = version.make();
      try (Rockpool pool = Rockpool.at(directory).codecs(KeyPairs.codecs(version)).open()) {
        @SuppressWarnings("unchecked") // a class that only the loader has
        Class<Object> type = (Class<Object>) mine.getClass();
        if (after && outcome == Outcome.REFUSED) {
          assertThatThrownBy(() -> place.open.apply(pool, type))
              .isInstanceOf(NameConflictException.class)
              .hasMessageContaining("codec is ");
          continue;
        }
        Keys keys = place.open.apply(pool, type);
        if (outcome == Outcome.UNWRITTEN) {
          assertThatThrownBy(() -> keys.put.accept(mine)).hasMessageContaining("app.Main");
          return;
        }
        boolean found = after && outcome == Outcome.FOUND;
        assertThat(keys.all.get()).as("listed").hasSize(found ? 1 : 0).allMatch(keys.has);
        assertThat(keys.has.test(mine)).isEqualTo(found);
        keys.put.accept(mine);
        assertThat(keys.has.test(mine)).isTrue();
        assertThat(keys.all.get()).as("listed").isEqualTo(List.of(mine));
        assertThat(pool.verify().isClean()).isTrue();
      }
    }
  }

  @Test
  void thePageListsEachChange() throws IOException {
    StringBuilder page = new StringBuilder(HEAD).append("\n| change |");
    for (Rules rules : Rules.values()) {
      page.append(' ').append(rules.title).append(" |");
    }
    page.append("\n|---|").append("---|".repeat(Rules.values().length)).append('\n');
    for (Pair pair : KeyPairs.all()) {
      page.append("| ").append(pair).append(" |");
      for (Rules rules : Rules.values()) {
        Outcome outcome = pair.outcome(rules);
        page.append(' ').append(outcome == null ? "does not sort" : outcome).append(" |");
      }
      page.append('\n');
    }
    if (Boolean.getBoolean("rockpool.test.writePages")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as("write it with -Drockpool.test.writePages=true")
        .hasContent(page.toString());
  }
}
