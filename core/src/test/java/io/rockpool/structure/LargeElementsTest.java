package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.Limits;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueuedMessage;
import io.rockpool.queue.SendOptions;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.HandleUnderTest;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** However large the elements are, a transaction reads only a few megabytes of them at once. */
@Slow
@NotEncrypted("counts what an engine below returns")
final class LargeElementsTest {
  private static final int ELEMENTS = 200;
  private static final String LARGE = "x".repeat(200_000);
  private static final int PER_READ = Limits.MAX_BATCH_BYTES / LARGE.length() + 1;

  private final FakeClock clock = new FakeClock();
  private final HandleUnderTest handle =
      new HandleUnderTest(MemoryEngine.builder().clock(clock).shared().build());
  private final Rockpool pool = Rockpool.at(o -> handle.engine()).open();
  private final PersistentDeque<String> deque = pool.deque("deque", String.class);
  private final List<String> all =
      IntStream.range(0, ELEMENTS).mapToObj(i -> 1_000 + i + LARGE).toList();
  private int transactions;

  @AfterEach
  void everyReadWasSmall() {
    assertThat(handle.largestReadBytes())
        .isBetween(1_000_000L, Limits.MAX_BATCH_BYTES + LARGE.length() + 100L);
    pool.close();
  }

  @Test
  void ofADequeThatIsTrimmed() {
    deque.addAll(all);
    assertThat(deque.trim(90, 110)).isEqualTo(ELEMENTS - 20);
    assertThat(deque).containsExactlyElementsOf(all.subList(90, 110));
    assertThat(deque.trim(0, 0)).isEqualTo(20);
    assertThat(deque.count()).isZero();
  }

  @Test
  void ofADequeThatIsPolled() {
    deque.addAll(all);
    assertThat(deque.pollFirst(70)).isEqualTo(all.subList(0, 70));
    List<String> last = new ArrayList<>(all.subList(130, ELEMENTS));
    Collections.reverse(last);
    assertThat(deque.pollLast(70)).isEqualTo(last);
    List<String> drained = new ArrayList<>();
    assertThat(deque.drainTo(drained)).isEqualTo(60);
    assertThat(drained).isEqualTo(all.subList(70, 130));
    assertThat(deque.count()).isZero();
  }

  @Test
  void ofADequeWithElementsInItsMiddle() {
    deque.addAll(all);
    assertThat(deque.removeFirstOccurrence(all.get(100))).isTrue(); // now an index needs a scan
    assertThat(deque.get(80)).isEqualTo(all.get(80));
    assertThat(deque.range(10, 190)).hasSize(180).endsWith(all.get(190));
    assertThat(deque.insertBefore(all.get(150), "new")).isTrue();
  }

  @Test
  void ofASortedMap() {
    PersistentSortedMap<Integer, String> map = pool.sortedMap("map", Integer.class, String.class);
    for (int i = 0; i < ELEMENTS; i++) {
      map.put(i, all.get(i));
    }
    map.headMap(190).clear();
    assertThat(map.firstKey()).isEqualTo(190);
  }

  @Test
  void ofAQueueThatIsReceived() {
    PersistentQueue<String> queue = pool.queue("queue", String.class);
    queue.sendAll(all, SendOptions.defaults());
    assertThat(queue.peek(150)).map(QueuedMessage::message).isEqualTo(all.subList(0, 150));
    assertThat(queue.receive(70)).map(Delivery::message).isEqualTo(all.subList(0, 70));
    assertThat(queue.peek(ELEMENTS)).map(QueuedMessage::message).isEqualTo(all.subList(70, 200));
    assertThat(queue.receive(ELEMENTS)).map(Delivery::message).isEqualTo(all.subList(70, 200));
    assertThat(queue.receive()).isEmpty();
  }

  @Test
  void ofDeadLetters() throws InterruptedException {
    PersistentQueue<String> queue =
        pool.queue("queue", String.class, o -> o.maxDeliveries(1).deadLetters("dead"));
    queue.sendAll(all, SendOptions.defaults());
    assertThat(queue.receive(ELEMENTS)).hasSize(ELEMENTS);
    clock.advanceMillis(Duration.ofDays(1).toMillis());
    countTransactions();
    assertThat(queue.receive()).isEmpty();
    assertThat(transactions).isGreaterThan(ELEMENTS / PER_READ);
    PersistentQueue<String> dead = Objects.requireNonNull(queue.deadLetters());
    assertThat(dead.size()).isEqualTo(ELEMENTS);
    assertThat(dead.receive(30)).hasSize(30);
    clock.advanceMillis(Duration.ofDays(1).toMillis());
    assertThat(queue.redrive(letter -> true, 1_000_000)).isEqualTo(ELEMENTS);
    assertThat(dead.size()).isZero();
    assertThat(queue.peek(ELEMENTS)).map(QueuedMessage::message).isEqualTo(all);
  }

  private void countTransactions() {
    transactions++;
    handle.before("atomically", this::countTransactions);
  }

  @Test
  void ofAChangeLogThatIsTrimmed() {
    PersistentMap<Integer, String> map =
        pool.map(
            "map",
            Integer.class,
            String.class,
            o -> o.changes(ChangeOptions.keep(Duration.ofDays(1)).maxChanges(10)));
    for (int i = 0; i < ELEMENTS; i++) {
      map.put(i % 7, all.get(i));
    }
    ChangeFeed<Integer, String> feed = pool.changes("map", Integer.class, String.class);
    assertThat(feed.next() - feed.oldest()).isLessThan(10 + 2 * 64);
    pool.reclaim();
    assertThat(feed.from(feed.oldest()))
        .map(ChangeEvent::value)
        .isEqualTo(all.subList(ELEMENTS - 10, ELEMENTS));
  }
}
