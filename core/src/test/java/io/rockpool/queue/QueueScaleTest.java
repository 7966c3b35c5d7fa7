package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Many messages: 20,000 in each build, a million in long runs. */
@Slow
@Timeout(600)
class QueueScaleTest {
  private static final Logger LOG = LoggerFactory.getLogger(QueueScaleTest.class);
  private static final int MESSAGES = Rounds.of(20_000, 1_000_000);
  private static final int BATCH = 1_000;
  private static final int GROUPS = 100;
  private static final int CONSUMERS = 3;
  private static final Duration DELAY = Duration.ofHours(1);

  @TempDir Path directory;

  private static long heapBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long micros(Runnable action) {
    long begun = System.nanoTime();
    action.run();
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
  }

  /** The middle of some times of a send, a receive and an acknowledgement. */
  private static long passMicros(PersistentQueue<Integer> queue) {
    return IntStream.range(0, 501)
        .mapToLong(
            i ->
                micros(
                    () -> {
                      queue.send(-1);
                      assertThat(queue.receive().orElseThrow().acknowledge()).isTrue();
                    }))
        .sorted()
        .toArray()[250];
  }

  @Test
  void delayedMessagesCostNothingUntilTheyAreDue() {
    try (StoreUnderTest store = new StoreUnderTest(Kind.ROCKSDB, directory)) {
      PersistentQueue<Integer> queue = store.pool().queue("q", Integer.class);
      long passAlone = passMicros(queue);
      long heap = heapBytes();
      SendOptions delayed = SendOptions.defaults().delay(DELAY);
      for (int from = 0; from < MESSAGES; from += BATCH) {
        queue.sendAll(IntStream.range(from, from + BATCH).boxed().toList(), delayed);
      }
      long grown = heapBytes() - heap;
      long pass = passMicros(queue);
      assertThat(queue.receive()).isEmpty();
      assertThat(grown).isLessThan(16 << 20);
      assertThat(pass).isLessThan(20 * passAlone + 1_000);

      Rockpool[] again = new Rockpool[1];
      long opened = micros(() -> again[0] = store.reopen());
      PersistentQueue<Integer> reopened = again[0].queue("q", Integer.class);
      long looked = micros(() -> assertThat(reopened.receive()).isEmpty());
      assertThat(reopened.size()).isEqualTo(MESSAGES);
      store.clock.advanceMillis(DELAY.toMillis());
      long first = micros(() -> assertThat(reopened.receive().orElseThrow().message()).isZero());
      LOG.info(
          "{} delayed messages: {} KiB of heap, a pass takes {} us beside them and {} alone,"
              + " opening {} us, a look {} us, the first due {} us",
          MESSAGES,
          grown >> 10,
          pass,
          passAlone,
          opened,
          looked,
          first);
    }
  }

  /** A text of a group, or of none if the group is the last. */
  record Numbered(int group, int number) {}

  @Test
  void nothingIsLostOrDoubledAndGroupsStayInOrder() throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentQueue<Numbered> queue =
          pool.queue("q", Numbered.class, o -> o.visibilityTimeout(Duration.ofMinutes(10)));
      AtomicIntegerArray last = new AtomicIntegerArray(GROUPS);
      BitSet seen = new BitSet(MESSAGES);
      AtomicInteger left = new AtomicInteger(MESSAGES);
      ExecutorService threads = Executors.newFixedThreadPool(CONSUMERS + 1);
      long begun = System.nanoTime();
      try {
        List<Callable<Boolean>> work = new ArrayList<>();
        work.add(() -> sendAll(queue));
        for (int i = 0; i < CONSUMERS; i++) {
          work.add(() -> receiveAll(queue, last, seen, left));
        }
        for (Future<Boolean> end : threads.invokeAll(work)) {
          assertThat(end.get()).isTrue();
        }
      } finally {
        threads.shutdownNow();
      }
      LOG.info(
          "{} messages in {} ms",
          MESSAGES,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
      assertThat(seen.cardinality()).isEqualTo(MESSAGES);
      assertThat(queue.size()).isZero();
      QueueStatistics statistics = queue.statistics();
      assertThat(statistics.redelivered()).isZero();
      assertThat(statistics.acknowledged()).isEqualTo(MESSAGES);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  private static boolean sendAll(PersistentQueue<Numbered> queue) {
    for (int i = 0; i < MESSAGES; ) {
      int group = i / BATCH % (GROUPS + 1);
      List<Numbered> batch = new ArrayList<>();
      for (int end = Math.min(MESSAGES, i + BATCH); i < end; i++) {
        batch.add(new Numbered(group, i));
      }
      SendOptions options = SendOptions.defaults();
      queue.sendAll(batch, group == GROUPS ? options : options.group("g" + group));
    }
    return true;
  }

  private static boolean receiveAll(
      PersistentQueue<Numbered> queue, AtomicIntegerArray last, BitSet seen, AtomicInteger left)
      throws InterruptedException {
    List<Delivery<Numbered>> received = List.of();
    while (left.get() > 0) {
      received = queue.acknowledgeAndReceive(received, 10, Duration.ofMillis(100));
      for (Delivery<Numbered> delivery : received) {
        Numbered message = delivery.message();
        synchronized (seen) {
          assertThat(seen.get(message.number())).isFalse();
          seen.set(message.number());
        }
        if (message.group() < GROUPS) {
          assertThat(last.getAndSet(message.group(), message.number() + 1))
              .isLessThanOrEqualTo(message.number());
        }
      }
      left.addAndGet(-received.size());
    }
    return queue.acknowledgeAll(received);
  }
}
