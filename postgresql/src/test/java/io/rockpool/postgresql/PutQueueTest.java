package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.testing.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Puts that wait are sent together, and each ends as its statement does. */
final class PutQueueTest {
  private static final byte BAD = 9;

  private final List<Integer> sizes = new ArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final PutQueue queue = new PutQueue(this::putAll);

  private void putAll(List<RowRecord> records) {
    begun.incrementAndGet();
    synchronized (sizes) {
      sizes.add(records.size());
    }
    if (records.get(0).value()[0] == 0) {
      try {
        Threads.await(released);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    if (records.stream().anyMatch(record -> record.value()[0] == BAD)) {
      throw new IllegalArgumentException("bad");
    }
  }

  private static RowRecord record(int value) {
    byte[] bytes = {(byte) value};
    return new RowRecord(bytes, Space.NO_SORT_KEY, bytes, Expiry.NEVER);
  }

  private Threads.Running<Boolean> start(int value) {
    return Threads.start(
        () -> {
          queue.put(record(value));
          return true;
        });
  }

  /** Two statements run, which a lock of the server blocks. */
  private List<Threads.Running<Boolean>> block() {
    List<Threads.Running<Boolean>> running = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      running.add(start(0));
      while (begun.get() < i) {
        Thread.onSpinWait();
      }
    }
    return running;
  }

  @Test
  void withoutContentionEachIsSentAtOnce() {
    queue.put(record(1));
    queue.put(record(2));
    assertThat(sizes).containsExactly(1, 1);
  }

  @Test
  void aPutThatWaitsForLongIsSentAlone() throws Exception {
    List<Threads.Running<Boolean>> running = block();
    queue.put(record(1));
    assertThat(sizes).containsExactly(1, 1, 1);
    released.countDown();
    for (Threads.Running<Boolean> each : running) {
      assertThat(each.result()).isTrue();
    }
  }

  @Test
  void aFailureIsThatOfAllThatWereSentTogether() throws Exception {
    List<Threads.Running<Boolean>> running = block();
    Threads.Running<Boolean> bad = start(BAD);
    bad.awaitWaiting();
    released.countDown();
    assertThatThrownBy(bad::result).hasRootCauseMessage("bad");
    for (Threads.Running<Boolean> each : running) {
      assertThat(each.result()).isTrue();
    }
    queue.put(record(1));
  }

  @Test
  void allThatIsPutIsSentOnce() throws Exception {
    int each = 500;
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int i = 0; i < each; i++) {
            queue.put(record(1 + thread));
          }
        });
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(Threads.CONTENDERS * each);
  }
}
