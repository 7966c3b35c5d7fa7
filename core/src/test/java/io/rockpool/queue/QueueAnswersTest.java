package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a delivery costs, what a dead letter says, and what a redrive moves. */
@Slow
@Timeout(120)
class QueueAnswersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final double FAST = 1e9;

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentQueue<String> open(Kind kind, UnaryOperator<QueueOptions> options) {
    store = new StoreUnderTest(kind, directory);
    return store
        .pool()
        .queue(
            "q", String.class, o -> options.apply(o.deadLetters("dead").visibilityTimeout(MINUTE)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static List<String> texts(List<? extends QueuedMessage<String>> messages) {
    return messages.stream().map(message -> message.message()).toList();
  }

  @ParameterizedTest
  @EnumSource
  void anUncountedReleaseCostsNoDelivery(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o.maxDeliveries(1));
    queue.send("a");
    queue.send("first", o -> o.group("g"));
    queue.send("second", o -> o.group("g"));
    for (int i = 0; i < 5; i++) {
      List<Delivery<String>> deliveries = queue.receive(5);
      assertThat(texts(deliveries)).containsExactlyInAnyOrder("a", "first");
      assertThat(deliveries).extracting(Delivery::deliveries).containsOnly(1);
      for (Delivery<String> delivery : deliveries) {
        assertThat(delivery.releaseUncounted()).isTrue();
        assertThat(delivery.releaseUncounted()).isFalse();
        assertThat(delivery.acknowledge()).isFalse();
      }
    }
    store.clock.advanceMillis(1);
    List<Delivery<String>> last = queue.receive(5);
    last.forEach(delivery -> delivery.retry("no"));
    assertThat(queue.deadLetters().peek(5))
        .extracting(letter -> letter.deadLetter().orElseThrow())
        .allSatisfy(
            death -> {
              assertThat(death.deliveries()).isEqualTo(1);
              assertThat(death.firstDelivered()).isEqualTo(store.clock.instant());
            });
    assertThat(store.pool().verify().isClean()).isTrue();
  }

  /** Each message is handled once, however often listeners are closed meanwhile. */
  @ParameterizedTest
  @EnumSource
  void closingListenersCostsNoDelivery(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o.maxDeliveries(1));
    Set<String> handled = ConcurrentHashMap.newKeySet();
    List<String> all = IntStream.range(0, 200).mapToObj(i -> "m" + i).toList();
    queue.sendAll(all, SendOptions.defaults());
    for (int i = 0; i < 100 && queue.size() > 0; i++) {
      QueueListener<String> listener =
          QueueListener.on(queue, delivery -> handled.add(delivery.message()))
              .concurrency(4)
              .start();
      listener.close();
    }
    QueueListener<String> last =
        QueueListener.on(queue, delivery -> handled.add(delivery.message())).start();
    while (queue.size() > 0) {
      Thread.onSpinWait();
    }
    last.close();
    assertThat(queue.deadLetters().size()).isZero();
    assertThat(handled).containsExactlyInAnyOrderElementsOf(all);
  }

  @ParameterizedTest
  @EnumSource
  void aRedrivenFiringStartsNoSecondChain(Kind kind) throws Exception {
    store = new StoreUnderTest(kind, directory);
    PersistentTimer<String> timer =
        store
            .pool()
            .timer(
                "t", Schedule.rate(MINUTE), TypeRef.of(String.class), o -> o.deadLetters("dead"));
    timer.start("x");
    store.clock.advanceMillis(MINUTE.toMillis());
    Delivery<String> first = timer.firings().receive().orElseThrow();
    assertThat(first.releaseUncounted()).isTrue();
    first = timer.firings().receive().orElseThrow();
    assertThat(first.deliveries()).isEqualTo(1);
    assertThat(timer.firings().size()).isEqualTo(2);
    assertThat(first.reject("no")).isTrue();
    assertThat(timer.firings().redrive(letter -> true, FAST)).isEqualTo(1);
    Delivery<String> again = timer.firings().receive().orElseThrow();
    assertThat(again.deliveries()).isEqualTo(1);
    assertThat(again.headers()).containsKey(PersistentTimer.DUE);
    assertThat(again.acknowledge()).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(timer.firings().size()).isEqualTo(1);
      store.clock.advanceMillis(MINUTE.toMillis());
      List<Delivery<String>> firings = timer.firings().receive(10);
      assertThat(firings).hasSize(1);
      firings.get(0).acknowledge();
    }
    timer.cancel();
    assertThat(timer.start("y")).isTrue();
    store.clock.advanceMillis(MINUTE.toMillis());
    assertThat(timer.firings().receive(10)).hasSize(1);
    assertThat(timer.next()).contains(store.clock.instant().plus(MINUTE));
  }

  /** Dead letters that a consumer has received and returned, beside one that is delayed. */
  @ParameterizedTest
  @EnumSource
  void aRedriveMovesAllLettersHoweverTheyWait(Kind kind) throws Exception {
    PersistentQueue<String> queue = open(kind, o -> o);
    int count = 1_300;
    List<String> all = IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    queue.sendAll(all, SendOptions.defaults());
    for (int i = 0; i < count; i += 100) {
      queue.receive(100).forEach(delivery -> delivery.reject("no"));
    }
    PersistentQueue<String> dead = queue.deadLetters();
    List<Delivery<String>> back = new ArrayList<>(dead.receive(1_000));
    back.addAll(dead.receive(200));
    store.pool().runAtomically(tx -> back.forEach(Delivery::release));
    dead.send("by hand", o -> o.delay(MINUTE));
    dead.send("by hand, due", o -> o.delay(Duration.ofMillis(1)));
    store.clock.advanceMillis(1);
    assertThat(queue.redrive(letter -> true, FAST)).isEqualTo(count);
    assertThat(dead.size()).isEqualTo(2);
    assertThat(queue.size()).isEqualTo(count);
  }

  /** A letter that dies again meanwhile is not considered twice. */
  @ParameterizedTest
  @EnumSource
  void aRedriveEndsIfLettersDieAgain(Kind kind) throws Exception {
    PersistentQueue<String> queue = open(kind, o -> o);
    for (int i = 0; i < 3; i++) {
      queue.send("m" + i);
      queue.receive().orElseThrow().reject("no");
    }
    long moved =
        queue.redrive(
            letter -> {
              queue.receive().ifPresent(delivery -> delivery.reject("again"));
              return true;
            },
            FAST);
    assertThat(moved).isEqualTo(3);
    assertThat(queue.size() + queue.deadLetters().size()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveIntoAFullQueueSaysHowManyItMoved(Kind kind) throws Exception {
    PersistentQueue<String> queue = open(kind, o -> o.maxSize(3));
    for (int i = 0; i < 5; i++) {
      queue.send("m" + i);
      queue.receive().orElseThrow().reject("no");
    }
    assertThat(queue.redrive(letter -> true, FAST)).isEqualTo(3);
    assertThat(queue.deadLetters().size()).isEqualTo(2);
    assertThat(queue.redrive(letter -> true, FAST)).isZero();
    queue.purge();
    assertThat(queue.redrive(letter -> true, FAST)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aDeadLetterKeepsItsGroupAlsoTheEmptyOne(Kind kind) throws Exception {
    PersistentQueue<String> queue = open(kind, o -> o);
    queue.send("none", o -> o.priority(2));
    queue.send("empty", o -> o.group(""));
    queue.send("named", o -> o.group("g"));
    queue.receive(3).forEach(delivery -> delivery.reject("no"));
    assertThat(queue.deadLetters().peek(3))
        .extracting(letter -> letter.deadLetter().orElseThrow().group().orElse("none"))
        .containsExactlyInAnyOrder("none", "", "g");
    assertThat(queue.redrive(letter -> true, FAST)).isEqualTo(3);
    assertThat(queue.receive(3))
        .extracting(delivery -> delivery.message() + " " + delivery.group().orElse("-"))
        .containsExactlyInAnyOrder("none -", "empty ", "named g");
  }

  @ParameterizedTest
  @EnumSource
  void aGroupWaitsNoLongerThanItsFirstLives(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o);
    queue.send("first", o -> o.group("g").timeToLive(MINUTE));
    queue.send("second", o -> o.group("g"));
    queue.receive().orElseThrow().release(Duration.ofHours(1));
    assertThat(queue.receive()).isEmpty();
    store.clock.advanceMillis(MINUTE.toMillis());
    assertThat(texts(queue.peek(1))).containsExactly("second");
    assertThat(texts(queue.receive(2))).containsExactly("second");
  }

  @ParameterizedTest
  @EnumSource
  void expiredMessagesTakeNoPlaceInAPeek(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o);
    for (int i = 0; i < 5; i++) {
      queue.send("soon", o -> o.timeToLive(Duration.ofSeconds(2)).delay(Duration.ofMillis(1)));
    }
    queue.send("stays", o -> o.delay(Duration.ofSeconds(1)));
    store.clock.advanceMillis(3_000);
    assertThat(texts(queue.peek(1))).containsExactly("stays");
    assertThat(texts(queue.peek(5))).containsExactly("stays");
    assertThat(queue.statistics().oldestAge()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @EnumSource(names = "ADVERSARIAL", mode = EnumSource.Mode.EXCLUDE)
  void leasesOfAnEarlierOpeningAreNotInFlight(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o);
    queue.sendAll(List.of("a", "b", "c"), SendOptions.defaults());
    queue.receive(2);
    assertThat(queue.statistics().inFlight()).isEqualTo(2);
    Rockpool pool = store.reopen();
    QueueStatistics now = pool.queue("q", String.class).statistics();
    assertThat(now.inFlight()).isZero();
    assertThat(now.depth()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedSendNeedsNoRoom(Kind kind) throws Exception {
    PersistentQueue<String> queue = open(kind, o -> o.maxSize(1));
    long id = queue.send("a", o -> o.deduplicate("1", MINUTE));
    assertThat(queue.send("a", o -> o.deduplicate("1", MINUTE))).isEqualTo(id);
    SendOptions again = SendOptions.defaults().deduplicate("1", MINUTE);
    assertThat(queue.offer("a", again, Duration.ZERO)).hasValue(id);
    assertThat(queue.offer("b", SendOptions.defaults(), Duration.ZERO)).isEmpty();
    assertThat(queue.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageIsFoundAndCancelledByItsId(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o);
    List<Long> ids = new ArrayList<>();
    ids.add(queue.send("fresh"));
    ids.add(queue.send("urgent", o -> o.priority(9)));
    ids.add(queue.send("later", o -> o.delay(MINUTE)));
    ids.add(queue.send("expires", o -> o.timeToLive(MINUTE.multipliedBy(9))));
    ids.add(queue.send("first", o -> o.group("g")));
    ids.add(queue.send("second", o -> o.group("g")));
    ids.add(queue.send("other", o -> o.group("h")));
    for (long id : ids) {
      assertThat(queue.find(id).orElseThrow().id()).isEqualTo(id);
    }
    assertThat(queue.find(ids.get(2)).orElseThrow().message()).isEqualTo("later");
    assertThat(queue.find(99)).isEmpty();
    assertThat(queue.cancel(99)).isFalse();
    List<Delivery<String>> all = queue.receive(10);
    assertThat(texts(all))
        .containsExactlyInAnyOrder("fresh", "urgent", "expires", "first", "other");
    for (Delivery<String> delivery : all) {
      assertThat(queue.cancel(delivery.id())).as("in flight").isFalse();
      assertThat(delivery.release()).isTrue();
    }
    assertThat(queue.cancel(ids.get(2))).as("later").isTrue();
    assertThat(queue.cancel(ids.get(2))).as("twice").isFalse();
    assertThat(queue.find(ids.get(2))).isEmpty();
    assertThat(queue.cancel(ids.get(4))).as("first").isTrue();
    assertThat(queue.cancel(ids.get(3))).as("expires").isTrue();
    assertThat(queue.size()).isEqualTo(4);
    assertThat(store.pool().verify().findings()).isEmpty();
    store.clock.advanceMillis(MINUTE.toMillis());
    List<Delivery<String>> left = queue.receive(10);
    assertThat(texts(left)).containsExactlyInAnyOrder("fresh", "urgent", "second", "other");
    assertThat(queue.acknowledgeAll(left)).isTrue();
    assertThat(queue.size()).isZero();
    queue.send("dies");
    queue.receive().orElseThrow().reject("no");
    QueuedMessage<String> letter = queue.deadLetters().peek(1).get(0);
    assertThat(queue.deadLetters().cancel(letter.id())).isTrue();
    assertThat(queue.deadLetters().size()).isZero();
    assertThat(store.pool().verify().findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCauseIsThatOfTheLastDelivery(Kind kind) {
    PersistentQueue<String> queue = open(kind, o -> o.maxDeliveries(2).backoff(Backoff.none()));
    queue.send("late");
    assertThat(queue.receive().orElseThrow().retry("first")).isTrue();
    assertThat(queue.receive()).isPresent();
    store.clock.advanceMillis(MINUTE.toMillis());
    assertThat(queue.receive()).isEmpty();
    queue.send("without");
    assertThat(queue.receive().orElseThrow().retry(null)).isTrue();
    assertThat(queue.receive().orElseThrow().reject(null)).isTrue();
    assertThat(queue.deadLetters().peek(2))
        .extracting(letter -> letter.deadLetter().orElseThrow().cause())
        .containsExactly("", "");
  }
}
