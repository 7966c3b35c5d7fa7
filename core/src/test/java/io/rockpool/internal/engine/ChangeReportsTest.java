package io.rockpool.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.ChangeListener;
import io.rockpool.testing.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Losses of reports, while a listener waits for the server that has fallen silent. */
final class ChangeReportsTest {
  private final ChangeReports feed = new ChangeReports("test-feed", new Upkeep());
  private final Waiting listener = new Waiting();

  /** Waits in the report of an ended space, as one that asks the server does. */
  private static final class Waiting implements ChangeListener {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch asking = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final CountDownLatch lost = new CountDownLatch(1);

    @Override
    public void rowChanged(String space, byte[] hashKey) {}

    @Override
    public void spaceChanged(String space) {}

    @Override
    public void spaceEnded(String space) {
      asking.countDown();
      try {
        Threads.await(answer);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void feedLost() {
      heard.add("lost");
      lost.countDown();
    }

    @Override
    public void feedRegained() {
      heard.add("regained");
    }
  }

  private void ask() throws InterruptedException {
    var unused = feed.add(listener);
    feed.report(each -> each.spaceEnded("space"));
    Threads.await(listener.asking);
  }

  @AfterEach
  void close() {
    listener.answer.countDown();
    feed.close();
  }

  @Test
  void aLossIsReportedWhileAListenerWaits() throws Exception {
    ask();
    feed.lost();
    Threads.await(listener.lost);
    assertThat(listener.heard).containsExactly("lost");
    feed.regained();
    listener.answer.countDown();
    feed.await();
    // The return is reported again if it came before the urgent report had ended.
    assertThat(listener.heard).startsWith("lost", "lost", "regained");
    assertThat(listener.heard.subList(2, listener.heard.size())).containsOnly("regained");
  }

  @Test
  void aReturnThatIsOverIsNotReported() throws Exception {
    ask();
    feed.regained();
    feed.lost();
    Threads.await(listener.lost);
    listener.answer.countDown();
    feed.await();
    assertThat(listener.heard).isNotEmpty().containsOnly("lost");
  }

  @Test
  void theLastReportIsOfTheLastState() throws Exception {
    var unused = feed.add(listener);
    for (int round = 0; round < 1_000; round++) {
      feed.lost();
      feed.regained();
    }
    int before;
    do {
      before = listener.heard.size();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      feed.await();
    } while (listener.heard.size() > before);
    assertThat(listener.heard).last().isEqualTo("regained");
  }

  @Test
  void theFeedIsLostForAListenerThatMissesAReport() throws Exception {
    var unused = feed.add(listener);
    feed.report(
        each -> {
          throw new OutOfMemoryError("of the test");
        });
    feed.await();
    assertThat(listener.heard).containsExactly("lost", "regained");
  }

  @Test
  void aListenerThatMissesALossHearsOfItLater() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    List<String> heard = new CopyOnWriteArrayList<>();
    var unused =
        feed.add(
            new ChangeListener() {
              @Override
              public void rowChanged(String space, byte[] hashKey) {
                throw new OutOfMemoryError("of the test");
              }

              @Override
              public void spaceChanged(String space) {}

              @Override
              public void spaceEnded(String space) {}

              @Override
              public void feedLost() {
                if (calls.incrementAndGet() < 3) {
                  throw new OutOfMemoryError("of the test");
                }
                heard.add("lost");
              }

              @Override
              public void feedRegained() {
                heard.add("regained");
              }
            });
    feed.report(each -> each.rowChanged("space", new byte[0]));
    feed.await();
    assertThat(heard).containsExactly("lost", "regained");
  }
}
