package io.rockpool.spring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolQueueAutoConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

/** Methods of beans handle messages. */
@Timeout(60)
final class RockpoolListenerTest {
  @TempDir private Path directory;

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolQueueAutoConfiguration.class))
        .withPropertyValues(
            SuiteStores.property(directory.resolve("store")),
            "rockpool.queues.mails.max-deliveries=2",
            "rockpool.queues.mails.dead-letters=mails-dead",
            "mails.threads=3");
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Handles mails, and refuses some. */
  static class Mails {
    final List<String> handled = new CopyOnWriteArrayList<>();
    final List<Integer> numbers = new CopyOnWriteArrayList<>();
    final List<Integer> deliveries = new CopyOnWriteArrayList<>();

    @RockpoolListener(queue = "mails", concurrency = "${mails.threads}")
    void mail(String text) {
      if (text.startsWith("bad")) {
        throw new IllegalArgumentException(text);
      }
      if (text.startsWith("error")) {
        throw new NoClassDefFoundError(text);
      }
      handled.add(text);
    }

    @RockpoolListener(queue = "numbers", type = String.class)
    void number(Integer number) {
      numbers.add(number);
    }

    @RockpoolListener(queue = "${other:deliveries}")
    void delivery(Delivery<Long> delivery) {
      deliveries.add(delivery.deliveries());
      delivery.acknowledge();
    }
  }

  @Test
  void methodsHandleConvertAndRetry() {
    runner()
        .withBean(Mails.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              Rockpool pool = context.getBean(Rockpool.class);
              Mails mails = context.getBean(Mails.class);
              PersistentQueue<String> queue = pool.queue("mails", String.class);
              queue.send("hello");
              queue.send("bad");
              pool.queue("numbers", String.class).send("42");
              pool.queue("deliveries", Long.class).send(7L);
              await(() -> queue.size() == 0 && queue.deadLetters().size() == 1);
              await(() -> !mails.numbers.isEmpty() && !mails.deliveries.isEmpty());
              assertThat(mails.handled).containsExactly("hello");
              assertThat(mails.numbers).containsExactly(42);
              assertThat(mails.deliveries).containsExactly(1);
              assertThat(queue.deadLetters().peek(1).get(0).deadLetter().orElseThrow().cause())
                  .isEqualTo("java.lang.IllegalArgumentException: bad");
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(
                      registry
                          .get("rockpool.queue.redelivered")
                          .tag("queue", "mails")
                          .functionCounter()
                          .count())
                  .isEqualTo(1);
              assertThat(registry.get("rockpool.queue.depth").tag("queue", "mails").gauge().value())
                  .isZero();
              // The letter can be seen before it is counted, and one reading is for half a second.
              FunctionCounter dead =
                  registry.get("rockpool.queue.dead").tag("queue", "mails").functionCounter();
              await(() -> dead.count() == 1);
            });
  }

  /** Handles lists of texts, of numbers and of deliveries. */
  static class Batches {
    final List<List<Integer>> numbers = new CopyOnWriteArrayList<>();
    final List<List<String>> texts = new CopyOnWriteArrayList<>();
    final List<String> failed = new CopyOnWriteArrayList<>();

    @RockpoolListener(queue = "texts", batchSize = "${texts.size}", batchWait = "${texts.wait}")
    void texts(List<String> batch) {
      texts.add(batch);
    }

    @RockpoolListener(queue = "numbers", type = String.class)
    void numbers(List<Integer> batch) {
      numbers.add(batch);
    }

    @RockpoolListener(queue = "mails")
    void deliveries(List<Delivery<String>> batch) {
      if (batch.get(0).deliveries() == 1 && batch.size() == 3) {
        batch.get(0).acknowledge();
        throw new IllegalStateException("the others");
      }
      batch.forEach(delivery -> failed.add(delivery.message() + delivery.deliveries()));
    }
  }

  @Test
  void methodsHandleLists() {
    runner()
        .withPropertyValues(
            "texts.size=3",
            "texts.wait=1h",
            "rockpool.listener.auto-startup=false",
            "rockpool.queues.numbers.max-deliveries=1",
            "rockpool.queues.numbers.dead-letters=numbers-dead")
        .withBean(Batches.class)
        .run(
            context -> {
              Batches handled = context.getBean(Batches.class);
              RockpoolListeners listeners = context.getBean(RockpoolListeners.class);
              Rockpool pool = context.getBean(Rockpool.class);
              listeners.start();
              PersistentQueue<String> texts = pool.queue("texts", String.class);
              List.of("a", "b", "c").forEach(texts::send);
              await(() -> texts.size() == 0);
              assertThat(handled.texts).containsExactly(List.of("a", "b", "c"));
              listeners.stop();
              PersistentQueue<String> numbers = pool.queue("numbers", String.class);
              List.of("1", "two", "3").forEach(numbers::send);
              PersistentQueue<String> mails = pool.queue("mails", String.class);
              List.of("x", "y", "z").forEach(mails::send);
              listeners.start();
              await(() -> numbers.size() + mails.size() == 0);
              assertThat(handled.numbers).containsExactly(List.of(1, 3));
              assertThat(numbers.deadLetters().peek(3))
                  .extracting(letter -> letter.message())
                  .containsExactly("two");
              assertThat(handled.failed).containsExactlyInAnyOrder("y2", "z2");
            });
  }

  /** Options of batches, and takes none. */
  static class SingleWithBatchSize {
    @RockpoolListener(queue = "wrong", batchSize = "2")
    void handle(String one) {}
  }

  /** Has lists of what is not known. */
  static class RawList {
    @RockpoolListener(queue = "wrong")
    @SuppressWarnings("rawtypes")
    void handle(List batch) {}
  }

  @Test
  void wrongBatchesAreRefused() {
    runner()
        .withBean(SingleWithBatchSize.class)
        .run(
            context ->
                assertThat(context).getFailure().rootCause().hasMessageContaining("take a List"));
    runner()
        .withBean(RawList.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("takes messages of the type ?"));
  }

  @Test
  void anErrorOfAMethodIsTheCause() {
    runner()
        .withBean(Mails.class)
        .run(
            context -> {
              PersistentQueue<String> queue =
                  context.getBean(Rockpool.class).queue("mails", String.class);
              queue.send("error");
              await(() -> queue.deadLetters().size() == 1);
              assertThat(queue.deadLetters().peek(1).get(0).deadLetter().orElseThrow().cause())
                  .isEqualTo("java.lang.NoClassDefFoundError: error");
            });
  }

  @Test
  void anErrorHandlerDecides() {
    QueueErrorHandler rejecting = (delivery, failure) -> delivery.reject("never");
    runner()
        .withBean(Mails.class)
        .withBean(QueueErrorHandler.class, () -> rejecting)
        .run(
            context -> {
              PersistentQueue<String> queue =
                  context.getBean(Rockpool.class).queue("mails", String.class);
              queue.send("bad");
              await(() -> queue.deadLetters().size() == 1);
              assertThat(queue.deadLetters().peek(1).get(0).deadLetter().orElseThrow().deliveries())
                  .isEqualTo(1);
            });
  }

  /** Needs some time for a message. */
  static class Slow {
    final CountDownLatch started = new CountDownLatch(1);

    @RockpoolListener(queue = "slow")
    void handle(String text) throws InterruptedException {
      started.countDown();
      TimeUnit.MILLISECONDS.sleep(text.equals("long") ? 60_000 : 200);
    }
  }

  @Test
  void closingFinishesOrReturnsMessages() {
    for (String text : List.of("short", "long")) {
      runner()
          .withBean(Slow.class)
          .withPropertyValues(
              "rockpool.listener.shutdown-timeout=" + (text.equals("long") ? "1s" : "50s"))
          .run(
              context -> {
                context.getBean(Rockpool.class).queue("slow", String.class).send(text);
                context.getBean(Slow.class).started.await();
              });
      try (Rockpool pool = SuiteStores.open(directory.resolve("store"))) {
        PersistentQueue<String> queue = pool.queue("slow", String.class);
        assertThat(queue.size()).isEqualTo(text.equals("long") ? 1 : 0);
        queue.purge();
      }
    }
  }

  @Test
  void listenersNeedNotStart() {
    runner()
        .withBean(Mails.class)
        .withPropertyValues("rockpool.listener.auto-startup=false")
        .run(
            context -> {
              RockpoolListeners listeners = context.getBean(RockpoolListeners.class);
              assertThat(listeners.isRunning()).isFalse();
              PersistentQueue<String> queue =
                  context.getBean(Rockpool.class).queue("numbers", String.class);
              queue.send("1");
              assertThat(queue.receive(1, Duration.ofMillis(50))).hasSize(1);
              queue.purge();
              queue.send("2");
              listeners.start();
              await(() -> queue.size() == 0);
              assertThat(context.getBean(Mails.class).numbers).containsExactly(2);
            });
  }

  @Test
  void aLazyApplicationHasItsListeners() {
    runner()
        .withBean(Mails.class)
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(
            context -> {
              PersistentQueue<String> queue =
                  context.getBean(Rockpool.class).queue("mails", String.class);
              queue.send("hello");
              await(() -> queue.size() == 0);
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theListenersOfABeanThatIsMadeLaterStartThen(boolean inTransaction) {
    runner()
        .withBean(Mails.class, Mails::new, definition -> definition.setLazyInit(true))
        .run(
            context -> {
              PersistentQueue<String> queue =
                  context.getBean(Rockpool.class).queue("numbers", String.class);
              queue.send("1");
              assertThat(context.getBean(RockpoolListeners.class).isRunning()).isTrue();
              assertThat(queue.size()).isOne();
              Mails mails =
                  inTransaction
                      ? context
                          .getBean(Rockpool.class)
                          .atomically(t -> context.getBean(Mails.class))
                      : context.getBean(Mails.class);
              await(() -> queue.size() == 0);
              assertThat(mails.numbers).containsExactly(1);
              context.getBean(RockpoolListeners.class).stop();
              queue.send("2");
              context.getBean(RockpoolListeners.class).start();
              await(() -> queue.size() == 0);
              assertThat(mails.numbers).containsExactly(1, 2);
            });
  }

  @Test
  void aChildContextRunsItsListeners() {
    runner()
        .run(
            parent ->
                runner()
                    .withParent(parent)
                    .withBean(Mails.class)
                    .run(
                        context -> {
                          PersistentQueue<String> queue =
                              parent.getBean(Rockpool.class).queue("numbers", String.class);
                          queue.send("1");
                          await(() -> queue.size() == 0);
                          assertThat(context.getBean(Mails.class).numbers).containsExactly(1);
                        }));
  }

  /** A bean of a scope, behind a proxy. */
  @Configuration(proxyBeanMethods = false)
  static class Scoped {
    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Mails mails() {
      return new Mails();
    }
  }

  @Test
  void listenersOfBeansThatAreNoSingletonsAreRefused() {
    for (ApplicationContextRunner wrong :
        List.of(
            runner()
                .withBean(Mails.class, Mails::new, definition -> definition.setScope("prototype")),
            runner().withUserConfiguration(Scoped.class))) {
      wrong.run(
          context ->
              assertThat(context)
                  .getFailure()
                  .rootCause()
                  .hasMessageContaining("is not a singleton"));
    }
  }

  /** Its methods end when they are interrupted, and note when that was. */
  static class Hanging {
    final CountDownLatch started = new CountDownLatch(3);
    final List<Long> interrupted = new CopyOnWriteArrayList<>();
    final CountDownLatch ended = new CountDownLatch(3);

    @RockpoolListener(queue = "a")
    void a(String text) throws InterruptedException {
      hang();
    }

    @RockpoolListener(queue = "b")
    void b(String text) throws InterruptedException {
      hang();
    }

    @RockpoolListener(queue = "c")
    void c(String text) throws InterruptedException {
      hang();
    }

    private void hang() throws InterruptedException {
      started.countDown();
      try {
        new CountDownLatch(1).await();
      } finally {
        interrupted.add(System.nanoTime());
        ended.countDown();
      }
    }
  }

  @Test
  void allListenersStopAtTheSameTime() {
    runner()
        .withBean(Hanging.class)
        .withPropertyValues("rockpool.listener.shutdown-timeout=5s")
        .run(
            context -> {
              for (String queue : List.of("a", "b", "c")) {
                context.getBean(Rockpool.class).queue(queue, String.class).send("message");
              }
              Hanging hanging = context.getBean(Hanging.class);
              hanging.started.await();
              context.getBean(RockpoolListeners.class).stop();
              hanging.ended.await();
              assertThat(
                      Collections.max(hanging.interrupted) - Collections.min(hanging.interrupted))
                  .as("nanoseconds between the first and the last")
                  .isLessThan(TimeUnit.MILLISECONDS.toNanos(4_500));
            });
  }

  /** Its method has too many parameters. */
  static class Wrong {
    @RockpoolListener(queue = "wrong")
    void handle(String one, String other) {
      throw new AssertionError(one + other);
    }
  }

  @Test
  void aMethodThatCannotHandleMessagesIsRefused() {
    runner()
        .withBean(Wrong.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("has 2 parameters"));
  }

  @Test
  void aWrongValueIsRefusedWithItsName() {
    for (String wrong :
        List.of(
            "rockpool.listener.concurrency=0",
            "rockpool.listener.max-extension=-1s",
            "rockpool.listener.shutdown-timeout=-1s",
            "rockpool.queues.a.visibility-timeout=0s",
            "rockpool.queues.a.max-deliveries=0",
            "rockpool.queues.a.dead-letter-retention=0s",
            "rockpool.queues.a.backoff=-1s",
            "rockpool.queues.a.max-backoff=1s",
            "rockpool.queues.a.max-size=-1")) {
      runner()
          .withPropertyValues(wrong)
          .run(
              context ->
                  assertThat(context)
                      .getFailure()
                      .rootCause()
                      .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                      .hasMessageContaining(wrong.substring(0, wrong.indexOf('='))));
    }
  }

  @Test
  void withoutListenersTheStoreIsNotOpened() {
    runner()
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(directory.resolve("store")).doesNotExist();
            });
  }
}
