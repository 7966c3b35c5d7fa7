package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScoredCombinationTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentScoredSet<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().scoredSet("scores", String.class);
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

  @ParameterizedTest
  @EnumSource
  void combines(Kind kind) {
    PersistentScoredSet<String> target = open(kind);
    PersistentScoredSet<String> one = store.pool().scoredSet("one", String.class);
    PersistentScoredSet<String> two = store.pool().scoredSet("two", String.class);
    one.addAll(Map.of("a", 1.0, "b", 2.0, "up", Double.POSITIVE_INFINITY));
    two.addAll(Map.of("b", 10.0, "c", 20.0, "up", Double.NEGATIVE_INFINITY));
    target.add("old", 1);
    List<WeightedSet<String>> both = List.of(WeightedSet.of(one), new WeightedSet<>(two, 2));
    assertThat(target.setToUnion(both, ScoreAggregate.SUM)).isEqualTo(4);
    assertThat(target.range(ScoreRange.all()))
        .containsExactly(scored("up", 0), scored("a", 1), scored("b", 22), scored("c", 40));
    assertThat(target.setToIntersection(both, ScoreAggregate.MIN)).isEqualTo(2);
    assertThat(target.range(ScoreRange.all()))
        .containsExactly(scored("up", Double.NEGATIVE_INFINITY), scored("b", 2));
    assertThat(target.setToIntersection(both, ScoreAggregate.MAX)).isEqualTo(2);
    assertThat(target.score("b")).hasValue(20);
    assertThat(target.setToUnion(List.of(), ScoreAggregate.MAX)).isZero();
    assertThatThrownBy(() -> target.setToUnion(List.of(WeightedSet.of(target)), ScoreAggregate.SUM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("snapshot");
    check(target);
  }

  @ParameterizedTest
  @EnumSource
  void combinesManyInBatches(Kind kind) {
    PersistentScoredSet<String> target = open(kind);
    PersistentScoredSet<String> one = store.pool().scoredSet("one", String.class);
    PersistentScoredSet<String> two = store.pool().scoredSet("two", String.class);
    for (int i = 0; i < 3_000; i += 1_000) {
      Map<String, Double> part = new LinkedHashMap<>();
      for (int j = i; j < i + 1_000; j++) {
        part.put("e" + j, (double) j);
      }
      one.addAll(part);
      part.keySet().removeIf(e -> e.endsWith("1"));
      two.addAll(part);
    }
    List<WeightedSet<String>> both = List.of(WeightedSet.of(one), WeightedSet.of(two));
    assertThat(target.setToUnion(both, ScoreAggregate.SUM)).isEqualTo(3_000);
    assertThat(target.score("e2999")).hasValue(5_998);
    assertThat(target.score("e2991")).hasValue(2_991);
    assertThat(target.setToIntersection(both, ScoreAggregate.SUM)).isEqualTo(2_700);
    check(target);
  }
}
