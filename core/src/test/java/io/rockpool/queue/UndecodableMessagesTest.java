package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.SourceLoader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message whose class is gone is set aside, is logged, and blocks no other. */
@Timeout(60)
class UndecodableMessagesTest {
  private static final TypeRef<Object> ANY = TypeRef.of(Object.class);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final List<Object> GOOD = List.of("1", "2", "3", "4", "5");

  @TempDir Path directory;
  private final PrintStream errors = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private StoreUnderTest store;
  private Codecs withClass;
  private Object gone;

  /** What receives all messages that can be received. */
  private enum Consumer {
    ONE_BY_ONE {
      @Override
      List<Object> drain(PersistentQueue<Object> queue) {
        List<Object> all = new ArrayList<>();
        queue.receive().ifPresent(delivery -> add(delivery, all, queue));
        return all;
      }

      private void add(Delivery<Object> first, List<Object> all, PersistentQueue<Object> queue) {
        Delivery<Object> delivery = first;
        while (delivery != null) {
          all.add(delivery.message());
          delivery.acknowledge();
          delivery = queue.receive().orElse(null);
        }
      }
    },
    TOGETHER {
      @Override
      List<Object> drain(PersistentQueue<Object> queue) {
        List<Delivery<Object>> deliveries = queue.receive(100);
        queue.acknowledgeAll(deliveries);
        return deliveries.stream().map(delivery -> delivery.message()).toList();
      }
    },
    WAITING {
      @Override
      List<Object> drain(PersistentQueue<Object> queue) throws InterruptedException {
        List<Object> all = new ArrayList<>();
        List<Delivery<Object>> last = queue.receive(1, Duration.ofMillis(1));
        while (!last.isEmpty()) {
          last.forEach(delivery -> all.add(delivery.message()));
          last = queue.acknowledgeAndReceive(last, 2, Duration.ofMillis(1));
        }
        return all;
      }
    },
    LISTENER {
      @Override
      List<Object> drain(PersistentQueue<Object> queue) throws InterruptedException {
        List<Object> all = Collections.synchronizedList(new ArrayList<>());
        try (QueueListener<Object> listener =
            QueueListener.on(queue, delivery -> all.add(delivery.message())).start()) {
          while (queue.statistics().acknowledged() < GOOD.size()) {
            assertThat(listener.isEnded()).isFalse();
            TimeUnit.MILLISECONDS.sleep(1);
          }
        }
        return all;
      }
    };

    abstract List<Object> drain(PersistentQueue<Object> queue) throws InterruptedException;
  }

  @BeforeEach
  void captureLog() {
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() {
    System.setErr(errors);
    store.close();
  }

  private String logged() {
    return log.toString(StandardCharsets.UTF_8);
  }

  private void open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    SourceLoader loader =
        new SourceLoader(
            "public record Main(int n) { public static Object make() { return new Main(1); } }");
    gone = loader.make();
    withClass = Codecs.builder().classLoader(loader).allow(loader.main()).build();
  }

  private PersistentQueue<Object> queue(String name, QueueOptions options) {
    PersistentQueue<Object> queue = store.pool().queue(name, ANY, o -> options.codecs(withClass));
    queue.send(gone);
    queue.send(gone, o -> o.priority(9));
    GOOD.forEach(queue::send);
    store.reopen();
    return store.pool().queue(name, ANY, o -> o);
  }

  @ParameterizedTest
  @EnumSource
  void becomesADeadLetterAtOnce(Kind kind) throws Exception {
    open(kind);
    for (Consumer consumer : Consumer.values()) {
      log.reset();
      String name = "q" + consumer;
      PersistentQueue<Object> queue =
          queue(name, QueueOptions.defaults().deadLetters(name + "-dead").maxDeliveries(5));
      assertThat(consumer.drain(queue)).as("%s", consumer).isEqualTo(GOOD);
      assertThat(queue.size()).isZero();
      List<QueuedMessage<Object>> letters = queue.deadLetters().peek(10);
      assertThat(letters).hasSize(2);
      for (QueuedMessage<Object> letter : letters) {
        assertThatThrownBy(letter::message).isInstanceOf(UndecodableValueException.class);
        DeadLetter death = letter.deadLetter().orElseThrow();
        assertThat(death.deliveries()).isEqualTo(1);
        assertThat(death.cause()).contains("app.Main");
      }
      assertThat(logged()).contains("WARN", '"' + name + '"', "app.Main", "dead letter");
    }
  }

