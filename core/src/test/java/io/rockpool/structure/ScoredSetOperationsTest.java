package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ranges of elements, random elements, conditional increments and combinations without a target.
 */
class ScoredSetOperationsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentScoredSet<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().scoredSet("board", String.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static ScoredElement<String> scored(String element, double score) {
    return new ScoredElement<>(element, score);
  }

  private static List<String> elements(List<ScoredElement<String>> scored) {
    return scored.stream().map(ScoredElement::element).toList();
  }

  @ParameterizedTest
  @EnumSource
  void readsElementsOfOneScore(Kind kind) {
    PersistentScoredSet<String> words = open(kind);
    words.addAll(List.of("apple", "apricot", "banana", "pear"));
    words.addScores(Map.of("aaa", -1.0, "apx", 1.0));
    words.add("apz", 0, SECOND);
    store.clock.advanceMillis(1_000);
    assertThat(elements(words.range(0, Range.prefix("ap")))).containsExactly("apple", "apricot");
    assertThat(elements(words.range(-0.0, Range.openClosed("apple", "pear"))))
        .containsExactly("apricot", "banana", "pear");
    assertThat(elements(words.range(0, Range.<String>all().reversed().offset(1).limit(2))))
        .containsExactly("banana", "apricot");
    assertThat(words.range(1, Range.all())).containsExactly(scored("apx", 1));
    assertThat(words.range(2, Range.all())).isEmpty();
    assertThat(words.range(0, Range.open("apple", "apple"))).isEmpty();
    assertThat(words.count(0, Range.all())).isEqualTo(4);
    assertThat(words.count(0, Range.<String>atLeast("b").limit(1))).isEqualTo(1);
    assertThat(words.count(0, Range.prefix("ap"))).isEqualTo(2);
    assertThatThrownBy(() -> words.range(0, Range.closed("b", "a")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> words.range(Double.NaN, Range.all()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> words.range(0, Range.<String>all().endingWith("e")))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> words.removeRange(0, Range.<String>all().offset(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(words.removeRange(0, Range.prefix("ap"))).isEqualTo(2);
    assertThat(words.removeRange(0, Range.<String>all().reversed().limit(1))).isEqualTo(1);
    assertThat(words).containsExactly("aaa", "banana", "apx");
    ScoredSetRecords.check(store.engine(), words);
    PersistentScoredSet<Integer> numbers = store.pool().scoredSet("numbers", Integer.class);
    assertThatThrownBy(() -> numbers.range(0, Range.prefix(1)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @EnumSource
  void picksRandomElements(Kind kind) {
    PersistentScoredSet<String> ranked = open(kind);
    StructureOptions plain = StructureOptions.defaults().ranked(false);
    PersistentScoredSet<String> unranked =
        store.pool().scoredSet("plain", TypeRef.of(String.class), o -> plain);
    for (PersistentScoredSet<String> set : List.of(ranked, unranked)) {
      assertThat(set.randomElement()).isEmpty();
      assertThat(set.randomElements(2)).isEmpty();
      assertThat(set.randomElementsWithRepeats(2)).isEmpty();
      Map<String, Double> scores = new LinkedHashMap<>();
      for (int i = 0; i < 600; i++) {
        scores.put("e" + i, (double) i);
      }
      set.addScores(scores);
      set.add("gone", 7, SECOND);
      store.clock.advanceMillis(1_000);
      for (int count : new int[] {0, 1, 2, 300, 600, 700}) {
        List<ScoredElement<String>> picked = set.randomElements(count);
        assertThat(picked).hasSize(Math.min(600, count)).doesNotHaveDuplicates();
        assertThat(picked).allMatch(e -> e.score() == scores.get(e.element()));
      }
      assertThat(set.randomElementsWithRepeats(50)).hasSize(50);
      set.removeRangeByRank(Range.atLeast(2L));
      assertThat(new HashSet<>(set.randomElementsWithRepeats(100)))
          .isEqualTo(Set.of(scored("e0", 0), scored("e1", 1)));
      assertThat(set.randomElement()).isPresent();
      assertThatThrownBy(() -> set.randomElements(-1)).hasMessageContaining("-1");
      assertThatThrownBy(() -> set.randomElementsWithRepeats(-1)).hasMessageContaining("-1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void incrementsOnACondition(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    assertThat(set.incrementScore("a", 2, ScoreCondition.PRESENT)).isEmpty();
    assertThat(set.incrementScore("a", 2, ScoreCondition.ABSENT)).hasValue(2);
    assertThat(set.incrementScore("a", 2, ScoreCondition.ABSENT)).isEmpty();
    assertThat(set.incrementScore("a", -1, ScoreCondition.GREATER)).isEmpty();
    assertThat(set.incrementScore("a", 0, ScoreCondition.GREATER)).isEmpty();
    assertThat(set.incrementScore("a", 1, ScoreCondition.PRESENT_AND_GREATER)).hasValue(3);
    assertThat(set.incrementScore("a", -5, ScoreCondition.LESS)).hasValue(-2);
    assertThat(set.score("a")).hasValue(-2);
    set.expireAfter("a", SECOND);
    assertThat(set.incrementScore("a", 1, ScoreCondition.PRESENT)).hasValue(-1);
    assertThat(set.ttl("a")).contains(SECOND);
    store.clock.advanceMillis(1_000);
    assertThat(set.incrementScore("a", 1, ScoreCondition.PRESENT)).isEmpty();
    set.add("i", Double.POSITIVE_INFINITY);
    assertThatThrownBy(
            () -> set.incrementScore("i", Double.NEGATIVE_INFINITY, ScoreCondition.ALWAYS))
        .isInstanceOf(ArithmeticException.class);
    assertThat(set.score("i")).hasValue(Double.POSITIVE_INFINITY);
  }

  @ParameterizedTest
  @EnumSource
  void combinesWithPlainSetsWithoutATarget(Kind kind) {
    PersistentScoredSet<String> board = open(kind);
    board.addScores(Map.of("a", 1.0, "b", 2.0, "c", 3.0));
    board.add("gone", 9, SECOND);
    PersistentSet<String> friends = store.pool().set("friends", String.class);
    friends.addAll(List.of("b", "c", "d"));
    friends.add("gone");
    store.clock.advanceMillis(1_000);
    List<WeightedSet<String>> sources =
        List.of(WeightedSet.of(board), new WeightedSet<>(friends, 10));
    assertThat(ScoredSetView.union(sources, ScoreAggregate.SUM))
        .containsExactlyInAnyOrder(
            scored("a", 1), scored("b", 12), scored("c", 13), scored("d", 10), scored("gone", 10));
    assertThat(ScoredSetView.intersection(sources, ScoreAggregate.MAX))
        .containsExactlyInAnyOrder(scored("b", 10), scored("c", 10));
    assertThat(ScoredSetView.difference(board, List.of(friends))).containsExactly(scored("a", 1));
    assertThat(ScoredSetView.difference(friends, List.of(board)))
        .containsExactlyInAnyOrder(scored("d", 1), scored("gone", 1));
    assertThat(ScoredSetView.intersectionSize(List.of(board, friends), 10)).isEqualTo(2);
    assertThat(ScoredSetView.intersectionSize(List.of(board, friends), 1)).isEqualTo(1);
    assertThat(ScoredSetView.intersectionSize(List.<Set<String>>of(), 1)).isZero();
    assertThat(ScoredSetView.union(List.<WeightedSet<String>>of(), ScoreAggregate.SUM)).isEmpty();
    PersistentScoredSet<String> target = store.pool().scoredSet("target", String.class);
    assertThat(target.setToUnion(sources, ScoreAggregate.MIN)).isEqualTo(5);
    assertThat(target.score("b")).hasValue(2);
    assertThat(target.setToDifference(friends, List.of(board))).isEqualTo(2);
    assertThat(target.range(Range.all())).containsExactly(scored("d", 1), scored("gone", 1));
  }

  @ParameterizedTest
  @EnumSource
  void storesRanges(Kind kind) {
    PersistentScoredSet<String> board = open(kind);
    board.addScores(Map.of("a", 1.0, "b", 2.0, "c", 2.0, "d", 3.0));
    PersistentScoredSet<String> target = store.pool().scoredSet("target", String.class);
    target.add("old", 1);
    assertThat(target.setToRange(board, Range.atLeast(2.0))).isEqualTo(3);
    assertThat(target).containsExactly("b", "c", "d");
    assertThat(target.setToRange(board, Range.<Double>all().reversed().limit(2))).isEqualTo(2);
    assertThat(target).containsExactly("c", "d");
    assertThat(target.setToRange(board, 2, Range.greaterThan("b"))).isEqualTo(1);
    assertThat(target.range(Range.all())).containsExactly(scored("c", 2));
    assertThat(target.setToRangeByRank(board, Range.closed(0L, 1L))).isEqualTo(2);
    assertThat(target).containsExactly("a", "b");
    assertThatThrownBy(() -> target.setToRange(target, Range.all()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("target");
    assertThatThrownBy(() -> target.setToRangeByRank(target, Range.all()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(target).containsExactly("a", "b");
    assertThat(target.setToRange(board, Range.greaterThan(5.0))).isZero();
    assertThat(target).isEmpty();
    ScoredSetRecords.check(store.engine(), target);
  }

  @ParameterizedTest
  @EnumSource
  void joinsTransactions(Kind kind) {
    PersistentScoredSet<String> board = open(kind);
    board.addScores(Map.of("a", 1.0, "b", 1.0));
    PersistentScoredSet<String> target = store.pool().scoredSet("target", String.class);
    target.add("old", 1);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          board.add("c", 1);
                          assertThat(board.range(1, Range.atLeast("b"))).hasSize(2);
                          assertThat(board.containsAll(List.of("a", "c"))).isTrue();
                          assertThat(board.randomElements(9)).hasSize(3);
                          board.incrementScore("a", 1, ScoreCondition.GREATER);
                          assertThat(board.removeRange(1, Range.all())).isEqualTo(2);
                          assertThat(target.setToRange(board, Range.all())).isEqualTo(1);
                          assertThat(
                                  ScoredSetView.union(
                                      List.of(WeightedSet.of(target)), ScoreAggregate.SUM))
                              .containsExactly(scored("a", 2));
                          throw new IllegalStateException("undone");
                        }))
        .hasMessage("undone");
    assertThat(board.range(Range.all())).containsExactly(scored("a", 1), scored("b", 1));
    assertThat(target).containsExactly("old");
  }

  @ParameterizedTest
  @EnumSource
  void snapshotsAnswerToo(Kind kind) {
    PersistentScoredSet<String> board = open(kind);
    board.addScores(Map.of("a", 1.0, "b", 1.0, "c", 2.0));
    PersistentScoredSet<String> target = store.pool().scoredSet("target", String.class);
    try (Snapshot<ScoredSetView<String>> snapshot = board.snapshot()) {
      board.clear();
      ScoredSetView<String> view = snapshot.view();
      assertThat(elements(view.range(1, Range.all()))).containsExactly("a", "b");
      assertThat(view.count(1, Range.atLeast("b"))).isEqualTo(1);
      assertThat(view.containsAll(List.of("a", "c"))).isTrue();
      assertThat(view.randomElements(9)).hasSize(3);
      assertThat(view.randomElementsWithRepeats(9)).hasSize(9);
      assertThat(ScoredSetView.difference(view, List.of(board))).hasSize(3);
      assertThat(board.setToRange(view, Range.closed(2.0, 3.0))).isEqualTo(1);
      assertThat(target.setToUnion(List.of(WeightedSet.of(view)), ScoreAggregate.SUM)).isEqualTo(3);
    }
    assertThat(board).containsExactly("c");
  }

  @ParameterizedTest
  @EnumSource(names = {"ADVERSARIAL", "ROCKSDB"})
  void storesManyInATransaction(Kind kind) {
    PersistentScoredSet<String> board = open(kind);
    Map<String, Double> many = new LinkedHashMap<>();
    for (int i = 0; i <= StructureSpace.MAX_ATOMIC_ELEMENTS; i++) {
      many.put("e" + i, (double) i);
    }
    board.addScores(many);
    PersistentSet<String> names = store.pool().set("names", String.class);
    names.addAll(many.keySet());
    PersistentScoredSet<String> target = store.pool().scoredSet("target", String.class);
    target.add("old", 1);
    List<WeightedSet<String>> sources = List.of(WeightedSet.of(names), WeightedSet.of(board));
    store
        .pool()
        .atomically(
            transaction -> {
              board.remove("e0");
              names.remove("e1");
              assertThat(target.setToIntersection(sources, ScoreAggregate.SUM))
                  .isEqualTo(many.size() - 2);
              assertThat(target.score("e2")).hasValue(3);
              assertThat(target.setToDifference(board, List.of(Set.of("e2"))))
                  .isEqualTo(many.size() - 2);
              return target.setToRange(board, Range.greaterThan(2.0));
            });
    assertThat(target).hasSize(many.size() - 3);
    assertThat(target.first()).contains(scored("e3", 3));
    ScoredSetRecords.check(store.engine(), target);
  }
}
