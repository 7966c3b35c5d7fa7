package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who waits for an element or for room gets it, or is told why not. */
@Timeout(30)
class DequeWaitingTest {
  private static final int SHORT_MILLIS = 20;
  private static final int LONG_SECONDS = 20;
  private static final StructureOptions OF_TWO = StructureOptions.defaults().capacity(2);

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentDeque<String> openOfTwo(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().deque("jobs", TypeRef.of(String.class), o -> OF_TWO);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Callable<Boolean> putting(PersistentDeque<String> deque, String element) {
    return () -> {
      deque.put(element);
      return true;
    };
  }

  @ParameterizedTest
  @EnumSource
  void aTakerGetsWhatIsPutLater(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    WaitingCall<String> first = new WaitingCall<>(deque::take);
    deque.addLast("a");
    assertThat(first.result()).isEqualTo("a");
    WaitingCall<String> last =
        new WaitingCall<>(() -> deque.pollLast(LONG_SECONDS, TimeUnit.SECONDS));
    deque.addAll(List.of("b"));
    assertThat(last.result()).isEqualTo("b");
    assertThat(deque).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aDurationIsATimeout(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    Duration shortly = Duration.ofMillis(SHORT_MILLIS);
    assertThat(deque.poll(shortly)).isNull();
    assertThat(deque.pollFirst(Duration.ZERO)).isNull();
    assertThat(deque.pollLast(Duration.ofSeconds(-1))).isNull();
    assertThat(deque.offerFirst("b", shortly)).isTrue();
    assertThat(deque.offerFirst("a", shortly)).isTrue();
    assertThat(deque.offer("c", shortly)).isFalse();
    assertThat(deque.offerFirst("c", Duration.ZERO)).isFalse();
    assertThat(deque.offerLast("c", shortly)).isFalse();
    assertThat(deque.pollLast(shortly)).isEqualTo("b");
    assertThat(deque.offerLast("c", shortly)).isTrue();
    assertThat(deque.pollFirst(shortly)).isEqualTo("a");
    assertThat(deque.poll(shortly)).isEqualTo("c");
  }

  @ParameterizedTest
  @EnumSource
  void theLongestDurationIsATimeoutToo(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    WaitingCall<String> taker =
        new WaitingCall<>(() -> deque.pollLast(PersistentStructure.FOREVER));
    assertThat(deque.offer("a", PersistentStructure.FOREVER)).isTrue();
    assertThat(taker.result()).isEqualTo("a");
    assertThatThrownBy(() -> deque.poll((Duration) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("timeout");
  }

  @ParameterizedTest
  @EnumSource
  void aTakerGetsWhatATransactionPuts(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    PersistentDeque<String> other = store.pool().deque("others", String.class);
    other.addLast("a");
    WaitingCall<String> taker = new WaitingCall<>(deque::take);
    assertThat(other.moveFirstTo(deque, LAST)).isEqualTo("a");
    assertThat(taker.result()).isEqualTo("a");
  }

  @ParameterizedTest
  @EnumSource
  void aTakerMovesWhatIsPutLater(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    PersistentDeque<String> busy = store.pool().deque("busy", String.class);
    WaitingCall<String> first = new WaitingCall<>(() -> deque.takeFirstTo(busy, LAST));
    deque.addLast("a");
    assertThat(first.result()).isEqualTo("a");
    WaitingCall<String> last = new WaitingCall<>(() -> deque.takeLastTo(busy, DequeEnd.FIRST));
    deque.addLast("b");
    assertThat(last.result()).isEqualTo("b");
    Duration shortly = Duration.ofMillis(SHORT_MILLIS);
    assertThat(deque.pollFirstTo(busy, LAST, shortly)).isNull();
    WaitingCall<String> polling =
        new WaitingCall<>(() -> deque.pollFirstTo(busy, LAST, PersistentStructure.FOREVER));
    deque.addLast("c");
    assertThat(polling.result()).isEqualTo("c");
    assertThat(deque).isEmpty();
    assertThat(busy).containsExactly("b", "a", "c");
  }

  @ParameterizedTest
  @EnumSource
  void aTakerThatMovesDoesNotWaitForRoom(Kind kind) throws Exception {
    PersistentDeque<String> full = openOfTwo(kind);
    full.addAll(List.of("a", "b"));
    PersistentDeque<String> deque = store.pool().deque("others", String.class);
    WaitingCall<String> taker = new WaitingCall<>(() -> deque.takeFirstTo(full, LAST));
    deque.addLast("c");
    assertThat(taker.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("full");
    assertThat(deque).containsExactly("c");
    assertThat(full).containsExactly("a", "b");
  }

  @ParameterizedTest
  @EnumSource
  void aPutterGetsTheRoomThatIsMade(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    deque.addAll(List.of("a", "b"));
    WaitingCall<Boolean> putter = new WaitingCall<>(putting(deque, "c"));
    assertThat(deque.pollFirst()).isEqualTo("a");
    assertThat(putter.result()).isTrue();
    assertThat(deque).containsExactly("b", "c");
    WaitingCall<Boolean> another =
        new WaitingCall<>(() -> deque.offerFirst("d", LONG_SECONDS, TimeUnit.SECONDS));
    assertThat(deque.removeFirstOccurrence("c")).isTrue();
    assertThat(another.result()).isTrue();
    assertThat(deque).containsExactly("d", "b");
    WaitingCall<Boolean> third = new WaitingCall<>(putting(deque, "e"));
    deque.clear();
    assertThat(third.result()).isTrue();
    assertThat(deque).containsExactly("e");
  }

  @ParameterizedTest
  @EnumSource
  void aPutterGetsTheRoomOfWhatExpires(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    deque.offerLast("a");
    deque.offerLastExpiring("b", Duration.ofMillis(SHORT_MILLIS));
    WaitingCall<Boolean> putter = new WaitingCall<>(putting(deque, "c"));
    store.clock.advanceMillis(SHORT_MILLIS);
    assertThat(putter.result()).isTrue();
    assertThat(deque).containsExactly("a", "c");
    WaitingCall<Boolean> another = new WaitingCall<>(putting(deque, "d"));
    deque.clearAfter(Duration.ofMillis(SHORT_MILLIS));
    store.clock.advanceMillis(SHORT_MILLIS);
    assertThat(another.result()).isTrue();
    assertThat(deque).containsExactly("d");
  }

  @ParameterizedTest
  @EnumSource
  void timeIsUp(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    assertThat(deque.poll(0, TimeUnit.SECONDS)).isNull();
    assertThat(deque.pollLast(SHORT_MILLIS, TimeUnit.MILLISECONDS)).isNull();
    assertThat(deque.offer("a", -1, TimeUnit.SECONDS)).isTrue();
    assertThat(deque.offer("b", 1, TimeUnit.SECONDS)).isTrue();
    long before = System.nanoTime();
    assertThat(deque.offer("c", SHORT_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(System.nanoTime() - before)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SHORT_MILLIS));
    assertThat(deque).containsExactly("a", "b");
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptEndsTheWaiting(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    WaitingCall<String> taker = new WaitingCall<>(deque::takeLast);
    taker.interrupt();
    assertThat(taker.failure()).isInstanceOf(InterruptedException.class);
    deque.addAll(List.of("a", "b"));
    WaitingCall<Boolean> putter =
        new WaitingCall<>(() -> deque.offer("c", LONG_SECONDS, TimeUnit.SECONDS));
    putter.interrupt();
    assertThat(putter.failure()).isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(deque::take).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(deque).containsExactly("a", "b");
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedTakerTakesNobodysElement(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    WaitingCall<String> interrupted = new WaitingCall<>(deque::take);
    WaitingCall<String> other = new WaitingCall<>(deque::take);
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    deque.addLast("a");
    assertThat(other.result()).isEqualTo("a");
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsIsToldOfTheEnd(Kind kind) throws Exception {
    PersistentDeque<String> deque = openOfTwo(kind);
    WaitingCall<String> taker = new WaitingCall<>(deque::take);
    store.pool().names().drop("jobs");
    assertThat(taker.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dropped");
    PersistentDeque<String> again =
        store.pool().deque("jobs", TypeRef.of(String.class), o -> OF_TWO);
    again.addAll(List.of("a", "b"));
    WaitingCall<Boolean> putter = new WaitingCall<>(putting(again, "c"));
    store.reopen();
    assertThat(putter.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @ParameterizedTest
  @EnumSource
  void waitingInATransactionIsRefused(Kind kind) {
    PersistentDeque<String> deque = openOfTwo(kind);
    for (Callable<?> wait :
        List.<Callable<?>>of(
            deque::take,
            putting(deque, "a"),
            () -> deque.poll(1, TimeUnit.SECONDS),
            () -> deque.takeLastTo(deque, LAST),
            () -> deque.pollFirstTo(deque, LAST, Duration.ZERO))) {
      assertThatThrownBy(
              () ->
                  store
                      .pool()
                      .atomically(
                          tx -> {
                            try {
                              return wait.call();
                            } catch (IllegalStateException e) {
                              throw e;
                            } catch (Exception e) {
                              throw new AssertionError(e);
                            }
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transaction");
    }
    assertThat(deque).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void eightProducersHandOverToEightConsumers(Kind kind) throws Exception {
    int threads = 8;
    int each = 300;
    store = new StoreUnderTest(kind, directory);
    PersistentDeque<Integer> deque =
        store.pool().deque("n", TypeRef.of(Integer.class), o -> o.capacity(5));
    Set<Integer> taken = ConcurrentHashMap.newKeySet();
    AtomicInteger twice = new AtomicInteger();
    List<FutureTask<?>> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      running.add(
          new FutureTask<>(
              () -> {
                for (int i = 0; i < each; i++) {
                  deque.put(number * each + i);
                }
                return null;
              }));
      running.add(
          new FutureTask<>(
              () -> {
                for (int i = 0; i < each; i++) {
                  if (!taken.add(i % 2 == 0 ? deque.takeFirst() : deque.takeLast())) {
                    twice.incrementAndGet();
                  }
                }
                return null;
              }));
    }
    running.forEach(call -> new Thread(call).start());
    for (FutureTask<?> call : running) {
      call.get(LONG_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(twice).hasValue(0);
    assertThat(taken).hasSize(threads * each);
    assertThat(deque).isEmpty();
  }
}
