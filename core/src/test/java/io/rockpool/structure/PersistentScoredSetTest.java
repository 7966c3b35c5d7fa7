package io.rockpool.structure;

import static io.rockpool.structure.PersistentScoredSet.Added.ADDED;
import static io.rockpool.structure.PersistentScoredSet.Added.UNCHANGED;
import static io.rockpool.structure.PersistentScoredSet.Added.UPDATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.format.RankNodeFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentScoredSetTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

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

  @ParameterizedTest
  @EnumSource
  void ordersByScoreThenElement(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    assertThat(set.add("b", 2)).isTrue();
    assertThat(set.add("a", 2)).isTrue();
    assertThat(set.add("c", -1)).isTrue();
    assertThat(set.add("d", 3)).isTrue();
    assertThat(set.add("d", 0)).isFalse();
    assertThat(set).containsExactly("c", "d", "a", "b").hasSize(4).contains("a");
    assertThat(set.score("d")).hasValue(0);
    assertThat(set.score("e")).isEmpty();
    assertThat(set.scores(List.of("b", "e", "c")))
        .containsExactly(Map.entry("b", 2.0), Map.entry("c", -1.0));
    assertThat(set.first()).contains(scored("c", -1));
    assertThat(set.last()).contains(scored("b", 2));
    assertThat(set.remove("d")).isTrue();
    assertThat(set.remove("d")).isFalse();
    assertThat(store.reopen().scoredSet("game/scores", String.class))
        .containsExactly("c", "a", "b");
    assertThatThrownBy(set::size)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("game/scores");
  }

  @ParameterizedTest
  @EnumSource
  void addsUnderConditions(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    assertThat(set.add("a", 5, ScoreCondition.PRESENT)).isEqualTo(UNCHANGED);
    assertThat(set.add("a", 5, ScoreCondition.PRESENT_AND_GREATER)).isEqualTo(UNCHANGED);
    assertThat(set.add("a", 5, ScoreCondition.PRESENT_AND_LESS)).isEqualTo(UNCHANGED);
    assertThat(set).isEmpty();
    assertThat(set.add("a", 5, ScoreCondition.GREATER)).isEqualTo(ADDED);
    assertThat(set.add("b", 5, ScoreCondition.LESS)).isEqualTo(ADDED);
    assertThat(set.add("c", 5, ScoreCondition.ABSENT)).isEqualTo(ADDED);
    assertThat(set.add("d", 5, ScoreCondition.ALWAYS)).isEqualTo(ADDED);
    assertThat(set.add("a", 6, ScoreCondition.ABSENT)).isEqualTo(UNCHANGED);
    assertThat(set.add("a", 4, ScoreCondition.GREATER)).isEqualTo(UNCHANGED);
    assertThat(set.add("a", 6, ScoreCondition.LESS)).isEqualTo(UNCHANGED);
    assertThat(set.add("a", 5, ScoreCondition.ALWAYS)).isEqualTo(UNCHANGED);
    assertThat(set.score("a")).hasValue(5);
    assertThat(set.add("a", 6, ScoreCondition.GREATER)).isEqualTo(UPDATED);
    assertThat(set.add("a", 7, ScoreCondition.PRESENT_AND_GREATER)).isEqualTo(UPDATED);
    assertThat(set.add("a", 6, ScoreCondition.PRESENT_AND_LESS)).isEqualTo(UPDATED);
    assertThat(set.add("a", 5, ScoreCondition.LESS)).isEqualTo(UPDATED);
    assertThat(set.add("a", 9, ScoreCondition.PRESENT)).isEqualTo(UPDATED);
    assertThat(set.score("a")).hasValue(9);
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void orderAllDoublesButNaN(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    double[] scores = {
      Double.NEGATIVE_INFINITY,
      -Double.MAX_VALUE,
      -1,
      -Double.MIN_NORMAL,
      -Double.MIN_VALUE,
      0.0,
      Double.MIN_VALUE,
      Double.MIN_NORMAL,
      Math.nextDown(1.0),
      1,
      Double.MAX_VALUE,
      Double.POSITIVE_INFINITY
    };
    for (int i = scores.length - 1; i >= 0; i--) {
      set.add(Character.toString('a' + i), scores[i]);
    }
    set.add("zero", -0.0);
    assertThat(set.score("zero")).isEqualTo(OptionalDouble.of(0.0));
    assertThat(set.count(Range.closed(-0.0, 0.0))).isEqualTo(2);
    assertThat(set.remove("zero")).isTrue();
    assertThat(set.stream(Range.all()).mapToDouble(ScoredElement::score).toArray())
        .containsExactly(scores);
    for (int i = 0; i < scores.length; i++) {
      Range<Double> from = Range.atLeast(scores[i]);
      assertThat(set.rank(Character.toString('a' + i))).hasValue(i);
      assertThat(set.count(from)).isEqualTo(scores.length - i);
      assertThat(set.count(Range.greaterThan(scores[i]))).isEqualTo(scores.length - i - 1);
      assertThat(set.range(Range.lessThan(scores[i]))).hasSize(i);
      assertThat(set.range(Range.atMost(scores[i]))).hasSize(i + 1);
    }
    assertThatThrownBy(() -> set.count(Range.closed(1.0, -1.0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 1.0 to -1.0");
    assertThatThrownBy(() -> set.range(Range.<Double>all().endingWith(1.0)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(set.range(Range.open(1.0, 1.0))).isEmpty();
    assertThatThrownBy(() -> set.add("a", Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("score is NaN");
    for (Range<Double> range : List.of(Range.atMost(Double.NaN), Range.atLeast(Double.NaN))) {
      assertThatThrownBy(() -> set.range(range))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bound is NaN");
    }
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void increments(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    assertThat(set.incrementScore("a", 1.5)).isEqualTo(1.5);
    assertThat(set.incrementScore("a", -2)).isEqualTo(-0.5);
    assertThat(set.incrementScore("a", 0.5)).isEqualTo(0.0);
    set.add("up", Double.POSITIVE_INFINITY);
    assertThatThrownBy(() -> set.incrementScore("up", Double.NEGATIVE_INFINITY))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> set.incrementScore("up", Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("by is NaN");
    assertThat(set.score("up")).hasValue(Double.POSITIVE_INFINITY);
  }

  @ParameterizedTest
  @EnumSource
  void incrementsFromManyThreadsAreExact(Kind kind) throws Exception {
    PersistentScoredSet<String> set = open(kind);
    int threads = 8;
    int each = 250;
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Thread> running =
        IntStream.range(0, threads)
            .mapToObj(
                i ->
                    new Thread(
                        () -> {
                          try {
                            start.await();
                          } catch (Exception e) {
                            throw new IllegalStateException(e);
                          }
                          for (int n = 0; n < each; n++) {
                            set.incrementScore("all", 1);
                            set.incrementScore("e" + (n % 10), i);
                          }
                        }))
            .toList();
    running.forEach(Thread::start);
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(set.score("all")).hasValue(threads * each);
    for (int n = 0; n < 10; n++) {
      assertThat(set.score("e" + n)).hasValue(28 * each / 10.0);
    }
    assertThat(set.rank("all")).hasValue(10);
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void pops(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    assertThat(set.pollFirst()).isNull();
    for (int i = 0; i < 10; i++) {
      set.add("e" + i, i);
    }
    assertThat(set.pollFirst()).isEqualTo(scored("e0", 0));
    assertThat(set.pollLast()).isEqualTo(scored("e9", 9));
    assertThat(set.pollFirst(2)).containsExactly(scored("e1", 1), scored("e2", 2));
    assertThat(set.pollLast(2)).containsExactly(scored("e8", 8), scored("e7", 7));
    assertThat(set.pollLast(10)).hasSize(4);
    assertThat(set.pollLast(0)).isEmpty();
    assertThatThrownBy(() -> set.pollFirst(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(set).isEmpty();
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void snapshotsStayAsTheyAre(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    for (int i = 0; i < 600; i++) {
      set.add("e" + i, i);
    }
    set.add("short", -1, SECOND);
    try (Snapshot<ScoredSetView<String>> snapshot = set.snapshot()) {
      ScoredSetView<String> view = snapshot.view();
      set.removeRange(Range.closed(0.0, 300.0));
      set.add("e599", -5);
      store.clock.advanceMillis(1_000);
      assertThat(set).hasSize(299);
      assertThat(view).hasSize(602 - 1).contains("e0", "short");
      assertThat(view.rank("e599")).hasValue(600);
      assertThat(view.reverseRank("e598")).hasValue(1);
      assertThat(view.atRank(1)).contains(scored("e0", 0));
      assertThat(view.count(Range.closed(0.0, 300.0))).isEqualTo(301);
      assertThatThrownBy(() -> view.add("x")).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(view::clear).isInstanceOf(UnsupportedOperationException.class);
      Iterator<String> iterator = view.iterator();
      iterator.next();
      assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
    }
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void joinsTransactions(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    set.add("a", 1, SECOND);
    set.add("b", 2);
    store.clock.advanceMillis(1_000);
    store
        .engine()
        .atomically(
            () -> {
              assertThat(set.rank("b")).hasValue(0);
              set.add("c", 1);
              assertThat(set).containsExactly("c", "b").hasSize(2);
              assertThat(set.rank("b")).hasValue(1);
              return true;
            });
    assertThatThrownBy(
            () ->
                store
                    .engine()
                    .atomically(
                        () -> {
                          set.add("d", 1);
                          set.remove("b");
                          throw new IllegalArgumentException("thrown on purpose");
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(set).containsExactly("c", "b");
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void saysThatItIsDamaged(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    set.add("a", 1);
    Space space = Objects.requireNonNull(store.engine().open("game/scores"));
    space.put(new byte[] {0}, RankNodeFormat.rootKey(), new byte[] {0, 0, 0}, Expiry.NEVER);
    assertThatThrownBy(() -> set.add("b", 2))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("game/scores")
        .hasMessageContaining("rank index");
    assertThat(set.score("b")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tellsListeners(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    List<String> told = new ArrayList<>();
    Registration registration =
        set.addListener((element, before, after) -> told.add(element + " " + before + " " + after));
    set.add("a", 1);
    set.add("a", 1);
    set.add("a");
    set.incrementScore("a", 2);
    set.persist("a");
    set.addScores(Map.of("b", 7.0));
    set.pollFirst();
    set.remove("none");
    set.removeRange(Range.all());
    set.addAll(List.of("x", "y"));
    set.removeAll(List.of("y", "z"));
    registration.close();
    set.add("c", 1);
    assertThat(told)
        .containsExactly(
            "a null 1.0",
            "a 1.0 3.0",
            "b null 7.0",
            "a 3.0 null",
            "b 7.0 null",
            "x null 0.0",
            "y null 0.0",
            "y 0.0 null");
  }

  @ParameterizedTest
  @EnumSource
  void addsAndRemovesMany(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    List<String> many = IntStream.range(0, 2_500).mapToObj(i -> "e" + i).toList();
    set.add("e7", 7);
    assertThat(set.addAll(many)).isTrue();
    assertThat(set.addAll(many)).isFalse();
    assertThat(set.addAll(List.of())).isFalse();
    assertThat(set).hasSize(2_500).containsAll(many);
    assertThat(set.last()).contains(scored("e7", 7));
    check(set);
    assertThat(set.removeAll(List.of("none", 5))).isFalse();
    assertThat(set.removeAll(many.subList(10, 2_500))).isTrue();
    assertThat(set).containsExactlyInAnyOrderElementsOf(many.subList(0, 10));
    set.addAll(many);
    assertThat(set.removeIf(e -> e.length() > 3)).isTrue();
    assertThat(set.removeIf(e -> e.length() > 3)).isFalse();
    assertThat(set).containsExactlyInAnyOrderElementsOf(many.subList(0, 100));
    check(set);
    assertThat(set.retainAll(List.of("e1", "e2"))).isTrue();
    assertThat(set).containsExactly("e1", "e2");
    check(set);
    assertThat(set.addAll(List.of("twice", "twice", "e1"))).isTrue();
    assertThat(set.count()).isEqualTo(3);
    check(set);
    assertThat(set.removeAll(List.of("e1", "twice", "e1", "twice"))).isTrue();
    assertThat(set).containsExactly("e2");
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void isDescribedAndDropped(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    List<String> cleared = new ArrayList<>();
    set.addListener(
        new EntryListener<>() {
          @Override
          public void onChange(String element, Double before, Double after) {}

          @Override
          public void onClear() {
            cleared.add("cleared");
          }
        });
    set.add("a", 1);
    set.clear();
    assertThat(set).isEmpty();
    assertThat(cleared).containsExactly("cleared");
    assertThat(store.pool().names().find("game/scores"))
        .hasValueSatisfying(
            description -> {
              assertThat(description.type()).isEqualTo("scored set");
              assertThat(description.keyType()).isEqualTo("java.lang.String");
              assertThat(description.valueType()).isEmpty();
            });
    set.add("a", 1);
    assertThat(store.pool().names().drop("game/scores")).isTrue();
    assertThatThrownBy(() -> set.add("b", 1)).isInstanceOf(IllegalStateException.class);
    assertThat(store.pool().scoredSet("game/scores", String.class)).isEmpty();
    assertThatThrownBy(() -> store.pool().set("game/scores", String.class))
        .isInstanceOf(NameConflictException.class);
  }

  @ParameterizedTest
  @EnumSource
  void refusesNullsAndTooLongElements(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    assertThatThrownBy(() -> set.add(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> set.contains(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> set.rank(null)).isInstanceOf(NullPointerException.class);
    PersistentScoredSet<byte[]> bytes = store.pool().scoredSet("bytes", byte[].class);
    int limit = ScoredSetFormat.maxElementBytes(store.engine().limits());
    int longest = limit;
    while (store.pool().scoredSet("bytes", byte[].class).isEmpty()) {
      try {
        bytes.add(new byte[longest], 1);
      } catch (LimitExceededException e) {
        assertThat(e).hasMessageContaining(String.valueOf(limit));
        longest--;
      }
    }
    assertThat(bytes.rank(new byte[longest])).hasValue(0);
    assertThat(limit - longest).isLessThan(16);
  }
}