  @ParameterizedTest
  @EnumSource
  void waitsInAQueueWithoutDeadLetters(Kind kind) throws Exception {
    open(kind);
    for (Consumer consumer : Consumer.values()) {
      log.reset();
      String name = "q" + consumer;
      PersistentQueue<Object> queue = queue(name, QueueOptions.defaults());
      assertThat(consumer.drain(queue)).as("%s", consumer).isEqualTo(GOOD);
      assertThat(queue.size()).isEqualTo(2);
      assertThat(queue.receive()).isEmpty();
      assertThat(queue.statistics().inFlight()).isZero();
      assertThat(logged()).contains("WARN", '"' + name + '"', "app.Main", "tried again");
      store.reopen();
      queue = store.pool().queue(name, ANY, o -> o.codecs(withClass));
      store.clock.advanceMillis(MINUTE.toMillis() * 10);
      assertThat(queue.receive(10))
          .extracting(delivery -> delivery.message())
          .containsExactly(gone, gone);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofATimerIsSetAsideAndTheTimerGoesOn(Kind kind) throws Exception {
    open(kind);
    for (boolean keepsDead : new boolean[] {true, false}) {
      String name = keepsDead ? "with" : "without";
      QueueOptions defaults = QueueOptions.defaults();
      QueueOptions options = keepsDead ? defaults.deadLetters(name + "-dead") : defaults;
      PersistentTimer<Object> timer =
          store.pool().timer(name, Schedule.rate(MINUTE), ANY, o -> options.codecs(withClass));
      timer.start(gone);
      store.reopen();
      timer = store.pool().timer(name, Schedule.rate(MINUTE), ANY, o -> o);
      for (int i = 1; i <= 3; i++) {
        store.clock.advanceMillis(MINUTE.toMillis());
        assertThat(timer.firings().receive()).isEmpty();
        assertThat(timer.firings().size()).isEqualTo(1);
        assertThat(timer.next()).contains(store.clock.instant().plus(MINUTE));
        assertThat(keepsDead ? timer.firings().deadLetters().size() : i).isEqualTo(i);
      }
      store.reopen();
      timer = store.pool().timer(name, Schedule.rate(MINUTE), ANY, o -> o.codecs(withClass));
      store.clock.advanceMillis(MINUTE.toMillis());
      assertThat(timer.firings().receive(10))
          .extracting(delivery -> delivery.message())
          .containsExactly(gone);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOnlyFiringOfATimerIsKept(Kind kind) throws Exception {
    open(kind);
    PersistentTimer<Object> timer =
        store.pool().timer("t", Schedule.delay(MINUTE), ANY, o -> o.codecs(withClass));
    timer.start(gone);
    store.reopen();
    timer = store.pool().timer("t", Schedule.delay(MINUTE), ANY, o -> o);
    store.clock.advanceMillis(MINUTE.toMillis());
    assertThat(timer.firings().receive()).isEmpty();
    assertThat(timer.firings().size()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void redrivingPassesOverOneThatTheFilterReads(Kind kind) throws Exception {
    open(kind);
    PersistentQueue<Object> queue =
        store.pool().queue("q", ANY, o -> o.deadLetters("dead").codecs(withClass));
    queue.send("a");
    queue.send(gone);
    queue.send("b");
    queue.receive(10).forEach(delivery -> delivery.reject("no"));
    store.reopen();
    PersistentQueue<Object> reopened = store.pool().queue("q", Object.class);
    assertThat(reopened.deadLetters().peek(10)).hasSize(3);
    assertThat(reopened.redrive(letter -> !letter.message().equals("x"), 1e6)).isEqualTo(2);
    assertThat(reopened.receive(10))
        .extracting(delivery -> delivery.message())
        .containsExactly("a", "b");
    assertThat(logged()).contains("app.Main", "stays a dead letter");
    assertThatThrownBy(
            () ->
                reopened.redrive(
                    letter -> {
                      throw new IllegalStateException("filter");
                    },
                    1e6))
        .hasMessage("filter");
    assertThat(reopened.redrive(letter -> true, 1e6)).isEqualTo(1);
    assertThat(reopened.receive(10)).isEmpty();
    assertThat(reopened.deadLetters().size()).isEqualTo(1);
  }
}
