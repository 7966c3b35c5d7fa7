package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Polls of several deques, with and without a wait. */
@Timeout(30)
class DequesWaitingTest {
  private static final Duration SHORTLY = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path directory;
  private StoreUnderTest store;
  private PersistentDeque<String> urgent;
  private PersistentDeque<String> normal;

  private List<PersistentDeque<String>> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    urgent = store.pool().deque("urgent", String.class);
    normal = store.pool().deque("normal", String.class);
    return List.of(urgent, normal);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Optional<Polled<PersistentDeque<String>, String>> polled(
      PersistentDeque<String> from, String... elements) {
    return Optional.of(new Polled<>(from, List.of(elements)));
  }

  @ParameterizedTest
  @EnumSource
  void asksInOrder(Kind kind) throws Exception {
    List<PersistentDeque<String>> both = open(kind);
    assertThat(PersistentDeque.pollFirstOf(both, 1)).isEmpty();
    assertThat(PersistentDeque.pollFirstOf(both, 1, SHORTLY)).isEmpty();
    normal.addAll(List.of("a", "b", "c"));
    assertThat(PersistentDeque.pollFirstOf(both, 2)).isEqualTo(polled(normal, "a", "b"));
    urgent.addAll(List.of("x", "y"));
    assertThat(PersistentDeque.pollLastOf(both, 9)).isEqualTo(polled(urgent, "y", "x"));
    assertThat(PersistentDeque.pollLastOf(both, 9, LONG)).isEqualTo(polled(normal, "c"));
    assertThat(PersistentDeque.pollFirstOf(List.<PersistentDeque<String>>of(), 1)).isEmpty();
    assertThatThrownBy(() -> PersistentDeque.pollFirstOf(both, -1))
        .isInstanceOf(IllegalArgumentException.class);
    urgent.offerLastExpiring("gone", Duration.ofSeconds(1));
    store.clock.advanceMillis(1_000);
    assertThat(PersistentDeque.pollFirstOf(both, 1, Duration.ZERO)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void waitsForEither(Kind kind) throws Exception {
    List<PersistentDeque<String>> both = open(kind);
    for (PersistentDeque<String> later : both) {
      WaitingCall<Optional<Polled<PersistentDeque<String>, String>>> waiting =
          new WaitingCall<>(() -> PersistentDeque.pollFirstOf(both, 5, LONG));
      later.addAll(List.of("a", "b"));
      assertThat(waiting.result()).isEqualTo(polled(later, "a", "b"));
    }
    WaitingCall<Optional<Polled<PersistentDeque<String>, String>>> waiting =
        new WaitingCall<>(() -> PersistentDeque.pollLastOf(both, 1, LONG));
    store
        .pool()
        .atomically(
            transaction -> {
              normal.addLast("c");
              return urgent.pollFirst();
            });
    assertThat(waiting.result()).isEqualTo(polled(normal, "c"));
  }

  @ParameterizedTest
  @EnumSource
  void awaitsMoves(Kind kind) throws Exception {
    open(kind);
    WaitingCall<String> waiting = new WaitingCall<>(() -> urgent.pollLastTo(normal, LAST, LONG));
    urgent.addFirst("a");
    assertThat(waiting.result()).isEqualTo("a");
    assertThat(normal).containsExactly("a");
    assertThat(urgent.pollLastTo(normal, LAST, SHORTLY)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void eachElementGoesToOneThread(Kind kind) throws Exception {
    List<PersistentDeque<String>> both = open(kind);
    int count = 200;
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    Threads.run(
        Threads.CONTENDERS + 1,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < count; i++) {
              both.get(i % 2).addLast("e" + i);
            }
            return;
          }
          // Threads that wait for one deque and threads that wait for both do not starve each
          // other.
          while (seen.size() < count) {
            if (thread == 1) {
              String element = normal.poll(SHORTLY);
              seen.addAll(element == null ? List.of() : List.of(element));
            } else {
              PersistentDeque.pollFirstOf(both, 3, SHORTLY)
                  .ifPresent(polled -> seen.addAll(polled.elements()));
            }
          }
        });
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, count).mapToObj(i -> "e" + i).toList());
  }

  @ParameterizedTest
  @EnumSource
  void aWaitEndsWithATransactionAnInterruptOrTheDeque(Kind kind) throws Exception {
    List<PersistentDeque<String>> both = open(kind);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          try {
                            return PersistentDeque.pollFirstOf(both, 1, SHORTLY);
                          } catch (InterruptedException e) {
                            throw new AssertionError(e);
                          }
                        }))
        .isInstanceOf(IllegalStateException.class);
    normal.addLast("a");
    assertThat(
            store
                .pool()
                .<String>atomically(
                    tx -> PersistentDeque.pollFirstOf(both, 1).get().elements().get(0)))
        .isEqualTo("a");
    WaitingCall<?> interrupted =
        new WaitingCall<>(() -> PersistentDeque.pollFirstOf(both, 1, LONG));
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    WaitingCall<?> ofDropped = new WaitingCall<>(() -> PersistentDeque.pollFirstOf(both, 1, LONG));
    store.pool().names().drop("normal");
    assertThat(ofDropped.failure()).isInstanceOf(IllegalStateException.class);
  }
}
