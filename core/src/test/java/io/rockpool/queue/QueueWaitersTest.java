package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.structure.WaitingCall;
import io.rockpool.testing.SteppingClock;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every thread that waits for a queue is served: each method that waits, with each method and time
 * that makes messages ready or makes room, and with several threads that wait.
 */
@Timeout(240)
class QueueWaitersTest {
  private static final int WAITERS = 4;
  private static final int SHORT_MILLIS = 10;

  /** More looks at the clock than an attempt takes. */
  private static final int LOOKS = 8;

  private static final Duration SHORT = Duration.ofMillis(SHORT_MILLIS);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final double FAST = 1e6;
  private static final SendOptions NOW = SendOptions.defaults();
  private static final SendOptions LATER = NOW.delay(SHORT);
  private static final List<String> MESSAGES =
      IntStream.range(0, WAITERS).mapToObj(i -> "m" + i).toList();

  /** Methods that neither wait, nor make a message ready, nor make room. */
  private static final Set<String> NEUTRAL =
      Stream.of(
              "name visibilityTimeout peek size statistics pause deadLetters isClosed leasedUntil"
                  + " find",
              "isEnded id message sent deliveries priority group headers deadLetter next firings",
              "receive(int) receive()")
          .flatMap(line -> Arrays.stream(line.split(" ")))
          .collect(Collectors.toSet());

  @TempDir Path directory;
  private StoreUnderTest store;

  /** A queue before threads wait for it. */
  private interface Preparation {
    /** Returns what happens while they wait. */
    Action prepare(PersistentQueue<String> queue) throws Exception;
  }

  /** What makes messages ready, or room. */
  private interface Action {
    void run() throws Exception;
  }

  @AfterEach
  void close() {
    if (store != null) {
      store.close();
    }
  }

  private interface Wait {
    boolean on(PersistentQueue<String> queue) throws InterruptedException;
  }

  /** What waits for a message. */
  private static Map<String, Wait> receivers() {
    Map<String, Wait> all = new LinkedHashMap<>();
    all.put("receive(int,Duration)", q -> !q.receive(1, LONG).isEmpty());
    all.put(
        "acknowledgeAndReceive(Collection,int,Duration)",
        q -> !q.acknowledgeAndReceive(List.of(), 1, LONG).isEmpty());
    return all;
  }

  /** What waits for room. */
  private static Map<String, Wait> senders() {
    return Map.of(
        "offer(Object,SendOptions,Duration)", q -> q.offer("late", NOW, LONG).isPresent());
  }

  /** What makes as many messages ready as threads wait, some of it after {@link #SHORT}. */
  private Map<String, Preparation> bringers() {
    Map<String, Preparation> all = new LinkedHashMap<>();
    all.put("send(Object)", q -> () -> MESSAGES.forEach(q::send));
    all.put(
        "send(Object,UnaryOperator)",
        q -> () -> MESSAGES.forEach(text -> q.send(text, o -> o.delay(SHORT))));
    all.put(
        "send(Object,SendOptions)",
        q -> () -> MESSAGES.forEach(text -> q.send(text, NOW.group(text))));
    all.put("sendAll(Collection,SendOptions)", q -> () -> q.sendAll(MESSAGES, NOW));
    all.put("sendAll(Collection,SendOptions), later", q -> () -> q.sendAll(MESSAGES, LATER));
    all.put(
        "sendAll(Collection,SendOptions), later, before",
        q -> {
          q.sendAll(MESSAGES, LATER);
          return () -> {};
        });
    all.put(
        "sendAll(Collection,SendOptions), one now and the others later",
        q ->
            () ->
                store
                    .pool()
                    .runAtomically(
                        tx -> {
                          q.send(MESSAGES.get(0));
                          q.sendAll(MESSAGES.subList(1, WAITERS), LATER);
                        }));
    all.put(
        "offer(Object,SendOptions,Duration)",
        q ->
            () -> {
              for (String text : MESSAGES) {
                q.offer(text, NOW, LONG);
              }
            });
    all.put("release()", q -> each(leased(q), Delivery::release));
    all.put("releaseUncounted()", q -> each(leased(q), Delivery::releaseUncounted));
    all.put("release(Duration)", q -> each(leased(q), delivery -> delivery.release(SHORT)));
    all.put("retry(String)", q -> each(leased(q), delivery -> delivery.retry("no")));
    all.put("extend(Duration)", q -> each(leased(q), delivery -> delivery.extend(SHORT)));
    all.put(
        "receive(int), and its leases end",
        q -> {
          leased(q).forEach(delivery -> delivery.extend(SHORT));
          return () -> {};
        });
    all.put(
        "resume()",
        q -> {
          q.pause();
          q.sendAll(MESSAGES, NOW);
          return q::resume;
        });
    all.put("acknowledge()", q -> each(firstOfGroups(q, WAITERS), Delivery::acknowledge));
    all.put("reject(String)", q -> each(firstOfGroups(q, WAITERS), d -> d.reject("no")));
    all.put(
        "acknowledgeAll(Collection)",
        q -> {
          List<Delivery<String>> firsts = firstOfGroups(q, WAITERS);
          return () -> q.acknowledgeAll(firsts);
        });
    all.put(
        "acknowledgeAndReceive(Collection,int,Duration)",
        q -> {
          List<Delivery<String>> firsts = firstOfGroups(q, WAITERS + 1);
          return () -> q.acknowledgeAndReceive(firsts, 1, LONG);
        });
    all.put(
        "redrive(Predicate,double)",
        q -> {
          leased(q).forEach(delivery -> delivery.reject("no"));
          return () -> q.redrive(letter -> true, FAST);
        });
    return all;
  }

