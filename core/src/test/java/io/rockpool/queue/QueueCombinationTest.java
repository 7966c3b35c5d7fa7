package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Features of queues together: each works alone in the other tests. */
@Timeout(60)
class QueueCombinationTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;

  private static List<String> texts(List<? extends QueuedMessage<String>> messages) {
    return messages.stream().map(message -> message.message()).toList();
  }

  private static Delivery<String> next(PersistentQueue<String> queue) {
    return queue.receive().orElseThrow();
  }

  @Test
  void aCopyToReadShowsAQueue() {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<String> queue =
          pool.queue("q", String.class, o -> o.maxDeliveries(1).deadLetters("dead"));
      queue.sendAll(List.of("a", "b", "c"), SendOptions.defaults());
      next(queue).reject("no");
      next(queue).acknowledge();
      queue.send("d");
      next(queue);
      try (Rockpool copy = Rockpool.at(directory).openCopy()) {
        PersistentQueue<String> read = copy.queue("q", String.class);
        assertThat(read.size()).isEqualTo(2);
        assertThat(texts(read.peek(10))).contains("d");
        assertThat(read.statistics().depth()).isPositive();
        assertThat(texts(read.deadLetters().peek(10))).containsExactly("a");
        assertThatThrownBy(() -> read.send("e")).isInstanceOf(ReadOnlyStoreException.class);
        assertThatThrownBy(read::receive).isInstanceOf(ReadOnlyStoreException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void droppedDeadLettersAreMadeAnew(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentQueue<String> queue =
          store.pool().queue("q", String.class, o -> o.maxDeliveries(1).deadLetters("dead"));
      queue.send("a");
      next(queue).reject("no");
      assertThat(queue.deadLetters().size()).isEqualTo(1);
      store.pool().names().drop("dead");
      queue.sendAll(List.of("b", "c"), SendOptions.defaults());
      assertThat(next(queue).reject("no")).isTrue();
      assertThat(next(queue).release()).isTrue();
      assertThat(texts(queue.deadLetters().peek(10))).containsExactly("b", "c");
      assertThat(queue.size()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void deadLettersThatWereDroppedInsideOfATransactionAreMadeLater(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentQueue<String> queue =
          pool.queue("q", String.class, o -> o.maxDeliveries(1).deadLetters("dead"));
      queue.sendAll(List.of("a", "b"), SendOptions.defaults());
      pool.names().drop("dead");
      pool.runAtomically(tx -> assertThat(next(queue).reject("no")).isTrue());
      assertThat(next(queue).reject("no")).isTrue();
      assertThat(texts(queue.deadLetters().peek(10))).containsExactly("a", "b");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aGroupGoesOnBehindManyThatDie(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentQueue<Integer> queue =
          store
              .pool()
              .queue(
                  "q",
                  Integer.class,
                  o -> o.maxDeliveries(1).deadLetters("dead").visibilityTimeout(SECOND));
      int dying = 1_100;
      List<Integer> all = IntStream.range(0, dying + 2).boxed().toList();
      queue.sendAll(all, SendOptions.defaults().group("g"));
      store.pool().names().drop("dead"); // so that none moves before the end of the transaction
      store
          .pool()
          .runAtomically(
              tx -> {
                for (int i = 0; i < dying; i++) {
                  assertThat(queue.receive().orElseThrow().reject("no")).isTrue();
                }
              });
      Delivery<Integer> next = queue.receive().orElseThrow();
      assertThat(next.message()).isEqualTo(dying);
      assertThat(queue.receive()).isEmpty();
      next.acknowledge();
      assertThat(queue.receive().orElseThrow().message()).isEqualTo(dying + 1);
      assertThat(queue.deadLetters().size()).isEqualTo(dying);
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyMessagesWithOneDeduplicationIdAreRefused(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentQueue<String> queue = store.pool().queue("q", String.class);
      SendOptions once = SendOptions.defaults().deduplicate("x", SECOND);
      assertThatThrownBy(() -> queue.sendAll(List.of("a", "b"), once))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deduplication");
      assertThat(queue.size()).isZero();
      assertThat(queue.sendAll(List.of("a"), once)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeduplicationThatWasRolledBackIsForgotten(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentQueue<String> queue = pool.queue("q", String.class);
      assertThatThrownBy(
              () ->
                  pool.runAtomically(
                      tx -> {
                        queue.send("a", o -> o.deduplicate("x", SECOND));
                        throw new IllegalStateException("fails");
                      }))
          .hasMessage("fails");
      queue.send("b", o -> o.deduplicate("x", SECOND));
      assertThat(texts(queue.receive(10))).containsExactly("b");
    }
  }

  @ParameterizedTest
  @EnumSource
  void roomThatWasRolledBackIsThere(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentQueue<String> queue = pool.queue("q", String.class, o -> o.maxSize(2));
      queue.send("a");
      assertThatThrownBy(
              () ->
                  pool.runAtomically(
                      tx -> {
                        queue.send("b");
                        assertThatThrownBy(() -> queue.send("c")).hasMessageContaining("full");
                        throw new IllegalStateException("fails");
                      }))
          .hasMessage("fails");
      assertThatThrownBy(() -> queue.sendAll(List.of("d", "e"), SendOptions.defaults()))
          .hasMessageContaining("full");
      queue.send("f");
      assertThat(texts(queue.receive(10))).containsExactly("a", "f");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInnerTransactionThatFailsUndoesItsPartOnly(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentQueue<String> queue = pool.queue("q", String.class);
      queue.sendAll(List.of("a", "b", "c"), SendOptions.defaults());
      List<Delivery<String>> kept = new ArrayList<>();
      pool.runAtomically(
          tx -> {
            kept.clear();
            kept.add(next(queue));
            assertThatThrownBy(
                    () ->
                        pool.runAtomically(
                            inner -> {
                              assertThat(next(queue).acknowledge()).isTrue();
                              assertThat(kept.get(0).acknowledge()).isTrue();
                              queue.send("d");
                              throw new IllegalStateException("inner");
                            }))
                .hasMessage("inner");
            assertThat(kept.get(0).isEnded()).isFalse();
            kept.add(next(queue));
          });
      assertThat(texts(kept)).containsExactly("a", "b");
      assertThat(queue.size()).isEqualTo(3);
      assertThat(queue.acknowledgeAll(kept)).isTrue();
      assertThat(texts(queue.receive(10))).containsExactly("c");
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExtensionAtTheMillisecondOfTheEndIsLate(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentQueue<String> queue =
          store.pool().queue("q", String.class, o -> o.visibilityTimeout(SECOND));
      IntStream.range(0, 6).forEach(i -> queue.send("m" + i));
      List<Delivery<String>> all = queue.receive(6); // some in the head, some in records
      store.clock.advanceMillis(999);
      for (Delivery<String> delivery : List.of(all.get(0), all.get(5))) {
        assertThat(delivery.extend(Duration.ofMillis(1))).isTrue();
      }
      store.clock.advanceMillis(1);
      for (Delivery<String> delivery : all) {
        assertThat(delivery.extend(SECOND)).isFalse();
        assertThat(delivery.acknowledge()).isFalse();
      }
      assertThat(queue.receive(10)).hasSize(6);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClockThatGoesBackKeepsLeasesAndDelays(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentQueue<String> queue =
          store.pool().queue("q", String.class, o -> o.visibilityTimeout(SECOND));
      IntStream.range(0, 6).forEach(i -> queue.send("early" + i));
      List<Delivery<String>> early = queue.receive(6);
      store.clock.advanceMillis(-5_000);
      IntStream.range(0, 2).forEach(i -> queue.send("late" + i));
      queue.send("delayed", o -> o.delay(SECOND));
      List<Delivery<String>> late = queue.receive(10);
      assertThat(texts(late)).containsExactly("late0", "late1");
      assertThat(queue.receive()).isEmpty();
      assertThat(early.get(0).acknowledge()).isTrue();
      assertThat(early.get(5).acknowledge()).isTrue();
      assertThat(queue.statistics().oldestAge()).isGreaterThanOrEqualTo(Duration.ZERO);
      store.clock.advanceMillis(1_000);
      assertThat(texts(queue.receive(10))).containsExactly("late0", "late1", "delayed");
      store.clock.advanceMillis(5_000);
      assertThat(queue.receive(10)).hasSize(7);
      assertThat(store.pool().verify().isClean()).isTrue();
    }
  }

  @Test
  void aPurgeWhileMessagesAreSentRepeatsNoId() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<String> queue = pool.queue("q", String.class);
      List<Long> ids = new ArrayList<>();
      FutureTask<Boolean> sender =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  ids.add(queue.send("a"));
                }
                return true;
              });
      Thread thread = new Thread(sender);
      thread.start();
      while (!sender.isDone()) {
        queue.purge();
      }
      assertThat(sender.get()).isTrue();
      for (int i = 1; i < ids.size(); i++) {
        assertThat(ids.get(i)).isGreaterThan(ids.get(i - 1));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "ADVERSARIAL", mode = EnumSource.Mode.EXCLUDE)
  void renamingAndDroppingEndAWait(Kind kind) throws Exception {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      for (boolean drops : new boolean[] {false, true}) {
        PersistentQueue<String> queue = pool.queue("q", String.class, o -> o.maxSize(1));
        FutureTask<?> receiver = new FutureTask<>(() -> queue.receive(1, Duration.ofSeconds(50)));
        Thread thread = new Thread(receiver);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
        if (drops) {
          pool.names().drop("q");
        } else {
          pool.names().rename("q", "r");
        }
        assertThatThrownBy(() -> receiver.get(20, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(StoreClosedException.class);
      }
      PersistentQueue<String> renamed = pool.queue("r", String.class);
      renamed.send("a");
      assertThatThrownBy(() -> renamed.send("b")).hasMessageContaining("full");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aGroupOfDeadLettersIsSentAgainInOrder(Kind kind) throws Exception {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentQueue<String> queue =
          store.pool().queue("q", String.class, o -> o.maxDeliveries(1).deadLetters("dead"));
      queue.sendAll(List.of("a1", "a2", "a3"), SendOptions.defaults().group("a"));
      queue.send("b1", o -> o.group("b").timeToLive(SECOND));
      for (int i = 0; i < 4; i++) {
        next(queue).reject("no");
      }
      queue.send("a4", o -> o.group("a"));
      store.clock.advanceMillis(2_000);
      assertThat(queue.redrive(letter -> true, 1_000_000)).isEqualTo(4);
      List<String> order = new ArrayList<>();
      while (queue.size() > 0) {
        Delivery<String> delivery = next(queue);
        order.add(delivery.message());
        assertThat(delivery.acknowledge()).isTrue();
      }
      assertThat(order).containsSubsequence("a4", "a1", "a2", "a3").contains("b1").hasSize(5);
      assertThat(queue.deadLetters().size()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEffectOnceMaySend(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentQueue<String> in = pool.queue("in", String.class);
      PersistentQueue<String> out = pool.queue("out", String.class);
      in.send("a");
      Delivery<String> first = next(in);
      for (int i = 0; i < 2; i++) {
        pool.runAtomically(
            tx -> {
              if (first.acknowledge()) {
                out.send(first.message());
              }
            });
      }
      assertThat(texts(out.receive(10))).containsExactly("a");
    }
  }

  @Test
  void aHandlerThatThrowsAnErrorDoesNotEndTheListener() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<String> queue = pool.queue("q", String.class);
      queue.sendAll(List.of("bad", "good"), SendOptions.defaults());
      List<String> handled = new ArrayList<>();
      try (QueueListener<String> listener =
          QueueListener.on(
                  queue,
                  delivery -> {
                    handled.add(delivery.message() + delivery.deliveries());
                    if (delivery.message().equals("bad") && delivery.deliveries() == 1) {
                      throw new AssertionError("wrong");
                    }
                  })
              .start()) {
        while (queue.size() > 0 && !listener.isEnded()) {
          TimeUnit.MILLISECONDS.sleep(5);
        }
      }
      assertThat(handled).containsExactlyInAnyOrder("bad1", "bad2", "good1");
    }
  }

  @Test
  void roomThatExpiresIsFound() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<String> queue = pool.queue("q", String.class, o -> o.maxSize(1));
      queue.send("a", o -> o.timeToLive(Duration.ofMillis(50)));
      long begun = System.nanoTime();
      assertThat(queue.offer("b", SendOptions.defaults(), Duration.ofSeconds(50))).isPresent();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(40));
    }
  }
}
