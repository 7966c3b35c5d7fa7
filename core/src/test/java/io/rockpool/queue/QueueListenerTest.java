package io.rockpool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a listener does with messages, errors, leases and its end. */
@Timeout(60)
class QueueListenerTest {
  private static final Duration SHORT = Duration.ofSeconds(2);

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
            o -> o.visibilityTimeout(SHORT).maxDeliveries(3).deadLetters("dead"));
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

  @Test
  void handlesAndAcknowledgesOnSeveralThreads() throws Exception {
    Set<String> handled = ConcurrentHashMap.newKeySet();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch together = new CountDownLatch(3);
    try (QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  threads.add(Thread.currentThread());
                  together.countDown();
                  together.await();
                  handled.add(delivery.message());
                })
            .concurrency(3)
            .start()) {
      for (int i = 0; i < 10; i++) {
        queue.send("m" + i);
      }
      await(() -> queue.size() == 0);
      assertThat(handled).hasSize(10);
      assertThat(threads).hasSize(3);
      assertThat(listener.isEnded()).isFalse();
      listener.close();
      assertThat(listener.isEnded()).isTrue();
    }
  }

  @Test
  void anErrorIsRetriedUntilTheMessageIsDead() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  calls.incrementAndGet();
                  throw new IllegalStateException("no");
                })
            .start()) {
      queue.send("a");
      await(() -> queue.deadLetters().size() == 1);
      assertThat(listener.running()).isLessThanOrEqualTo(1);
    }
    assertThat(calls).hasValue(3);
    assertThat(queue.deadLetters().peek(1).get(0).deadLetter().orElseThrow().cause())
        .isEqualTo("java.lang.IllegalStateException: no");
  }

  /** Kotlin, Scala and Lombok also throw checked exceptions where Java has none. */
  @Test
  void noThrowableOfAnErrorHandlerEndsAThread() throws Exception {
    List<Throwable> all =
        List.of(
            new IllegalStateException("unchecked"),
            new IOException("checked"),
            new AssertionError("error"),
            new StackOverflowError("error of the JVM"),
            new InterruptedException("interrupted"));
    AtomicInteger calls = new AtomicInteger();
    try (QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  throw new IllegalStateException("no");
                })
            .onError(
                (delivery, failure) -> {
                  delivery.reject("no");
                  sneakily(all.get(calls.getAndIncrement() % all.size()));
                })
            .start()) {
      for (int i = 0; i < all.size() + 1; i++) {
        queue.send("m" + i);
      }
      await(() -> listener.isEnded() || queue.deadLetters().size() == all.size() + 1);
      assertThat(listener.isEnded()).isFalse();
    }
  }

  @SuppressWarnings("unchecked") // erased
  private static <E extends Throwable> void sneakily(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void anErrorHandlerDecides() throws Exception {
    try (QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  throw new IllegalStateException("no");
                })
            .onError((delivery, failure) -> delivery.reject("never"))
            .start()) {
      queue.send("a");
      await(() -> queue.deadLetters().size() == 1);
    }
    assertThat(queue.deadLetters().peek(1).get(0).deadLetter().orElseThrow().deliveries())
        .isEqualTo(1);
  }

  @Test
  void leasesAreExtendedUpToAMaximum() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    queue.send("a");
    try (QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  calls.incrementAndGet();
                  end.await();
                })
            .maxExtension(SHORT.multipliedBy(4))
            .start()) {
      await(() -> calls.get() == 1);
      assertThat(queue.receive(1, SHORT.multipliedBy(3))).isEmpty();
      assertThat(queue.receive(1, SHORT.multipliedBy(20))).hasSize(1);
      end.countDown();
      await(() -> listener.running() == 0);
    }
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void closingReturnsWhatAHandlerDoesNotFinish() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    queue.send("a");
    QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  started.countDown();
                  try {
                    TimeUnit.HOURS.sleep(1);
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                })
            .shutdownTimeout(Duration.ofMillis(50))
            .start();
    started.await();
    listener.close();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(queue.receive()).map(Delivery::deliveries).contains(1); // it was returned unhandled
    await(listener::isEnded);
  }

  @Test
  void closingLetsAHandlerFinish() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    queue.send("a");
    queue.send("b");
    QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  started.countDown();
                  TimeUnit.MILLISECONDS.sleep(100);
                })
            .start();
    started.await();
    listener.close();
    assertThat(listener.isEnded()).isTrue();
    assertThat(queue.peek(2)).extracting(QueuedMessage::message).containsExactly("b");
  }

  /** While the first one waits for its handler, the second one must not receive any more. */
  @Test
  void listenersCanBeClosedAtTheSameTime() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    queue.send("a");
    QueueListener<String> first =
        QueueListener.on(
                queue,
                delivery -> {
                  started.countDown();
                  open.await();
                })
            .start();
    QueueListener<String> second =
        QueueListener.on(pool.queue("other", String.class), delivery -> {}).start();
    started.await();
    Thread closing = new Thread(() -> QueueListener.closeAll(List.of(first, second)));
    closing.start();
    await(second::isEnded);
    assertThat(first.isEnded()).isFalse();
    open.countDown();
    closing.join();
    assertThat(first.isEnded()).isTrue();
    assertThat(queue.size()).isZero();
  }

  @Test
  void aClosedStoreEndsIt() throws Exception {
    QueueListener<String> listener = QueueListener.on(queue, delivery -> {}).concurrency(2).start();
    pool.close();
    await(listener::isEnded);
    listener.close();
  }

  @Test
  void aHandlerThatMeetsADroppedNameFailsLikeAnyOther() throws Exception {
    PersistentMap<String, Long> dropped = pool.map("totals", String.class, Long.class);
    pool.names().drop("totals");
    List<Exception> errors = new CopyOnWriteArrayList<>();
    try (QueueListener<String> listener =
        QueueListener.on(
                queue,
                delivery -> {
                  if (errors.size() < 2) {
                    dropped.increment("n", 1);
                  }
                })
            .onError(
                (delivery, failure) -> {
                  errors.add(failure);
                  delivery.release();
                  dropped.clear(); // it may use the name, too
                })
            .start()) {
      queue.send("a");
      await(() -> queue.size() == 0);
      assertThat(listener.isEnded()).isFalse();
    }
    assertThat(errors).hasSize(2).hasOnlyElementsOfType(StoreClosedException.class);
  }

  @Test
  void onlyADroppedQueueEndsItWithAWarning() throws Exception {
    String closedEarly = logged(() -> pool.close());
    pool = TestServer.openOr(directory);
    queue = pool.queue("q", String.class);
    String dropped = logged(() -> pool.names().drop("q"));
    assertThat(dropped).contains("WARN", "The listener of the queue \"q\" ends", "was dropped");
    assertThat(closedEarly).doesNotContain("WARN");
  }

  /** What a listener logs until it has ended, because of {@code end}. */
  private String logged(Runnable end) throws InterruptedException {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (QueueListener<String> listener = QueueListener.on(queue, delivery -> {}).start()) {
      end.run();
      await(listener::isEnded);
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  /** The ways in which the second thread of a listener cannot be had. */
  private enum NoThread {
    NULL {
      @Override
      Thread of(Runnable work) {
        return null;
      }
    },
    EXCEPTION {
      @Override
      Thread of(Runnable work) {
        throw new IllegalStateException("no more threads");
      }
    },
    ERROR {
      @Override
      Thread of(Runnable work) {
        throw new OutOfMemoryError("unable to create native thread");
      }
    },
    STARTED {
      @Override
      Thread of(Runnable work) {
        Thread thread = new Thread(() -> {});
        thread.start();
        return thread;
      }
    };

    abstract Thread of(Runnable work);
  }

  @ParameterizedTest
  @EnumSource
  void aListenerThatCannotStartLeavesNoThread(NoThread second) throws Exception {
    List<Thread> created = new CopyOnWriteArrayList<>();
    QueueListener.Builder<String> listener =
        QueueListener.on(queue, delivery -> {})
            .concurrency(3)
            .threads(
                work -> {
                  Thread thread = created.isEmpty() ? new Thread(work) : second.of(work);
                  created.add(thread);
                  return thread;
                });
    assertThatThrownBy(listener::start).isNotInstanceOf(AssertionError.class);
    created.get(0).join(SHORT.toMillis());
    assertThat(created.get(0).isAlive()).isFalse();
    await(
        () -> Thread.getAllStackTraces().keySet().stream().noneMatch(QueueListenerTest::isLeases));
    queue.send("m");
    assertThat(queue.receive()).isPresent();
  }

  private static boolean isLeases(Thread thread) {
    return thread.getName().equals("rockpool-queue-q-leases");
  }

  @Test
  void virtualThreadsNeedJava21() throws Exception {
    QueueListener.Builder<String> builder = QueueListener.on(queue, delivery -> {});
    if (Runtime.version().feature() < 21) {
      assertThatThrownBy(builder::virtualThreads).isInstanceOf(UnsupportedOperationException.class);
      return;
    }
    queue.send("a");
    try (QueueListener<String> listener = builder.virtualThreads().concurrency(10).start()) {
      await(() -> queue.size() == 0);
      assertThat(listener.isEnded()).isFalse();
    }
  }
}
