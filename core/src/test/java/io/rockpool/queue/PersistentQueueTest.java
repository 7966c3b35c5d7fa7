package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.NameConflictException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a queue promises, by itself and with the rest of a store. */
@Timeout(30)
class PersistentQueueTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;
  private StoreUnderTest store;

  private Rockpool open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static List<String> texts(List<? extends QueuedMessage<String>> messages) {
    return messages.stream().map(message -> message.message()).toList();
  }

  private static String next(PersistentQueue<String> queue) {
    return queue.receive().map(delivery -> delivery.message()).orElse("nothing");
  }

  @ParameterizedTest
  @EnumSource
  void aDelayAndALeaseEndToTheMillisecond(Kind kind) {
    PersistentQueue<String> queue =
        open(kind).queue("q", String.class, o -> o.visibilityTimeout(SECOND));
    queue.send("late", o -> o.delay(Duration.ofMillis(10)));
    store.clock.advanceMillis(9);
    assertThat(queue.receive()).isEmpty();
    store.clock.advanceMillis(1);
    Delivery<String> first = queue.receive().orElseThrow();
    assertThat(first.message()).isEqualTo("late");
    store.clock.advanceMillis(999);
    assertThat(queue.receive()).isEmpty();
    assertThat(first.isEnded()).isFalse();
    store.clock.advanceMillis(1);
    assertThat(first.isEnded()).isTrue();
    assertThat(first.acknowledge()).isFalse();
    Delivery<String> second = queue.receive().orElseThrow();
    assertThat(second.deliveries()).isEqualTo(2);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(first.acknowledge()).isFalse();
    assertThat(first.extend(SECOND)).isFalse();
    assertThat(second.acknowledge()).isTrue();
    assertThat(second.acknowledge()).isFalse();
    assertThat(queue.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = "ADVERSARIAL", mode = EnumSource.Mode.EXCLUDE)
  void leasesOfADeadProcessAreFreeAtOnceAndDeliveriesAreCounted(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    queue.send("extended");
    queue.send("held");
    List<Delivery<String>> before = queue.receive(2);
    before.get(0).extend(Duration.ofHours(1));
    queue = store.crash().queue("q", String.class);
    List<Delivery<String>> after = queue.receive(5);
    assertThat(after).extracting(Delivery::deliveries).containsExactly(2, 2);
    queue = store.reopen().queue("q", String.class);
    assertThat(queue.receive(5)).extracting(Delivery::deliveries).containsExactly(3, 3);
  }

  @ParameterizedTest
  @EnumSource
  void joinsTransactions(Kind kind) {
    Rockpool pool = open(kind);
    PersistentQueue<String> in = pool.queue("in", String.class);
    PersistentQueue<String> out = pool.queue("out", String.class);
    PersistentMap<String, Long> effects = pool.map("effects", String.class, Long.class);
    in.send("a");
    for (boolean fails : new boolean[] {true, false}) {
      try {
        pool.runAtomically(
            tx -> {
              Delivery<String> delivery = in.receive().orElseThrow();
              assertThat(delivery.deliveries()).isEqualTo(1);
              effects.merge(delivery.message(), 1L, Long::sum);
              out.send(delivery.message() + "!");
              assertThat(delivery.acknowledge()).isTrue();
              if (fails) {
                throw new IllegalStateException("fails");
              }
            });
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("fails");
        assertThat(in.size()).isEqualTo(1);
        assertThat(out.size()).isZero();
      }
    }
    assertThat(in.size()).isZero();
    assertThat(effects).isEqualTo(Map.of("a", 1L));
    assertThat(next(out)).isEqualTo("a!");
    assertThatThrownBy(() -> pool.runAtomically(tx -> waitFor(in)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside a transaction");
    assertThatThrownBy(() -> pool.runAtomically(tx -> in.purge()))
        .isInstanceOf(IllegalStateException.class);
  }

  private static void waitFor(PersistentQueue<String> queue) {
    try {
      queue.receive(1, SECOND);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeliveryOfATransactionThatFailedIsNotValid(Kind kind) {
    Rockpool pool = open(kind);
    PersistentQueue<String> queue = pool.queue("q", String.class);
    queue.send("a");
    Delivery<?>[] lost = new Delivery<?>[1];
    assertThatThrownBy(
            () ->
                pool.runAtomically(
                    tx -> {
                      lost[0] = queue.receive().orElseThrow();
                      throw new IllegalStateException("fails");
                    }))
        .hasMessage("fails");
    Delivery<String> again = queue.receive().orElseThrow();
    assertThat(lost[0].acknowledge()).isFalse();
    assertThat(again.deliveries()).isEqualTo(1);
    assertThat(again.acknowledge()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anAcknowledgedBatchIsAllOrNothing(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    queue.sendAll(List.of("a", "b", "c"), SendOptions.defaults());
    List<Delivery<String>> all = queue.receive(3);
    assertThat(all.get(1).acknowledge()).isTrue();
    assertThat(queue.acknowledgeAll(all)).isFalse();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.acknowledgeAll(List.of(all.get(0), all.get(0)))).isFalse();
    assertThat(queue.acknowledgeAll(List.of(all.get(0), all.get(2)))).isTrue();
    assertThat(queue.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aPurgeEndsLeasesAndKeepsIdsAndAPause(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    long id = queue.send("a", o -> o.deduplicate("x", SECOND));
    Delivery<String> delivery = queue.receive().orElseThrow();
    queue.pause();
    queue.purge();
    assertThat(queue.statistics().paused()).isTrue();
    assertThat(queue.size()).isZero();
    assertThat(queue.send("b", o -> o.deduplicate("x", SECOND))).isGreaterThan(id);
    assertThat(queue.receive()).isEmpty();
    queue.resume();
    Delivery<String> after = queue.receive().orElseThrow();
    assertThat(delivery.acknowledge()).isFalse();
    assertThat(after.acknowledge()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void theWindowOfDeduplicationGoesOnAfterTheAcknowledgement(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    long id = queue.send("a", o -> o.deduplicate("x", SECOND));
    queue.receive().orElseThrow().acknowledge();
    store.clock.advanceMillis(999);
    assertThat(queue.send("b", o -> o.deduplicate("x", SECOND))).isEqualTo(id);
    assertThat(queue.size()).isZero();
    store.clock.advanceMillis(1);
    assertThat(queue.send("c", o -> o.deduplicate("x", SECOND))).isGreaterThan(id);
    assertThat(next(queue)).isEqualTo("c");
  }

  @ParameterizedTest
  @EnumSource
  void deadLettersKeepCauseAttemptsAndTimes(Kind kind) throws Exception {
    PersistentQueue<String> queue =
        open(kind)
            .queue(
                "q",
                String.class,
                o -> o.maxDeliveries(2).deadLetters("dead").backoff(Backoff.fixed(SECOND)));
    long sent = store.clock.millis();
    long id = queue.send("a", o -> o.group("g").header("k", "v"));
    queue.send("b", o -> o.group("g"));
    store.clock.advanceMillis(5);
    assertThat(queue.receive().orElseThrow().retry("first")).isTrue();
    assertThat(queue.receive()).isEmpty();
    store.clock.advanceMillis(1_000);
    assertThat(queue.receive().orElseThrow().retry("second")).isTrue();
    PersistentQueue<String> dead = queue.deadLetters();
    QueuedMessage<String> letter = dead.peek(10).get(0);
    assertThat(letter.message()).isEqualTo("a");
    assertThat(letter.sent().toEpochMilli()).isEqualTo(sent);
    assertThat(letter.headers()).isEqualTo(Map.of("k", "v"));
    DeadLetter death = letter.deadLetter().orElseThrow();
    assertThat(death.queue()).isEqualTo("q");
    assertThat(death.id()).isEqualTo(id);
    assertThat(death.cause()).isEqualTo("second");
    assertThat(death.deliveries()).isEqualTo(2);
    assertThat(death.firstDelivered().toEpochMilli()).isEqualTo(sent + 5);
    assertThat(death.died().toEpochMilli()).isEqualTo(sent + 1_005);
    assertThat(death.group()).contains("g");
    assertThat(queue.statistics().dead()).isEqualTo(1);

    assertThat(queue.redrive(message -> false, 1_000)).isZero();
    assertThat(queue.redrive(message -> true, 1_000)).isEqualTo(1);
    assertThat(dead.size()).isZero();
    Delivery<String> other = queue.receive().orElseThrow();
    assertThat(other.message()).isEqualTo("b");
    assertThat(queue.receive()).isEmpty();
    other.acknowledge();
    Delivery<String> again = queue.receive().orElseThrow();
    assertThat(again.message()).isEqualTo("a");
    assertThat(again.deliveries()).isEqualTo(1);
    assertThat(again.group()).contains("g");
  }

  @ParameterizedTest
  @EnumSource
  void withoutDeadLettersARejectedMessageIsRemoved(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    queue.send("a");
    assertThat(queue.receive().orElseThrow().reject("bad")).isTrue();
    assertThat(queue.size()).isZero();
    assertThat(queue.deadLetters()).isNull();
    assertThatThrownBy(() -> queue.redrive(message -> true, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void groupsTakeTurns(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    for (String text : List.of("a1", "a2", "a3", "b1", "x", "b2")) {
      queue.send(text, o -> text.startsWith("x") ? o : o.group(text.substring(0, 1)));
    }
    List<Delivery<String>> first = queue.receive(10);
    assertThat(texts(first)).containsExactly("a1", "b1", "x");
    first.get(1).acknowledge();
    first.get(0).acknowledge();
    assertThat(texts(queue.receive(10))).containsExactly("b2", "a2");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageOutlivesNotItsTimeToLive(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    queue.send("short", o -> o.timeToLive(SECOND));
    queue.send("grouped", o -> o.group("g").timeToLive(SECOND));
    queue.send("late", o -> o.delay(Duration.ofMillis(500)).timeToLive(SECOND));
    queue.send("long");
    store.clock.advanceMillis(1_000);
    queue.send("next", o -> o.group("g"));
    assertThat(texts(queue.peek(10))).containsExactlyInAnyOrder("next", "long");
    assertThat(texts(queue.receive(10))).containsExactlyInAnyOrder("next", "long");
  }

  @ParameterizedTest
  @EnumSource
  void optionsAreKeptAndOthersRefused(Kind kind) {
    Rockpool pool = open(kind);
    PersistentQueue<String> queue =
        pool.queue("q", String.class, o -> o.maxSize(1).deadLetters("d").maxDeliveries(1));
    assertThat(pool.queue("q", String.class)).isSameAs(queue);
    assertThatThrownBy(() -> pool.queue("q", String.class, o -> o.maxSize(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("maxSize is 1, not 2");
    assertThatThrownBy(() -> pool.queue("q", Long.class)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> pool.map("q", String.class, String.class))
        .isInstanceOf(NameConflictException.class);
    assertThatThrownBy(() -> pool.queue("r", String.class, o -> o.maxDeliveries(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.queue("r", String.class, o -> o.deadLetterRetention(SECOND)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.queue("r", String.class, o -> o.deadLetters("r")))
        .isInstanceOf(IllegalArgumentException.class);
    PersistentQueue<String> again = store.reopen().queue("q", String.class);
    again.send("a");
    assertThatThrownBy(() -> again.send("b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("full");
    assertThat(again.receive().orElseThrow().release()).isTrue();
    assertThat(again.deadLetters().size()).isEqualTo(1);
    assertThat(store.pool().names().find("q").orElseThrow().type()).isEqualTo("queue");
    assertThat(store.pool().names().find("d").orElseThrow().count()).hasValue(1);
    assertThatThrownBy(() -> queue.size()).isInstanceOf(IllegalStateException.class);
    assertThat(queue.isClosed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeSentIsRefused(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    SendOptions grouped = SendOptions.defaults().group("g");
    assertThatThrownBy(() -> grouped.delay(SECOND)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> grouped.priority(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queue.send("a", o -> o.group("g".repeat(256))))
        .isInstanceOf(LimitExceededException.class);
    assertThatThrownBy(() -> queue.send("a", o -> o.header("k", "v".repeat(100_000))))
        .isInstanceOf(LimitExceededException.class);
    assertThatThrownBy(() -> queue.receive(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(queue.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void statisticsSayWhatHappened(Kind kind) {
    PersistentQueue<String> queue = open(kind).queue("q", String.class);
    queue.sendAll(List.of("a", "b", "c"), SendOptions.defaults());
    store.clock.advanceMillis(10);
    List<Delivery<String>> taken = queue.receive(2);
    taken.get(0).acknowledge();
    taken.get(1).extend(Duration.ofHours(1));
    QueueStatistics statistics = queue.statistics();
    assertThat(statistics.depth()).isEqualTo(1);
    assertThat(statistics.inFlight()).isEqualTo(1);
    assertThat(statistics.oldestAge()).isEqualTo(Duration.ofMillis(10));
    assertThat(statistics.sent()).isEqualTo(3);
    assertThat(statistics.delivered()).isEqualTo(2);
    assertThat(statistics.acknowledged()).isEqualTo(1);
    taken.get(1).release();
    queue.receive(2);
    assertThat(queue.statistics().redelivered()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void manyLeasesEndInOrder(Kind kind) {
    PersistentQueue<Integer> queue = open(kind).queue("q", TypeRef.of(Integer.class), o -> o);
    int count = 700;
    for (int i = 0; i < count; i++) {
      queue.send(i);
    }
    for (int taken = 0; taken < count; ) {
      taken += queue.receive(300).size();
      store.clock.advanceMillis(1);
    }
    store.clock.advanceMillis(30_000);
    for (int i = 0; i < count; i++) {
      Delivery<Integer> delivery = queue.receive().orElseThrow();
      assertThat(delivery.message()).isEqualTo(i);
      assertThat(delivery.acknowledge()).isTrue();
    }
    assertThat(queue.receive()).isEmpty();
    assertThat(store.pool().verify().isClean()).isTrue();
  }
}