  /** A message that outlives its time after an attempt, before the next look, makes room. */
  @Test
  void roomThatComesBetweenTwoLooks() throws Exception {
    SteppingClock clock = new SteppingClock();
    try (Rockpool pool = Rockpool.at(o -> MemoryEngine.builder().clock(clock).build()).open()) {
      PersistentQueue<String> full = pool.queue("q", TypeRef.of(String.class), o -> o.maxSize(1));
      for (int look = 1; look <= LOOKS; look++) {
        full.send("soon", NOW.timeToLive(SHORT));
        clock.watch(look, clock.nowMillis() + SHORT_MILLIS);
        long begun = System.nanoTime();
        assertThat(full.offer("late", NOW, LONG)).isPresent();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
            .as("expired at look %d", look)
            .isLessThan(LONG.dividedBy(2));
        full.receive(1).get(0).acknowledge();
      }
    }
  }

  private static Action each(List<Delivery<String>> deliveries, Consumer<Delivery<String>> answer) {
    return () -> deliveries.forEach(answer);
  }

  private static List<Delivery<String>> leased(PersistentQueue<String> q) {
    q.sendAll(MESSAGES, NOW);
    return q.receive(WAITERS);
  }

  /** The first messages of groups of two. */
  private static List<Delivery<String>> firstOfGroups(PersistentQueue<String> q, int groups) {
    for (int i = 0; i < groups; i++) {
      q.sendAll(List.of("first", "second"), NOW.group("g" + i));
    }
    return q.receive(groups);
  }

  /** What makes room for as many messages as threads wait. */
  private Map<String, Preparation> roomMakers() {
    Map<String, Preparation> all = new LinkedHashMap<>();
    all.put("acknowledge()", q -> each(leased(q), Delivery::acknowledge));
    all.put(
        "acknowledgeAll(Collection)",
        q -> {
          List<Delivery<String>> leased = leased(q);
          return () -> q.acknowledgeAll(leased);
        });
    all.put(
        "acknowledgeAndReceive(Collection,int,Duration)",
        q -> {
          List<Delivery<String>> leased = leased(q);
          return () -> q.acknowledgeAndReceive(leased, 1, Duration.ZERO);
        });
    all.put("reject(String)", q -> each(leased(q), delivery -> delivery.reject("no")));
    all.put(
        "cancel(long)",
        q -> {
          List<Long> ids = q.sendAll(MESSAGES, NOW);
          return () -> ids.forEach(q::cancel);
        });
    all.put("retry(String)", q -> each(leasedLast(q), delivery -> delivery.retry("no")));
    all.put(
        "purge()",
        q -> {
          q.sendAll(MESSAGES, NOW);
          return q::purge;
        });
    all.put(
        "timeToLive",
        q -> {
          q.sendAll(MESSAGES, NOW.timeToLive(SHORT));
          return () -> {};
        });
    return all;
  }

  /** Messages at their last delivery. */
  private List<Delivery<String>> leasedLast(PersistentQueue<String> q) {
    q.sendAll(MESSAGES, NOW);
    List<Delivery<String>> leased = q.receive(WAITERS);
    leased.forEach(delivery -> delivery.retry("once"));
    store.clock.advanceMillis(SHORT_MILLIS);
    return q.receive(WAITERS);
  }

