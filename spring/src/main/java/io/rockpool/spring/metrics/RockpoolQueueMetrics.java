package io.rockpool.spring.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.queue.QueueStatistics;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a queue, with the tag {@code queue}, read on request, together and at most twice a
 * second:
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
 * <p>Once the queue is closed, and while its server is away, its gauges are NaN and its counters
 * keep their values. After a read that failed, the server is not asked for as long as that took.
 */
public final class RockpoolQueueMetrics implements MeterBinder {
  /** One reading is for all meters. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final PersistentQueue<?> queue;
  private final Tags tags;
  private final Reading reading = new Reading();

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
            reading.now(all -> all.oldestAge().toMillis()))
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
    Gauge.builder("rockpool.queue." + name, queue, reading.now(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<QueueStatistics> value) {
    FunctionCounter.builder("rockpool.queue." + name, queue, reading.last(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** The statistics as last read. Does not keep the queue from being collected. */
  private static final class Reading {
    private @Nullable QueueStatistics last;
    private boolean isCurrent;
    private long againNanos = System.nanoTime();

    /** Reads a number, or NaN. */
    ToDoubleFunction<PersistentQueue<?>> now(ToDoubleFunction<QueueStatistics> number) {
      return queue -> read(queue) ? last(number, Double.NaN) : Double.NaN;
    }

    /** Reads a number, or the last one. */
    ToDoubleFunction<PersistentQueue<?>> last(ToDoubleFunction<QueueStatistics> number) {
      return queue -> {
        boolean unused = read(queue);
        return last(number, 0);
      };
    }

    private synchronized double last(ToDoubleFunction<QueueStatistics> number, double unread) {
      return last == null ? unread : number.applyAsDouble(last);
    }

    private synchronized boolean read(PersistentQueue<?> queue) {
      if (queue.isClosed()) {
        isCurrent = false;
      } else if (System.nanoTime() - againNanos >= 0) {
        long begun = System.nanoTime();
        try {
          last = queue.statistics();
          isCurrent = true;
        } catch (IllegalStateException | ServerUnavailableException e) {
          isCurrent = false; // it was closed just now, or its server is away
        }
        long now = System.nanoTime();
        againNanos = now + Math.max(FRESH_NANOS, isCurrent ? 0 : now - begun);
      }
      return isCurrent;
    }
  }
}
