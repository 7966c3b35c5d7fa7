package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What wakes a thread that waits for a message or for room. */
@Timeout(30)
class QueueWaitingTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path directory;
  private Rockpool pool;
  private PersistentQueue<String> queue;

  @BeforeEach
  void open() {
    pool = TestServer.openOr(directory);
    queue =
        pool.queue("q", String.class, o -> o.maxSize(3).visibilityTimeout(Duration.ofSeconds(2)));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private FutureTask<List<Delivery<String>>> receiver() throws InterruptedException {
    FutureTask<List<Delivery<String>>> task = new FutureTask<>(() -> queue.receive(1, LONG));
    start(task);
    return task;
  }

  private static Thread start(FutureTask<?> task) throws InterruptedException {
    Thread thread = new Thread(task);
    thread.start();
    // A thread of a slow store may find what it waits for at its first look.
    while (!task.isDone()
        && thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return thread;
  }

  private static String text(FutureTask<List<Delivery<String>>> task) throws Exception {
    return task.get(10, TimeUnit.SECONDS).get(0).message();
  }

  @Test
  void aCommitWakesAReceiver() throws Exception {
    FutureTask<List<Delivery<String>>> one = receiver();
    pool.runAtomically(tx -> queue.send("a"));
    assertThat(text(one)).isEqualTo("a");
  }

  @Test
  void dueTimesWakeReceiversOneByOne() throws Exception {
    List<FutureTask<List<Delivery<String>>>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(receiver());
    }
    for (int i = 0; i < 3; i++) {
      int millis = 150 - 50 * i; // each is due before the one that is known
      queue.send("m" + i, o -> o.delay(Duration.ofMillis(millis)));
    }
    List<String> texts = new ArrayList<>();
    for (FutureTask<List<Delivery<String>>> task : all) {
      Delivery<String> delivery = task.get(10, TimeUnit.SECONDS).get(0);
      texts.add(delivery.message());
      delivery.acknowledge();
    }
    assertThat(texts).containsExactlyInAnyOrder("m0", "m1", "m2");
  }

  @Test
  void theEndOfALeaseWakesAReceiver() throws Exception {
    queue.send("a");
    assertThat(queue.receive(1)).hasSize(1);
    Delivery<String> again = receiver().get(10, TimeUnit.SECONDS).get(0);
    assertThat(again.deliveries()).isEqualTo(2);
  }

  @Test
  void aLeaseThatIsTakenMeanwhileWakesAReceiverWhenItEnds() throws Exception {
    FutureTask<List<Delivery<String>>> one = receiver();
    pool.runAtomically(
        tx -> {
          queue.send("a");
          queue.receive(1);
        });
    assertThat(one.get(10, TimeUnit.SECONDS).get(0).deliveries()).isEqualTo(2);
  }

  @Test
  void resumingAndReleasingWakeAReceiver() throws Exception {
    queue.pause();
    queue.send("a");
    FutureTask<List<Delivery<String>>> one = receiver();
    queue.resume();
    Delivery<String> delivery = one.get(10, TimeUnit.SECONDS).get(0);
    FutureTask<List<Delivery<String>>> two = receiver();
    delivery.release();
    assertThat(text(two)).isEqualTo("a");
  }

  @Test
  void theNextOfAGroupWakesAReceiver() throws Exception {
    queue.send("a", o -> o.group("g"));
    queue.send("b", o -> o.group("g"));
    Delivery<String> delivery = queue.receive().orElseThrow();
    delivery.extend(LONG);
    FutureTask<List<Delivery<String>>> one = receiver();
    delivery.acknowledge();
    assertThat(text(one)).isEqualTo("b");
  }

  @Test
  void anAcknowledgementMakesRoom() throws Exception {
    queue.sendAll(List.of("a", "b", "c"), SendOptions.defaults());
    assertThat(queue.offer("d", SendOptions.defaults(), Duration.ofMillis(5))).isEmpty();
    FutureTask<Long> offer =
        new FutureTask<>(() -> queue.offer("d", SendOptions.defaults(), LONG).orElse(-1));
    start(offer);
    queue.receive().orElseThrow().acknowledge();
    assertThat(offer.get(10, TimeUnit.SECONDS)).isPositive();
    assertThat(queue.size()).isEqualTo(3);
  }

  @Test
  void closingAndInterruptsEndTheWait() throws Exception {
    FutureTask<List<Delivery<String>>> task = new FutureTask<>(() -> queue.receive(1, LONG));
    start(task).interrupt();
    assertThatThrownBy(() -> task.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    FutureTask<List<Delivery<String>>> other = receiver();
    pool.close();
    assertThatThrownBy(() -> other.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTimeoutEndsTheWait() throws Exception {
    assertThat(queue.receive(1, Duration.ofMillis(20))).isEmpty();
  }
}
