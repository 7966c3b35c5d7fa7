package io.rockpool.spring.queue;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.rockpool.queue.BatchHandler;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.SendOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observes sends of messages and calls of {@link RockpoolListener} methods. The trace of the sender
 * travels in headers of the message, such as {@code traceparent}, and the listener's span continues
 * it. Without a handler of observations, nothing is added to a message or a call. Thread-safe.
 *
 * <pre>{@code
 * observations.send(mails, new Mail("ann@example.org"), SendOptions.defaults());
 * }</pre>
 */
public final class QueueObservations {
  private static final String SEND = "rockpool.queue.send";
  private static final String PROCESS = "rockpool.queue.process";
  private static final String QUEUE = "queue";

  private final ObservationRegistry registry;

  /** Observations in a registry. Without Boot, make a bean of the registry for listeners too. */
  public QueueObservations(ObservationRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  /**
   * Sends a message within an observation, see {@link PersistentQueue#send(Object, SendOptions)}.
   * Headers of the trace replace those of the same name.
   *
   * @return the id of the message
   */
  public <T> long send(PersistentQueue<T> queue, T message, SendOptions options) {
    Objects.requireNonNull(options, "options");
    if (registry.isNoop()) {
      return queue.send(message, options);
    }
    SenderContext<Map<String, String>> context =
        new SenderContext<>((carrier, key, value) -> put(carrier, key, value), Kind.PRODUCER);
    Map<String, String> trace = new LinkedHashMap<>();
    context.setCarrier(trace);
    return observation(SEND, queue.name(), context)
        .<Long, RuntimeException>observeChecked(() -> queue.send(message, with(options, trace)));
  }

  private static void put(@Nullable Map<String, String> carrier, String key, String value) {
    if (carrier != null) {
      carrier.put(key, value);
    }
  }

  private static SendOptions with(SendOptions options, Map<String, String> headers) {
    SendOptions all = options;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      all = all.header(header.getKey(), header.getValue());
    }
    return all;
  }

  /** Handles messages within an observation. Only that of a single message continues its trace. */
  static void process(
      @Nullable ObservationRegistry registry,
      String queue,
      List<Delivery<Object>> batch,
      BatchHandler<Object> handler)
      throws Exception {
    if (registry == null || registry.isNoop()) {
      handler.handle(batch);
      return;
    }
    new QueueObservations(registry)
        .observation(PROCESS, queue, received(batch))
        .observeChecked(() -> handler.handle(batch));
  }

  private static Observation.Context received(List<Delivery<Object>> batch) {
    if (batch.size() > 1) {
      return new Observation.Context();
    }
    ReceiverContext<Delivery<?>> context =
        new ReceiverContext<>((delivery, key) -> delivery.headers().get(key), Kind.CONSUMER);
    context.setCarrier(batch.get(0));
    return context;
  }

  private Observation observation(String name, String queue, Observation.Context context) {
    return Observation.createNotStarted(name, () -> context, registry)
        .contextualName(queue + (name.equals(SEND) ? " send" : " process"))
        .lowCardinalityKeyValue(QUEUE, queue);
  }
}
