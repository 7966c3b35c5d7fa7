package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentSortedSetTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentSortedSet<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().sortedSet("words", String.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsElementsInOrder(Kind kind) {
    PersistentSortedSet<String> set = open(kind);
    assertThat(set.addAll(List.of("c", "a", "b"))).isTrue();
    assertThat(set.add("a")).isFalse();
    assertThat(set.add("d", Duration.ofSeconds(1))).isTrue();
    assertThat(set.descendingSet().comparator()).isEqualTo(Collections.reverseOrder());
    PersistentSortedSet<String> again = store.reopen().sortedSet("words", String.class);
    assertThat(again).containsExactly("a", "b", "c", "d");
    store.clock.advanceMillis(1_000);
    assertThat(again.last()).isEqualTo("c");
    assertThat(again.pollFirst()).isEqualTo("a");
    assertThat(again.ttl("b")).contains(PersistentStructure.FOREVER);
    assertThat(new TreeSet<>(again.headSet("x"))).containsExactly("b", "c");
    assertThatThrownBy(set::first).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void combinesSets(Kind kind) {
    PersistentSortedSet<String> set = open(kind);
    set.addAll(List.of("c", "a", "b"));
    PersistentSortedSet<String> target = store.pool().sortedSet("target", String.class);
    assertThat(set.storeUnionInto(target, Set.of("a", "z"))).isEqualTo(4);
    assertThat(target).containsExactly("a", "b", "c", "z");
    assertThat(target.intersection(set)).containsExactly("a", "b", "c");
    assertThat(set.storeDifferenceInto(target, Set.of("b"))).isEqualTo(2);
    assertThat(target).containsExactly("a", "c");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> set.storeUnionInto(target, target.tailSet("b", true)))
        .withMessageContaining("one of the sets");
    assertThat(target).containsExactly("a", "c");
    PersistentSet<String> spread = store.pool().set("spread", String.class);
    assertThat(set.storeIntersectionInto(spread, target)).isEqualTo(2);
    assertThat(spread).containsExactlyInAnyOrder("a", "c");
  }

  @ParameterizedTest
  @EnumSource
  void filtersOfARangeAddUp(Kind kind) {
    PersistentSortedSet<String> set = open(kind);
    List<String> words = List.of("a", "ab", "aba", "abb", "b", "ba", "bab", "bb", "bba");
    List<String> parts = List.of("", "a", "b", "ab", "ba");
    set.addAll(words);
    List<UnaryOperator<Range<String>>> filters = new ArrayList<>();
    List<Predicate<String>> passes = new ArrayList<>();
    for (String part : parts) {
      filters.add(range -> range.startingWith(part));
      passes.add(word -> word.startsWith(part));
      filters.add(range -> range.endingWith(part));
      passes.add(word -> word.endsWith(part));
      filters.add(range -> range.containing(part));
      passes.add(word -> word.contains(part));
    }
    for (Range<String> range : List.of(Range.<String>all(), Range.closed("ab", "bab"))) {
      for (int i = 0; i < filters.size(); i++) {
        for (int k = 0; k < filters.size(); k++) {
          Range<String> both = filters.get(k).apply(filters.get(i).apply(range));
          List<String> expected =
              set.read(range).stream().filter(passes.get(i).and(passes.get(k))).toList();
          assertThat(set.read(both)).as("%s, %s", i, k).isEqualTo(expected);
          assertThat(set.removeRange(both)).as("%s, %s", i, k).isEqualTo(expected.size());
          assertThat(set).hasSize(9 - expected.size());
          set.addAll(words);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsAndRemovesRanges(Kind kind) {
    PersistentSortedSet<String> set = open(kind);
    IntStream.range(0, 300).forEach(i -> set.add(String.format(Locale.ROOT, "w%03d", i)));
    assertThat(set.read(Range.<String>all().startingWith("w29").reversed().limit(2)))
        .containsExactly("w299", "w298");
    assertThat(set.read(Range.<String>all().endingWith("99")))
        .containsExactly("w099", "w199", "w299");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> set.removeRange(Range.<String>all().offset(1)))
        .withMessageContaining("offset");
    assertThat(set.removeRange(Range.<String>all().endingWith("1").limit(1))).isEqualTo(1);
    set.add("w001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> set.removeRange(Range.closed("w2", "w1")))
        .withMessageContaining("ends before");
    assertThat(set.removeRange(Range.closedOpen("w010", "w290"))).isEqualTo(280);
    assertThat(set).hasSize(20);
    set.tailSet("w1", true).clear();
    assertThat(set).hasSize(10).contains(set.randomElement());
    assertThat(set.removeRandom()).isNotNull();
    assertThat(set.read(Range.prefix("w00"))).hasSize(9);
    assertThat(set.removeRange(Range.prefix("w00").reversed().limit(4))).isEqualTo(4);
    assertThat(set.removeRange(Range.prefix("w00"))).isEqualTo(5);
    assertThat(set).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tellsListeners(Kind kind) {
    PersistentSortedSet<String> set = open(kind);
    set.addAll(List.of("a", "b"));
    List<String> told = new ArrayList<>();
    try (Registration registration = set.addListener((word, added) -> told.add(word + added))) {
      set.descendingSet().add("c");
      set.headSet("b").pollFirst();
      set.tailSet("b").clear();
    }
    assertThat(told).containsExactly("ctrue", "afalse", "bfalse", "cfalse");
    assertThat(set).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void showsASnapshot(Kind kind) {
    PersistentSortedSet<String> set = open(kind);
    set.addAll(List.of("a", "b"));
    try (Snapshot<NavigableSet<String>> snapshot = set.snapshot()) {
      set.descendingSet().add("c");
      set.headSet("b").pollFirst();
      set.tailSet("b").clear();
      assertThat(snapshot.view()).containsExactly("a", "b");
      assertThat(snapshot.view().tailSet("b")).containsExactly("b");
    }
    assertThat(set).isEmpty();
  }
}
