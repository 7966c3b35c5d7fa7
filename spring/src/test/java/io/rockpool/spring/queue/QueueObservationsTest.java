package io.rockpool.spring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTraceContext;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.rockpool.Rockpool;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.boot.RockpoolAutoConfiguration;
import io.rockpool.spring.boot.RockpoolQueueAutoConfiguration;
import io.rockpool.testing.DocumentExamples;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Sends and deliveries are observed, and a trace continues from one to the other. */
@Timeout(60)
final class QueueObservationsTest {
  private static final String SEND = "rockpool.queue.send";
  private static final String PROCESS = "rockpool.queue.process";

  @TempDir private Path directory;

  /** In the order in which they ended. */
  private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

  private TestObservationRegistry registry() {
    TestObservationRegistry registry = TestObservationRegistry.create();
    registry.observationConfig().observationHandler(new Ended(ended));
    return registry;
  }

  private record Ended(List<Observation.Context> contexts)
      implements ObservationHandler<Observation.Context> {
    @Override
    public void onStop(Observation.Context context) {
      contexts.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }

  private List<Observation.Context> stopped(String name) {
    return ended.stream().filter(each -> name.equals(each.getName())).toList();
  }

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolQueueAutoConfiguration.class))
        .withPropertyValues(
            SuiteStores.property(directory.resolve("store")),
            "rockpool.queues.mails.max-deliveries=1",
            "rockpool.queues.mails.dead-letters=mails-dead")
        .withBean(Mails.class);
  }

  record Mail(String address) {}

  /** Keeps the headers, and the observation in whose scope it is called. */
  static class Mails {
    final List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
    final List<String> observations = new CopyOnWriteArrayList<>();
    final List<Integer> batches = new CopyOnWriteArrayList<>();
    final List<ObservationRegistry> registries = new CopyOnWriteArrayList<>();

    @RockpoolListener(queue = "mails")
    void mail(Delivery<Mail> delivery) {
      for (ObservationRegistry registry : registries) {
        Observation current = registry.getCurrentObservation();
        observations.add(current == null ? "none" : current.getContext().getName());
      }
      headers.add(delivery.headers());
      if (delivery.message().address().startsWith("bad")) {
        throw new IllegalArgumentException(delivery.message().address());
      }
    }

    @RockpoolListener(queue = "texts", batchSize = "2", batchWait = "1h")
    void texts(List<String> batch) {
      batches.add(batch.size());
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static void send(ApplicationContext context, Mail mail, SendOptions options)
      throws InterruptedException {
    PersistentQueue<Mail> mails = context.getBean(Rockpool.class).queue("mails", Mail.class);
    long id = context.getBean(QueueObservations.class).send(mails, mail, options);
    assertThat(id).isPositive();
    await(() -> mails.size() == 0);
  }

  @Test
  void sendsAndDeliveriesAreObserved() {
    TestObservationRegistry registry = registry();
    runner()
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              Mails handled = context.getBean(Mails.class);
              handled.registries.add(registry);
              SendOptions options = SendOptions.defaults().header("tenant", "a");
              send(context, new Mail("ann@example.org"), options);
              await(() -> stopped(PROCESS).size() == 1);
              assertThat(handled.headers).containsExactly(Map.of("tenant", "a"));
              assertThat(handled.observations).containsExactly(PROCESS);
              for (String name : List.of(SEND, PROCESS)) {
                TestObservationRegistryAssert.assertThat(registry)
                    .hasNumberOfObservationsWithNameEqualTo(name, 1)
                    .hasObservationWithNameEqualTo(name)
                    .that()
                    .hasBeenStarted()
                    .hasBeenStopped()
                    .hasOnlyKeys("queue")
                    .hasLowCardinalityKeyValue("queue", "mails")
                    .hasContextualNameEqualTo(
                        "mails" + name.substring(name.lastIndexOf('.')).replace('.', ' '))
                    .doesNotHaveError();
              }
            });
  }

  @Test
  void failuresAreErrorsOfTheirObservations() {
    TestObservationRegistry registry = registry();
    runner()
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              send(context, new Mail("bad"), SendOptions.defaults());
              await(() -> stopped(PROCESS).size() == 1);
              TestObservationRegistryAssert.assertThat(registry)
                  .hasObservationWithNameEqualTo(PROCESS)
                  .that()
                  .thenError()
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessage("bad");
              PersistentQueue<Mail> mails =
                  context.getBean(Rockpool.class).queue("mails", Mail.class);
              await(() -> mails.deadLetters().size() == 1);
              assertThat(mails.deadLetters().peek(1).get(0).deadLetter().orElseThrow().cause())
                  .isEqualTo("java.lang.IllegalArgumentException: bad");
              SendOptions refused = SendOptions.defaults().header("half", "\ud800");
              QueueObservations observations = context.getBean(QueueObservations.class);
              assertThatThrownBy(() -> observations.send(mails, new Mail("ann"), refused))
                  .isInstanceOf(IllegalArgumentException.class);
              assertThat(stopped(SEND).get(1).getError())
                  .isInstanceOf(IllegalArgumentException.class);
            });
  }

  @Test
  void aBatchIsOneObservation() {
    TestObservationRegistry registry = registry();
    runner()
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              PersistentQueue<String> texts =
                  context.getBean(Rockpool.class).queue("texts", String.class);
              texts.send("a");
              texts.send("b");
              await(() -> stopped(PROCESS).size() == 1);
              assertThat(context.getBean(Mails.class).batches).containsExactly(2);
              assertThat(ended).hasSize(1);
            });
  }

  @Test
  void aTraceContinuesAtTheListener() {
    SimpleTracer tracer = new SimpleTracer();
    ObservationRegistry registry = ObservationRegistry.create();
    OneHeader propagator = new OneHeader(tracer);
    registry
        .observationConfig()
        .observationHandler(new PropagatingSenderTracingObservationHandler<>(tracer, propagator))
        .observationHandler(new PropagatingReceiverTracingObservationHandler<>(tracer, propagator));
    runner()
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              SendOptions old = SendOptions.defaults().header(OneHeader.NAME, "old");
              send(context, new Mail("ann@example.org"), old);
              await(
                  () ->
                      tracer.getSpans().stream().filter(QueueObservationsTest::hasEnded).count()
                          == 2);
              SimpleSpan sent = tracer.getSpans().getFirst();
              SimpleSpan received = tracer.getSpans().getLast();
              assertThat(sent.getName()).isEqualTo("mails send");
              assertThat(sent.getKind()).isEqualTo(Span.Kind.PRODUCER);
              assertThat(received.getName()).isEqualTo("mails process");
              assertThat(received.getKind()).isEqualTo(Span.Kind.CONSUMER);
              assertThat(context.getBean(Mails.class).headers)
                  .containsExactly(Map.of(OneHeader.NAME, OneHeader.header(sent.context())));
              assertThat(received.context().traceId()).isEqualTo(sent.context().traceId());
              assertThat(received.context().parentId()).isEqualTo(sent.context().spanId());
            });
  }

  private static boolean hasEnded(SimpleSpan span) {
    return span.getEndTimestamp().toEpochMilli() > 0;
  }

  /** Propagates the ids of the trace and the span in one header. */
  private static final class OneHeader implements Propagator {
    static final String NAME = "traceparent";

    private final SimpleTracer tracer;

    OneHeader(SimpleTracer tracer) {
      this.tracer = tracer;
    }

    static String header(TraceContext context) {
      return context.traceId() + "-" + context.spanId();
    }

    @Override
    public List<String> fields() {
      return List.of(NAME);
    }

    @Override
    public <C> void inject(TraceContext context, C carrier, Setter<C> setter) {
      setter.set(carrier, NAME, header(context));
    }

    @Override
    public <C> Span.Builder extract(C carrier, Getter<C> getter) {
      SimpleTraceContext parent = new SimpleTraceContext();
      String[] ids = getter.get(carrier, NAME).split("-", 2);
      parent.setTraceId(ids[0]);
      parent.setSpanId(ids[1]);
      return tracer.spanBuilder().setParent(parent);
    }
  }

  @Test
  void withoutHandlersNothingIsObserved() {
    ObservationRegistry registry = ObservationRegistry.create();
    runner()
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              Mails handled = context.getBean(Mails.class);
              handled.registries.add(registry);
              send(context, new Mail("ann@example.org"), SendOptions.defaults());
              assertThat(handled.headers).containsExactly(Map.of());
              assertThat(handled.observations).containsExactly("none");
            });
    runner()
        .run(
            context -> {
              send(context, new Mail("bob@example.org"), SendOptions.defaults());
              assertThat(context.getBean(Mails.class).headers).containsExactly(Map.of());
            });
  }

  @Test
  void withoutHandlersNoObjectIsMade() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (ObservationRegistry registry :
        List.of(ObservationRegistry.NOOP, ObservationRegistry.create())) {
      int calls = 100_000;
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < calls; i++) {
        QueueObservations.process(registry, "mails", List.of(), batch -> {});
      }
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(calls);
    }
  }

  @Test
  void theExampleInTheJavadocRuns() throws Exception {
    TestObservationRegistry registry = registry();
    try (Rockpool pool = Rockpool.inMemory()) {
      PersistentQueue<Mail> mails = pool.queue("mails", Mail.class);
      QueueObservations observations = new QueueObservations(registry);
      // JAVADOC QueueObservations
      observations.send(mails, new Mail("ann@example.org"), SendOptions.defaults());

      // JAVADOC QueueObservations
      assertThat(mails.size()).isEqualTo(1);
      TestObservationRegistryAssert.assertThat(registry).hasObservationWithNameEqualTo(SEND);
    }
    DocumentExamples.assertInJavadoc(QueueObservations.class, QueueObservationsTest.class);
    DocumentExamples.assertIn(
        "docs/spring.md", "JAVADOC QueueObservations", QueueObservationsTest.class);
  }
}
