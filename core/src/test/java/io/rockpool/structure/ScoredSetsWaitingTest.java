package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Polls of one or several scored sets, with and without a wait. */
@Timeout(30)
class ScoredSetsWaitingTest {
  private static final Duration SHORTLY = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path directory;
  private StoreUnderTest store;
  private PersistentScoredSet<String> urgent;
  private PersistentScoredSet<String> normal;

  private List<PersistentScoredSet<String>> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    urgent = store.pool().scoredSet("urgent", String.class);
    normal = store.pool().scoredSet("normal", String.class);
    return List.of(urgent, normal);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Optional<Polled<PersistentScoredSet<String>, ScoredElement<String>>> polled(
      PersistentScoredSet<String> from, String element, double score) {
    return Optional.of(new Polled<>(from, List.of(new ScoredElement<>(element, score))));
  }

  @ParameterizedTest
  @EnumSource
  void asksInOrder(Kind kind) throws Exception {
    List<PersistentScoredSet<String>> both = open(kind);
    assertThat(PersistentScoredSet.pollFirstOf(both, 1)).isEmpty();
    assertThat(PersistentScoredSet.pollLastOf(both, 1, SHORTLY)).isEmpty();
    assertThat(urgent.pollFirst(SHORTLY)).isNull();
    normal.addScores(Map.of("a", 1.0, "b", 2.0));
    assertThat(PersistentScoredSet.pollFirstOf(both, 1)).isEqualTo(polled(normal, "a", 1));
    urgent.addScores(Map.of("x", 1.0, "y", 2.0));
    assertThat(PersistentScoredSet.pollLastOf(both, 1)).isEqualTo(polled(urgent, "y", 2));
    assertThat(PersistentScoredSet.pollLastOf(both, 9, LONG)).isEqualTo(polled(urgent, "x", 1));
    assertThat(normal.pollLast(LONG)).isEqualTo(new ScoredElement<>("b", 2));
    assertThatThrownBy(() -> PersistentScoredSet.pollFirstOf(both, -1))
        .isInstanceOf(IllegalArgumentException.class);
    urgent.add("gone", 1, Duration.ofSeconds(1));
    store.clock.advanceMillis(1_000);
    assertThat(PersistentScoredSet.pollFirstOf(both, 1, Duration.ZERO)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aTakerGetsWhatIsAddedLater(Kind kind) throws Exception {
    List<PersistentScoredSet<String>> both = open(kind);
    List<Runnable> additions =
        List.of(
            () -> normal.add("a", 1),
            () -> normal.add("a"),
            () -> normal.add("a", 1, ScoreCondition.ABSENT),
            () -> normal.incrementScore("a", 1),
            () -> normal.addScores(Map.of("a", 1.0)),
            () -> normal.addAll(List.of("a")),
            () -> store.pool().atomically(transaction -> normal.add("a", 1)));
    for (Runnable addition : additions) {
      WaitingCall<ScoredElement<String>> one = new WaitingCall<>(() -> normal.pollFirst(LONG));
      addition.run();
      assertThat(one.result().element()).isEqualTo("a");
      WaitingCall<Optional<Polled<PersistentScoredSet<String>, ScoredElement<String>>>> several =
          new WaitingCall<>(() -> PersistentScoredSet.pollLastOf(both, 1, LONG));
      addition.run();
      assertThat(several.result().orElseThrow().from()).isSameAs(normal);
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachElementGoesToOneThread(Kind kind) throws Exception {
    List<PersistentScoredSet<String>> both = open(kind);
    int count = 200;
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    Threads.run(
        Threads.CONTENDERS + 1,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < count; i++) {
              both.get(i % 2).add("e" + i, i);
            }
            return;
          }
          while (seen.size() < count) {
            if (thread == 1) {
              ScoredElement<String> element = normal.pollFirst(SHORTLY);
              seen.addAll(element == null ? List.of() : List.of(element.element()));
            } else {
              PersistentScoredSet.pollFirstOf(both, 3, SHORTLY)
                  .ifPresent(
                      polled -> polled.elements().forEach(element -> seen.add(element.element())));
            }
          }
        });
    assertThat(seen).hasSize(count).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void aWaitEndsWithATransactionAnInterruptOrTheSet(Kind kind) throws Exception {
    List<PersistentScoredSet<String>> both = open(kind);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          try {
                            return normal.pollFirst(SHORTLY);
                          } catch (InterruptedException e) {
                            throw new AssertionError(e);
                          }
                        }))
        .isInstanceOf(IllegalStateException.class);
    normal.add("a", 1);
    store
        .pool()
        .atomically(
            transaction -> {
              assertThat(PersistentScoredSet.pollFirstOf(both, 1))
                  .isEqualTo(polled(normal, "a", 1));
              return true;
            });
    WaitingCall<?> interrupted = new WaitingCall<>(() -> normal.pollFirst(LONG));
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    WaitingCall<?> ofDropped =
        new WaitingCall<>(() -> PersistentScoredSet.pollFirstOf(both, 1, LONG));
    store.pool().names().drop("normal");
    assertThat(ofDropped.failure()).isInstanceOf(IllegalStateException.class);
  }
}
