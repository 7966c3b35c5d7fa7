package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a listener does with batches. */
@Timeout(120)
class QueueBatchesTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir Path directory;
  private Rockpool pool;
  private PersistentQueue<String> queue;

  @BeforeEach
  void open() {
    pool = TestServer.openOr(directory);
    queue =
        pool.queue(
            "q",
            String.class,
            o -> o.visibilityTimeout(LEASE).maxDeliveries(3).deadLetters("dead"));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static List<String> texts(List<? extends QueuedMessage<String>> messages) {
    return messages.stream().map(QueuedMessage::message).toList();
  }

  private List<Long> send(String... texts) {
    return queue.sendAll(Arrays.asList(texts), SendOptions.defaults());
  }

  @Test
  void aBatchHasWhatIsReadyUpToItsSize() throws Exception {
    List<List<String>> batches = new CopyOnWriteArrayList<>();
    List<Integer> running = new CopyOnWriteArrayList<>();
    CountDownLatch sent = new CountDownLatch(1);
    List<QueueListener<String>> listeners = new CopyOnWriteArrayList<>();
    send("a", "b", "c", "d", "e");
    try (QueueListener<String> listener =
        QueueListener.onBatches(
                queue,
                batch -> {
                  sent.await();
                  running.add(listeners.get(0).running());
                  batches.add(texts(batch));
                })
            .batchSize(2)
            .start()) {
      listeners.add(listener);
      sent.countDown();
      await(() -> queue.size() == 0);
    }
    assertThat(batches).containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));
    assertThat(running).containsExactly(2, 2, 1);
    assertThat(queue.statistics().acknowledged()).isEqualTo(5);
  }

  /** Also longer than the lease of what it has. */
  @Test
  void aBatchWaitsForMore() throws Exception {
    List<List<String>> batches = new CopyOnWriteArrayList<>();
    List<Integer> deliveries = new CopyOnWriteArrayList<>();
    try (QueueListener<String> listener =
        QueueListener.onBatches(
                queue,
                batch -> {
                  batch.forEach(delivery -> deliveries.add(delivery.deliveries()));
                  batches.add(texts(batch));
                })
            .batchSize(3)
            .batchWait(LONG)
            .start()) {
      send("a");
      await(() -> queue.statistics().inFlight() == 1);
      TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() * 3 / 2);
      send("b");
      send("c");
      await(() -> queue.size() == 0);
      assertThat(listener.running()).isZero();
    }
    assertThat(batches).containsExactly(List.of("a", "b", "c"));
    assertThat(deliveries).containsExactly(1, 1, 1);
  }

  @Test
  void aBatchThatIsNotFullIsHandledAfterTheWait() throws Exception {
    List<List<String>> batches = new CopyOnWriteArrayList<>();
    try (QueueListener<String> listener =
        QueueListener.onBatches(queue, batch -> batches.add(texts(batch)))
            .batchWait(SHORT)
            .start()) {
      send("a", "b");
      await(() -> queue.size() == 0);
      assertThat(listener.isEnded()).isFalse();
    }
    assertThat(batches).containsExactly(List.of("a", "b"));
  }

  @Test
  void eachMessageIsAnsweredByItself() throws Exception {
    for (Throwable failure : List.of(new IOException("all"), new AssertionError("all"))) {
      Map<String, Integer> deliveries = new TreeMap<>();
      List<String> asked = new CopyOnWriteArrayList<>();
      try (QueueListener<String> listener =
          QueueListener.onBatches(
                  queue,
                  batch -> {
                    batch.forEach(one -> deliveries.merge(one.message(), 1, Integer::sum));
                    if (batch.size() == 5) {
                      batch.get(0).acknowledge();
                      batch.get(1).retry("own");
                      batch.get(2).reject("own");
                      QueueBatchesTest.<RuntimeException>raise(failure);
                    }
                  })
              .onError(
                  (delivery, e) -> {
                    asked.add(delivery.message());
                    delivery.retry(e.toString());
                    throw new IllegalStateException("also of the action");
                  })
              .start()) {
        send("a", "b", "c", "d", "e");
        await(() -> queue.size() == 0);
        assertThat(listener.isEnded()).isFalse();
      }
      assertThat(deliveries).isEqualTo(Map.of("a", 1, "b", 2, "c", 1, "d", 2, "e", 2));
      assertThat(asked)
          .containsExactlyElementsOf(failure instanceof Error ? List.of() : List.of("d", "e"));
      assertThat(texts(queue.deadLetters().peek(10))).containsExactly("c");
      queue.deadLetters().purge();
    }
  }

  @SuppressWarnings("unchecked") // thrown as it is
  private static <E extends Throwable> void raise(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void anExceptionIsTheCauseOfDeadLetters() throws Exception {
    try (QueueListener<String> listener =
        QueueListener.onBatches(
                queue,
                batch -> {
                  throw new IllegalStateException("no");
                })
            .start()) {
      send("a", "b");
      await(() -> queue.deadLetters().size() == 2);
      assertThat(listener.isEnded()).isFalse();
    }
    assertThat(queue.deadLetters().peek(2))
        .extracting(letter -> letter.deadLetter().orElseThrow().cause())
        .containsOnly("java.lang.IllegalStateException: no");
  }

  /** Also over exceptions; and no batch has two of a group. */
  @Test
  void theOrderOfGroupsIsKept() throws Exception {
    List<String> numbers = IntStream.range(0, 12).mapToObj(i -> "" + (char) ('a' + i)).toList();
    Map<String, List<String>> handled = new TreeMap<>();
    List<Long> mostOfAGroup = new CopyOnWriteArrayList<>();
    for (String group : List.of("x", "y", "z")) {
      queue.sendAll(numbers, SendOptions.defaults().group(group));
    }
    try (QueueListener<String> listener =
        QueueListener.onBatches(
                queue,
                batch -> {
                  List<String> groups = batch.stream().map(one -> one.group().get()).toList();
                  mostOfAGroup.add(groups.size() - groups.stream().distinct().count());
                  for (Delivery<String> one : batch) {
                    if (one.deliveries() == 1 && one.message().charAt(0) % 3 == 0) {
                      throw new IOException("the first time");
                    }
                    if (one.acknowledge()) {
                      handled
                          .computeIfAbsent(one.group().get(), group -> new ArrayList<>())
                          .add(one.message());
                    }
                  }
                })
            .batchWait(Duration.ofMillis(1))
            .start()) {
      await(() -> queue.size() == 0);
      assertThat(listener.isEnded()).isFalse();
    }
    assertThat(handled).isEqualTo(Map.of("x", numbers, "y", numbers, "z", numbers));
    assertThat(mostOfAGroup).containsOnly(0L);
    assertThat(queue.deadLetters().size()).isZero();
  }

  @Test
  void closingReturnsABatchThatWaits() throws Exception {
    List<List<String>> batches = new CopyOnWriteArrayList<>();
    QueueListener<String> listener =
        QueueListener.onBatches(queue, batch -> batches.add(texts(batch))).batchWait(LONG).start();
    send("a", "b");
    await(() -> queue.statistics().inFlight() > 0);
    listener.close();
    assertThat(listener.isEnded()).isTrue();
    assertThat(batches).isEmpty();
    assertThat(queue.receive(10)).extracting(Delivery::deliveries).containsExactly(1, 1);
  }

  @Test
  void closingReturnsWhatABatchDoesNotAnswer() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    send("a", "b", "c");
    QueueListener<String> listener =
        QueueListener.onBatches(
                queue,
                batch -> {
                  batch.get(0).acknowledge();
                  started.countDown();
                  try {
                    TimeUnit.HOURS.sleep(1);
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                })
            .shutdownTimeout(SHORT)
            .start();
    started.await();
    listener.close();
    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    List<Delivery<String>> returned = queue.receive(10);
    assertThat(texts(returned)).containsExactly("b", "c");
    assertThat(returned).extracting(Delivery::deliveries).containsOnly(1); // it was not counted
    await(listener::isEnded);
  }

  @Test
  void whatABatchHasNotAnsweredComesBackAfterReopening() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    send("a", "b", "c");
    QueueListener<String> listener =
        QueueListener.onBatches(
                queue,
                batch -> {
                  batch.get(1).acknowledge();
                  started.countDown();
                  closed.await();
                })
            .start();
    started.await();
    pool.close();
    closed.countDown();
    await(listener::isEnded);
    open();
    List<Delivery<String>> again = new ArrayList<>();
    while (again.size() < 2) {
      again.addAll(queue.receive(10, Duration.ofSeconds(1)));
    }
    assertThat(texts(again)).containsExactlyInAnyOrder("a", "c");
    assertThat(again).extracting(Delivery::deliveries).containsOnly(2);
  }

  @Test
  void optionsOfBatchesAreChecked() {
    QueueListener.Builder<String> batches = QueueListener.onBatches(queue, batch -> {});
    for (int size : List.of(-1, 0, 1_001)) {
      assertThatThrownBy(() -> batches.batchSize(size))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("batchSize is " + size + "; give 1 to 1000.");
    }
    assertThatThrownBy(() -> batches.batchWait(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    QueueListener.Builder<String> singles = QueueListener.on(queue, delivery -> {});
    assertThatThrownBy(() -> singles.batchSize(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("onBatches");
    assertThatThrownBy(() -> singles.batchWait(SHORT)).isInstanceOf(IllegalStateException.class);
  }
}
