package io.rockpool.queue;

import io.rockpool.internal.concurrent.Durations;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Threads that receive the messages of a queue and handle them. Thread-safe.
 *
 * <pre>{@code
 * try (QueueListener<Mail> listener =
 *     QueueListener.on(mails, delivery -> deliver(delivery.message())).concurrency(4).start()) {
 *   …
 * }
 * }</pre>
 *
 * <p>While a handler runs, the listener extends the lease of its message, up to {@link
 * Builder#maxExtension}. Closing the listener lets running handlers finish, and then returns what
 * they have not answered, which does not count as a delivery. The threads also end when the store
 * is closed, and with a warning in the log when the queue is dropped. A handler that meets another
 * name that was dropped has failed like any other.
 *
 * @param <T> the type of messages
 */
public final class QueueListener<T> implements AutoCloseable {
  private final List<QueueWorker<T>> workers = new ArrayList<>();
  private final LeaseExtender<T> extender;
  private final Duration shutdownTimeout;

  private QueueListener(Builder<T> options) {
    this.shutdownTimeout = options.shutdownTimeout;
    this.extender = new LeaseExtender<>(options.queue, options.maxExtension);
    for (int i = 0; i < options.concurrency; i++) {
      workers.add(new QueueWorker<>(options.queue, options.handler, options.onError, extender));
    }
    extender.start();
    workers.forEach(worker -> worker.start(options.threads));
  }

  /** Prepares a listener; {@link Builder#start} starts it. */
  public static <T> Builder<T> on(PersistentQueue<T> queue, QueueHandler<T> handler) {
    return new Builder<>(queue, handler);
  }

  /** The number of messages that are being handled. */
  public int running() {
    return (int) workers.stream().filter(QueueWorker::isHandling).count();
  }

  /** Whether no thread of the listener is alive. */
  public boolean isEnded() {
    return workers.stream().noneMatch(QueueWorker::isAlive);
  }

  /**
   * Stops receiving, and waits until the running handlers have ended. After the {@link
   * Builder#shutdownTimeout} it returns the messages that were not answered, as {@link
   * Delivery#releaseUncounted} does, and interrupts their handlers. A second call does nothing.
   */
  @Override
  public void close() {
    closeAll(List.of(this));
  }

  /**
   * Closes several listeners as {@link #close} does, at the same time: all stop receiving, and the
   * {@link Builder#shutdownTimeout} of each counts from now.
   */
  public static void closeAll(Collection<? extends QueueListener<?>> listeners) {
    for (QueueListener<?> listener : listeners) {
      listener.workers.forEach(QueueWorker::stop);
    }
    boolean interrupted = false;
    try {
      long waitedNanos = 0;
      for (QueueListener<?> listener : listeners) {
        waitedNanos = listener.awaitWorkers(waitedNanos);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    for (QueueListener<?> listener : listeners) {
      listener.workers.forEach(QueueWorker::abandon);
      listener.extender.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns for how long the thread has waited at all. */
  private long awaitWorkers(long waitedNanos) throws InterruptedException {
    long timeout = Durations.nanos(shutdownTimeout);
    long left = timeout - waitedNanos;
    for (QueueWorker<T> worker : workers) {
      left = worker.await(left);
    }
    return timeout - left;
  }

  /**
   * How a listener works. Not thread-safe.
   *
   * @param <T> the type of messages
   */
  public static final class Builder<T> {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private final PersistentQueue<T> queue;
    private final QueueHandler<T> handler;
    private int concurrency = 1;
    private ThreadFactory threads;
    private Duration maxExtension = Duration.ofHours(1);
    private Duration shutdownTimeout = Duration.ofSeconds(30);
    private BiConsumer<Delivery<T>, Exception> onError =
        (delivery, exception) -> delivery.retry(exception.toString());

    private Builder(PersistentQueue<T> queue, QueueHandler<T> handler) {
      this.queue = Objects.requireNonNull(queue, "queue");
      this.handler = Objects.requireNonNull(handler, "handler");
      this.threads = platformThreads(queue.name());
    }

    /**
     * Sets how many threads receive and handle messages. The default is 1.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder<T> concurrency(int handlers) {
      if (handlers < 1) {
        throw new IllegalArgumentException("concurrency is " + handlers + "; give 1 or more.");
      }
      concurrency = handlers;
      return this;
    }

    /** Sets what creates the threads. The default creates daemon threads. */
    public Builder<T> threads(ThreadFactory factory) {
      threads = Objects.requireNonNull(factory, "threads");
      return this;
    }

    /**
     * Handles messages on virtual threads.
     *
     * @throws UnsupportedOperationException before Java 21
     */
    public Builder<T> virtualThreads() {
      if (Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
        throw new UnsupportedOperationException(
            "Java " + Runtime.version().feature() + " has no virtual threads; use Java 21.");
      }
      try {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        threads = (ThreadFactory) type.getMethod("factory").invoke(builder);
        return this;
      } catch (ReflectiveOperationException e) {
        throw new UnsupportedOperationException(
            "Virtual threads could not be created; use Java 21 without preview features.",
            e instanceof InvocationTargetException ? e.getCause() : e);
      }
    }

    /**
     * Sets for how long leases are extended while a handler runs. After it the lease ends, and the
     * message is delivered again. The default is 1 hour; zero extends no lease.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder<T> maxExtension(Duration max) {
      if (max.isNegative()) {
        throw new IllegalArgumentException("maxExtension is " + max + "; give zero or more.");
      }
      maxExtension = max;
      return this;
    }

    /** Sets how long {@link #close} waits for running handlers. The default is 30 seconds. */
    public Builder<T> shutdownTimeout(Duration timeout) {
      shutdownTimeout = Objects.requireNonNull(timeout, "shutdownTimeout");
      return this;
    }

    /**
     * Sets what happens if a handler throws. The default is {@link Delivery#retry} with the
     * exception's text. If the action does not answer, the lease ends by itself.
     */
    public Builder<T> onError(BiConsumer<Delivery<T>, Exception> action) {
      onError = Objects.requireNonNull(action, "onError");
      return this;
    }

    /** Starts the threads. */
    public QueueListener<T> start() {
      return new QueueListener<>(this);
    }

    private static ThreadFactory platformThreads(String queue) {
      AtomicInteger count = new AtomicInteger();
      return work -> {
        Thread thread = new Thread(work, "rockpool-queue-" + queue + "-" + count.getAndIncrement());
        thread.setDaemon(true);
        return thread;
      };
    }
  }
}
