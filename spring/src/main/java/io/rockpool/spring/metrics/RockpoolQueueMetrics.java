package io.rockpool.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueStatistics;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of a queue, with the tag {@code queue}, each read on request:
 *
 * <ul>
 *   <li>{@code rockpool.queue.depth}: messages that are ready or delayed; {@code
 *       rockpool.queue.inflight}: messages that a consumer has
 *   <li>{@code rockpool.queue.oldest}: the age of the oldest message that is ready
 *   <li>{@code rockpool.queue.sent}, {@code rockpool.queue.delivered}, {@code
 *       rockpool.queue.redelivered}, {@code rockpool.queue.acknowledged} and {@code
 *       rockpool.queue.dead}: what happened since the queue was opened
 *   <li>{@code rockpool.queue.paused}: 1 while it is paused
 * </ul>
 *
 * <p>Once the queue is closed, its gauges are NaN and its counters keep their values.
 */
public final class RockpoolQueueMetrics implements MeterBinder {
  private final PersistentQueue<?> queue;
  private final Tags tags;

  /** The metrics of a queue. */
  public RockpoolQueueMetrics(PersistentQueue<?> queue, Iterable<Tag> tags) {
    this.queue = Objects.requireNonNull(queue, "queue");
    this.tags = Tags.of(tags).and("queue", queue.name());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "depth", "Messages that are ready or delayed", QueueStatistics::depth);
    gauge(registry, "inflight", "Messages that a consumer has", QueueStatistics::inFlight);
    gauge(registry, "paused", "1 while nothing is delivered", all -> all.paused() ? 1 : 0);
    TimeGauge.builder(
            "rockpool.queue.oldest",
            queue,
            TimeUnit.MILLISECONDS,
            of(all -> all.oldestAge().toMillis()))
        .description("The age of the oldest message that is ready")
        .tags(tags)
        .register(registry);
    counter(registry, "sent", "Messages that were sent", QueueStatistics::sent);
    counter(registry, "delivered", "Deliveries", QueueStatistics::delivered);
    counter(
        registry,
        "redelivered",
        "Deliveries of messages that had been delivered before",
        QueueStatistics::redelivered);
    counter(registry, "acknowledged", "Messages that were handled", QueueStatistics::acknowledged);
    counter(registry, "dead", "Messages that were given up", QueueStatistics::dead);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<QueueStatistics> value) {
    Gauge.builder("rockpool.queue." + name, queue, of(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<QueueStatistics> value) {
    FunctionCounter.builder("rockpool.queue." + name, queue, of(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private static ToDoubleFunction<PersistentQueue<?>> of(ToDoubleFunction<QueueStatistics> value) {
    return each -> each.isClosed() ? Double.NaN : value.applyAsDouble(each.statistics());
  }
}
