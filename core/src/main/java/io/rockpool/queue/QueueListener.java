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
    QueueWorker.Batches<T> batches =
        new QueueWorker.Batches<>(options.handler, options.batchSize, options.batchWait);
    for (int i = 0; i < options.concurrency; i++) {
      workers.add(new QueueWorker<>(options.queue, batches, options.onError, extender));
    }
  }

  /** Starts all threads. If one cannot be started, those that were are ended. */
  private void start(ThreadFactory threads) {
    boolean started = false;
    try {
      extender.start();
      workers.forEach(worker -> worker.start(threads));
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Prepares a listener; {@link Builder#start} starts it. */
  public static <T> Builder<T> on(PersistentQueue<T> queue, QueueHandler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    return new Builder<>(queue, batch -> handler.handle(batch.get(0)), false);
  }

  /**
   * Prepares a listener that handles several messages at once; {@link Builder#start} starts it.
   *
   * <pre>{@code
   * QueueListener.onBatches(mails, batch -> deliverAll(batch)).batchSize(100).start()
   * }</pre>
   */
  public static <T> Builder<T> onBatches(PersistentQueue<T> queue, BatchHandler<T> handler) {
    return new Builder<>(queue, handler, true);
  }

  /** The number of messages that are being handled. */
  public int running() {
    return workers.stream().mapToInt(QueueWorker::handling).sum();
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

    private static final int DEFAULT_BATCH_SIZE = 10;
    private static final int MAX_BATCH_SIZE = 1_000;

    private final PersistentQueue<T> queue;
    private final BatchHandler<T> handler;
    private final boolean inBatches;
    private int batchSize;
    private Duration batchWait = Duration.ZERO;
    private int concurrency = 1;
    private ThreadFactory threads;
    private Duration maxExtension = Duration.ofHours(1);
    private Duration shutdownTimeout = Duration.ofSeconds(30);
    private BiConsumer<Delivery<T>, Exception> onError =
        (delivery, exception) -> delivery.retry(exception.toString());

    private Builder(PersistentQueue<T> queue, BatchHandler<T> handler, boolean inBatches) {
      this.queue = Objects.requireNonNull(queue, "queue");
      this.handler = Objects.requireNonNull(handler, "handler");
      this.inBatches = inBatches;
      this.batchSize = inBatches ? DEFAULT_BATCH_SIZE : 1;
      this.threads = platformThreads(queue.name());
    }

    /**
     * Sets the most messages of a call of the handler. The default of {@link
     * QueueListener#onBatches} is 10. The messages of all threads are in memory.
     *
     * @throws IllegalArgumentException if it is not 1 to 1,000
     * @throws IllegalStateException if the listener handles single messages
     */
    public Builder<T> batchSize(int messages) {
      if (messages < 1 || messages > MAX_BATCH_SIZE) {
        throw new IllegalArgumentException(
            "batchSize is " + messages + "; give 1 to " + MAX_BATCH_SIZE + ".");
      }
      checkBatches("batchSize");
      batchSize = messages;
      return this;
    }

    /**
     * Sets how long a thread that has a message waits for more, until the batch is full. The leases
     * of those that it has are extended, which counts to {@link #maxExtension}. The default is
     * zero: a batch has what is ready.
     *
     * @throws IllegalArgumentException if it is negative
     * @throws IllegalStateException if the listener handles single messages
     */
    public Builder<T> batchWait(Duration longest) {
      if (longest.isNegative()) {
        throw new IllegalArgumentException("batchWait is " + longest + "; give zero or more.");
      }
      checkBatches("batchWait");
      batchWait = longest;
      return this;
    }

    private void checkBatches(String option) {
      if (!inBatches) {
        throw new IllegalStateException(
            option + " was set for a handler of single messages; use QueueListener.onBatches.");
      }
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
     * exception's text. If the action does not answer, the lease ends by itself. The exception of a
     * message's first delivery is logged as a warning, whatever the action.
     */
    public Builder<T> onError(BiConsumer<Delivery<T>, Exception> action) {
      onError = Objects.requireNonNull(action, "onError");
      return this;
    }

    /** Starts the threads. If one cannot be started, this throws why, and none is left. */
    public QueueListener<T> start() {
      QueueListener<T> listener = new QueueListener<>(this);
      listener.start(threads);
      return listener;
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
