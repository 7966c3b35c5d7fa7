package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message that no handler can handle, in a queue with default options. */
@Timeout(60)
final class PoisonMessageTest {
  private static final List<String> OTHERS = IntStream.range(0, 10).mapToObj(i -> "m" + i).toList();

  @Test
  void theOthersAreHandledMeanwhile() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    CountDownLatch handled = new CountDownLatch(OTHERS.size());
    CountDownLatch again = new CountDownLatch(2);
    try (Rockpool pool = Rockpool.inMemory()) {
      PersistentQueue<String> queue = pool.queue("queue", String.class);
      queue.send("poison");
      OTHERS.forEach(queue::send);
      try (QueueListener<String> listener =
          QueueListener.on(
                  queue,
                  delivery -> {
                    if (delivery.message().equals("poison")) {
                      failures.incrementAndGet();
                      again.countDown();
                      throw new IllegalStateException("It cannot be handled.");
                    }
                    handled.countDown();
                  })
              .start()) {
        assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(again.await(30, TimeUnit.SECONDS)).as("it is tried again").isTrue();
        assertThat(failures).hasValueLessThan(10);
        assertThat(listener.isEnded()).isFalse();
      }
    }
  }
}
