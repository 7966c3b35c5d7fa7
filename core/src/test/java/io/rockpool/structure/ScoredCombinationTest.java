package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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
    one.addScores(Map.of("a", 1.0, "b", 2.0, "up", Double.POSITIVE_INFINITY));
    two.addScores(Map.of("b", 10.0, "c", 20.0, "up", Double.NEGATIVE_INFINITY));
    target.add("old", 1);
    List<WeightedSet<String>> both = List.of(WeightedSet.of(one), new WeightedSet<>(two, 2));
    assertThat(target.setToUnion(both, ScoreAggregate.SUM)).isEqualTo(4);
    assertThat(target.range(Range.all()))
        .containsExactly(scored("up", 0), scored("a", 1), scored("b", 22), scored("c", 40));
    assertThat(target.setToIntersection(both, ScoreAggregate.MIN)).isEqualTo(2);
    assertThat(target.range(Range.all()))
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
      one.addScores(part);
      part.keySet().removeIf(e -> e.endsWith("1"));
      two.addScores(part);
    }
    List<WeightedSet<String>> both = List.of(WeightedSet.of(one), WeightedSet.of(two));
    assertThat(target.setToUnion(both, ScoreAggregate.SUM)).isEqualTo(3_000);
    assertThat(target.score("e2999")).hasValue(5_998);
    assertThat(target.score("e2991")).hasValue(2_991);
    assertThat(target.setToIntersection(both, ScoreAggregate.SUM)).isEqualTo(2_700);
    check(target);
  }

  @ParameterizedTest
  @EnumSource
  void leavesWhatIsInNoOther(Kind kind) {
    PersistentScoredSet<String> target = open(kind);
    PersistentScoredSet<String> one = store.pool().scoredSet("one", String.class);
    PersistentScoredSet<String> two = store.pool().scoredSet("two", String.class);
    PersistentScoredSet<String> three = store.pool().scoredSet("three", String.class);
    one.addScores(Map.of("a", 1.0, "b", 2.0, "c", 3.0));
    two.addScores(Map.of("b", 10.0, "d", 20.0));
    three.add("c");
    target.add("old", 1);
    assertThat(target.setToDifference(one, List.of(two, three))).isEqualTo(1);
    assertThat(target.range(Range.all())).containsExactly(scored("a", 1));
    assertThat(target.setToDifference(one, List.of())).isEqualTo(3);
    assertThat(target.score("c")).hasValue(3);
    assertThatThrownBy(() -> target.setToDifference(one, List.of(target)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(target).hasSize(3);
    check(target);
  }

  @ParameterizedTest
  @EnumSource
  void fewAreOneTransaction(Kind kind) {
    PersistentScoredSet<String> target = open(kind);
    PersistentScoredSet<String> one = store.pool().scoredSet("one", String.class);
    one.addScores(Map.of("a", 1.0, "b", 2.0));
    target.add("old", 1);
    List<WeightedSet<String>> sources = List.of(WeightedSet.of(one));
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          one.add("c", 3);
                          assertThat(target.setToUnion(sources, ScoreAggregate.SUM)).isEqualTo(3);
                          throw new IllegalStateException("undone");
                        }))
        .hasMessage("undone");
    assertThat(target.range(Range.all())).containsExactly(scored("old", 1));
    List<String> told = new ArrayList<>();
    try (Registration registration =
        target.addListener((element, before, after) -> told.add(element + before + after))) {
      assertThat(target.setToUnion(sources, ScoreAggregate.SUM)).isEqualTo(2);
    }
    assertThat(told).containsExactlyInAnyOrder("old1.0null", "anull1.0", "bnull2.0");
    check(target);
  }

  @ParameterizedTest
  @EnumSource(names = "ROCKSDB")
  void manyAreNot(Kind kind) {
    PersistentScoredSet<String> target = open(kind);
    StructureOptions plain = StructureOptions.defaults().ranked(false);
    PersistentScoredSet<String> many =
        store.pool().scoredSet("many", TypeRef.of(String.class), o -> plain);
    Map<String, Double> scores = new LinkedHashMap<>();
    for (int i = 0; i < StructureSpace.MAX_ATOMIC_ELEMENTS; i++) {
      scores.put("e" + i, (double) i);
    }
    many.addScores(scores);
    List<WeightedSet<String>> sources = List.of(WeightedSet.of(many));
    long all = StructureSpace.MAX_ATOMIC_ELEMENTS;
    assertThat(inTransaction(target, sources)).isEqualTo(all);
    target.clear();
    target.add("one too many", 1);
    assertThat(inTransaction(target, sources)).isEqualTo(all);
    target.add("one too many", 1);
    assertThat(target.setToUnion(sources, ScoreAggregate.SUM)).isEqualTo(all);
    check(target);
  }

  private long inTransaction(
      PersistentScoredSet<String> target, List<WeightedSet<String>> sources) {
    return store.pool().atomically(transaction -> target.setToUnion(sources, ScoreAggregate.SUM));
  }

  @ParameterizedTest
  @EnumSource
  void combinesManyInATransaction(Kind kind) {
    PersistentScoredSet<String> target = open(kind);
    PersistentScoredSet<String> one = store.pool().scoredSet("one", String.class);
    Map<String, Double> many = new HashMap<>();
    for (int i = 0; i < 16_400; i++) {
      many.put("e" + i, (double) i);
    }
    one.addScores(many);
    target.add("old", 1);
    long stored =
        store
            .pool()
            .atomically(tx -> target.setToUnion(List.of(WeightedSet.of(one)), ScoreAggregate.SUM));
    assertThat(stored).isEqualTo(16_400);
    assertThat(target.contains("old")).isFalse();
    assertThat(target.score("e7")).hasValue(7);
    check(target);
  }
}
