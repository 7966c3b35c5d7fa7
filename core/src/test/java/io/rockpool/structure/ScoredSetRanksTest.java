package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks of a scored set, with and without the index that finds them. */
final class ScoredSetRanksTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentScoredSet<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().scoredSet("game/scores", String.class);
  }

  private static ScoredElement<String> scored(String element, double score) {
    return new ScoredElement<>(element, score);
  }

  private void check(PersistentScoredSet<?> set) {
    ScoredSetRecords.check(store.engine(), set);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private PersistentScoredSet<String> unranked(String name) {
    return store.pool().scoredSet(name, TypeRef.of(String.class), o -> o.ranked(false));
  }

  @ParameterizedTest
  @EnumSource
  void ranksAndRangesWithAndWithoutIndex(Kind kind) {
    open(kind);
    for (boolean ranked : new boolean[] {true, false}) {
      PersistentScoredSet<String> set =
          ranked ? store.pool().scoredSet("r", String.class) : unranked("u");
      Map<String, Double> all = new LinkedHashMap<>();
      List<ScoredElement<String>> expected = new ArrayList<>();
      for (int i = 0; i < 1_500; i++) {
        all.put(String.format("%05d", i), i / 2.0);
        expected.add(scored(String.format("%05d", i), i / 2.0));
      }
      set.addScores(all);
      check(set);
      assertThat(set.isRanked()).isEqualTo(ranked);
      assertThat(set.count()).isEqualTo(1_500);
      for (int i = 0; i < 1_500; i += 97) {
        assertThat(set.rank(expected.get(i).element())).hasValue(i);
        assertThat(set.reverseRank(expected.get(i).element())).hasValue(1_499 - i);
        assertThat(set.atRank(i)).contains(expected.get(i));
      }
      assertThat(set.rank("none")).isEmpty();
      assertThat(set.rank(1)).isEqualTo(OptionalLong.empty());
      assertThat(set.atRank(1_500)).isEmpty();
      assertThat(set.rangeByRank(Range.closed(700L, 702L))).isEqualTo(expected.subList(700, 703));
      assertThat(set.rangeByRank(Range.closedOpen(1_498L, 2_000L)))
          .isEqualTo(expected.subList(1_498, 1_500));
      assertThat(set.rangeByRank(Range.open(697L, 700L))).isEqualTo(expected.subList(698, 700));
      assertThat(set.rangeByRank(Range.atMost(9L))).isEqualTo(expected.subList(0, 10));
      assertThat(set.rangeByRank(Range.openClosed(8L, 9L))).containsExactly(expected.get(9));
      assertThat(set.rangeByRank(Range.atLeast(7L).offset(2).limit(1)))
          .containsExactly(expected.get(9));
      assertThat(set.rangeByRank(Range.<Long>all().offset(Long.MAX_VALUE))).isEmpty();
      assertThat(set.rangeByRank(Range.all())).isEqualTo(expected);
      assertThat(set.first(2)).isEqualTo(expected.subList(0, 2));
      assertThat(set.last(2)).containsExactly(expected.get(1_499), expected.get(1_498));
      assertThat(set.range(Range.<Double>all().reversed().offset(1).limit(2)))
          .containsExactly(expected.get(1_498), expected.get(1_497));
      Range<Double> range = Range.openClosed(100.0, 200.0);
      assertThat(set.count(range)).isEqualTo(200);
      assertThat(set.range(range)).isEqualTo(expected.subList(201, 401));
      assertThat(set.range(range.offset(10).limit(5))).isEqualTo(expected.subList(211, 216));
      assertThat(set.range(range.offset(198).limit(5))).isEqualTo(expected.subList(399, 401));
      assertThat(set.range(range.offset(200).limit(5))).isEmpty();
      assertThat(set.range(range.reversed().offset(1).limit(2)))
          .containsExactly(expected.get(399), expected.get(398));
      assertThat(set.stream(range.reversed()).findFirst()).contains(expected.get(400));
      assertThat(set.removeRangeByRank(Range.closed(1L, 1_200L))).isEqualTo(1_200);
      assertThat(set.rangeByRank(Range.lessThan(2L)))
          .containsExactly(expected.get(0), expected.get(1_201));
      assertThat(set.removeRangeByRank(Range.closedOpen(290L, 400L))).isEqualTo(10);
      assertThat(set.removeRangeByRank(Range.closedOpen(290L, 400L))).isZero();
      assertThat(set.removeRange(Range.atMost(10.0))).isEqualTo(1);
      assertThat(set).hasSize(289);
      check(set);
      assertThat(set.removeRange(Range.<Double>all().reversed().limit(2))).isEqualTo(2);
      assertThat(set.last()).contains(expected.get(1_487));
      check(set);
      assertThatThrownBy(() -> set.removeRange(Range.<Double>all().offset(1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> set.atRank(-1))
          .hasMessage("The rank is -1; it has to be 0 or more.");
      assertThatThrownBy(() -> set.rangeByRank(Range.closed(3L, 2L)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> set.removeRangeByRank(Range.closed(-1L, 2L)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> set.rangeByRank(Range.closed(0L, 9L).reversed()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("reversed");
      set.clear();
      assertThat(set.rangeByRank(Range.atMost(0L))).isEmpty();
      assertThat(set).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void ranksAreChosenAtCreation(Kind kind) {
    open(kind);
    unranked("u").add("a", 1);
    assertThat(store.reopen().scoredSet("u", String.class).isRanked()).isFalse();
    store.reopen();
    assertThatThrownBy(
            () -> store.pool().scoredSet("u", TypeRef.of(String.class), o -> o.ranked(true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ranked = false");
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .map(
                        "m",
                        TypeRef.of(String.class),
                        TypeRef.of(String.class),
                        o -> o.ranked(true)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store.pool().names().find("m")).isEmpty();
  }
}