  private void open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
  }

  private PersistentQueue<String> queue(String name) {
    return store
        .pool()
        .queue(
            name,
            TypeRef.of(String.class),
            o ->
                o.visibilityTimeout(LONG)
                    .backoff(Backoff.fixed(SHORT))
                    .maxDeliveries(2)
                    .deadLetters(name + "-dead"));
  }

  @ParameterizedTest
  @EnumSource
  void eachReceiverGetsAMessage(Kind kind) throws Exception {
    open(kind);
    int number = 0;
    for (String receiver : receivers().keySet()) {
      for (String cause : bringers().keySet()) {
        serves(queue("q" + number++), receiver, receivers().get(receiver), cause, bringers());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachSenderGetsRoom(Kind kind) throws Exception {
    open(kind);
    int number = 0;
    for (String sender : senders().keySet()) {
      for (String cause : roomMakers().keySet()) {
        String name = "q" + number++;
        PersistentQueue<String> bounded =
            store
                .pool()
                .queue(
                    name,
                    String.class,
                    o ->
                        o.maxSize(WAITERS)
                            .visibilityTimeout(LONG)
                            .backoff(Backoff.fixed(SHORT))
                            .maxDeliveries(2)
                            .deadLetters(name + "-dead"));
        serves(bounded, sender, senders().get(sender), cause, roomMakers());
      }
    }
  }

  private void serves(
      PersistentQueue<String> q,
      String method,
      Wait wait,
      String cause,
      Map<String, Preparation> causes)
      throws Exception {
    Action action = causes.get(cause).prepare(q);
    List<WaitingCall<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiting.add(new WaitingCall<>(() -> wait.on(q)));
    }
    action.run();
    store.clock.advanceMillis(SHORT_MILLIS);
    for (WaitingCall<Boolean> call : waiting) {
      assertThat(call.resultOf(method + " after " + cause)).isTrue();
    }
    store.pool().names().drop(q.name());
  }

  @ParameterizedTest
  @EnumSource
  void eachReceiverOfDeadLettersGetsOne(Kind kind) throws Exception {
    open(kind);
    PersistentQueue<String> q = queue("q");
    List<Delivery<String>> leased = leased(q);
    List<WaitingCall<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiting.add(new WaitingCall<>(() -> !q.deadLetters().receive(1, LONG).isEmpty()));
    }
    leased.forEach(delivery -> delivery.reject("no"));
    for (WaitingCall<Boolean> call : waiting) {
      assertThat(call.resultOf("receive of dead letters")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReceiverOfFiringsGetsOne(Kind kind) throws Exception {
    open(kind);
    PersistentTimer<String> timer = store.pool().timer("t", Schedule.rate(SHORT), String.class);
    WaitingCall<Boolean> one = new WaitingCall<>(() -> !timer.firings().receive(1, LONG).isEmpty());
    timer.start("x");
    store.clock.advanceMillis(SHORT_MILLIS);
    assertThat(one.resultOf("receive after start")).isTrue();
    WaitingCall<Boolean> next =
        new WaitingCall<>(() -> !timer.firings().receive(1, LONG).isEmpty());
    store.clock.advanceMillis(SHORT_MILLIS);
    assertThat(next.resultOf("receive of the next firing")).isTrue();
    timer.cancel();
    WaitingCall<Boolean> again =
        new WaitingCall<>(() -> !timer.firings().receive(1, LONG).isEmpty());
    timer.start("y");
    store.clock.advanceMillis(SHORT_MILLIS);
    assertThat(again.resultOf("receive after cancel and start")).isTrue();
  }

  /** Of idle handlers, all start when as many messages are due at one time. */
  @ParameterizedTest
  @EnumSource
  void eachHandlerOfAListenerStarts(Kind kind) throws Exception {
    open(kind);
    PersistentQueue<String> q = queue("q");
    CountDownLatch failed = new CountDownLatch(WAITERS);
    CountDownLatch together = new CountDownLatch(WAITERS);
    try (QueueListener<String> listener =
        QueueListener.on(
                q,
                delivery -> {
                  if (delivery.deliveries() == 1) {
                    failed.countDown();
                    throw new IllegalStateException("once");
                  }
                  together.countDown();
                  together.await();
                })
            .concurrency(WAITERS)
            .start()) {
      q.sendAll(MESSAGES, LATER);
      store.clock.advanceMillis(SHORT_MILLIS);
      assertThat(failed.await(20, TimeUnit.SECONDS)).isTrue();
      while (together.getCount() > 0) { // each backoff starts when its handler has failed
        store.clock.advanceMillis(SHORT_MILLIS);
        if (together.await(SHORT_MILLIS, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      assertThat(listener.isEnded()).isFalse();
    }
    assertThat(q.size()).isZero();
  }

  /** The messages of a batch do not keep the others from idle handlers. */
  @ParameterizedTest
  @EnumSource
  void eachMessageOfBatchesIsHandledAtOnce(Kind kind) throws Exception {
    open(kind);
    PersistentQueue<String> q = queue("q");
    CountDownLatch together = new CountDownLatch(WAITERS);
    try (QueueListener<String> listener =
        QueueListener.onBatches(
                q,
                batch -> {
                  batch.forEach(delivery -> together.countDown());
                  together.await();
                })
            .batchSize(2)
            .batchWait(SHORT)
            .concurrency(WAITERS)
            .start()) {
      q.sendAll(MESSAGES, LATER);
      store.clock.advanceMillis(SHORT_MILLIS);
      assertThat(together.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(listener.isEnded()).isFalse();
    }
    assertThat(q.size()).isZero();
  }

  @Test
  void everyMethodIsInATable() {
    Set<String> known = new TreeSet<>(NEUTRAL);
    known.addAll(Set.of("start(Object)", "cancel()"));
    known.addAll(receivers().keySet());
    known.addAll(senders().keySet());
    for (Map<String, Preparation> table : List.of(bringers(), roomMakers())) {
      table.keySet().forEach(name -> known.add(name.replaceFirst(", .*", "")));
    }
    assertThat(
            Stream.of(PersistentQueue.class, Delivery.class, PersistentTimer.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> !NEUTRAL.contains(method.getName()))
                .map(QueueWaitersTest::signature)
                .filter(signature -> !known.contains(signature)))
        .as("methods of which no table says whether they wait or wake")
        .isEmpty();
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }
}
