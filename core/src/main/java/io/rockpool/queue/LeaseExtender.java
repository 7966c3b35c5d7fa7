package io.rockpool.queue;

import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.logging.OutageLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Extends the leases of the messages that a listener handles, on one thread. */
final class LeaseExtender<T> {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseExtender.class);

  /** How often a lease is extended while it would last once. */
  private static final int TIMES_PER_LEASE = 3;

  private final PersistentQueue<T> queue;
  private final Duration timeout;
  private final long periodNanos;
  private final long mostExtensions;
  private final Set<Lease<T>> leases = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer;
  private final OutageLog outages;

  /** The outages that the listener's threads have met, which handle messages. */
  private final OutageLog outagesOfWorkers;

  /** A lease, and how often it was extended. */
  static final class Lease<T> {
    private final Delivery<T> delivery;
    private long extensions;

    private Lease(Delivery<T> delivery) {
      this.delivery = delivery;
    }
  }

  LeaseExtender(PersistentQueue<T> queue, Duration max) {
    this.queue = queue;
    this.timeout = queue.visibilityTimeout();
    this.periodNanos = Math.max(1, Durations.nanos(timeout) / TIMES_PER_LEASE);
    this.mostExtensions = Durations.nanos(max) / periodNanos;
    this.outages =
        new OutageLog(LOG, "The extension of leases of the queue \"" + queue.name() + "\"");
    this.outagesOfWorkers =
        new OutageLog(LOG, "The listener of the queue \"" + queue.name() + "\"");
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "rockpool-queue-" + queue.name() + "-leases");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts the thread, if leases are extended at all. */
  void start() {
    if (mostExtensions > 0) {
      Object unused =
          timer.scheduleAtFixedRate(
              this::extendAll, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    }
  }

  OutageLog outagesOfWorkers() {
    return outagesOfWorkers;
  }

  Lease<T> add(Delivery<T> delivery) {
    Lease<T> lease = new Lease<>(delivery);
    leases.add(lease);
    return lease;
  }

  void remove(Lease<T> lease) {
    leases.remove(lease);
  }

  private void extendAll() {
    if (queue.isClosed()) {
      timer.shutdown();
      return;
    }
    leases.removeIf(lease -> !extend(lease));
  }

  /** Returns whether to extend the lease again. */
  private boolean extend(Lease<T> lease) {
    try {
      boolean extended = lease.extensions++ < mostExtensions && lease.delivery.extend(timeout);
      outages.succeeded();
      return extended;
    } catch (RuntimeException | Error e) {
      if (!outages.failed(e)) {
        LOG.warn("A lease of the queue \"{}\" could not be extended.", queue.name(), e);
      }
      return true;
    }
  }

  void close() {
    timer.shutdownNow();
  }
}
