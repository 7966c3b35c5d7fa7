package io.rockpool.queue;

import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.logging.ClosedWithStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a listener: receives a batch of messages, handles it, and so on. */
final class QueueWorker<T> {
  private static final Logger LOG = LoggerFactory.getLogger(QueueWorker.class);

  /** What handles batches, the size of a full one, and how long a batch waits to be full. */
  record Batches<T>(BatchHandler<T> handler, int size, Duration longestWait) {}

  /** How long a receiver waits at a time; a commit wakes it before. */
  private static final Duration WAIT = Duration.ofMinutes(1);

  /** How long a worker rests after an error of the store. */
  private static final long REST_SECONDS = 1;

  /** The step in which {@link #await} counts time. */
  private static final long STEP_MILLIS = 10;

  private final PersistentQueue<T> queue;
  private final BatchHandler<T> handler;
  private final int batchSize;
  private final long batchWaitNanos;
  private final BiConsumer<Delivery<T>, Exception> onError;
  private final LeaseExtender<T> extender;
  private volatile boolean stopped;
  private volatile List<Delivery<T>> handled = List.of();

  /** What was handled and is not acknowledged yet. */
  private final List<Delivery<T>> finished = new ArrayList<>(1);

  /** Of what was received and is not answered yet. */
  private final List<LeaseExtender.Lease<T>> leases = new ArrayList<>(1);

  private boolean receiving;
  private @Nullable Thread thread;

  QueueWorker(
      PersistentQueue<T> queue,
      Batches<T> batches,
      BiConsumer<Delivery<T>, Exception> onError,
      LeaseExtender<T> extender) {
    this.queue = queue;
    this.handler = batches.handler();
    this.batchSize = batches.size();
    this.batchWaitNanos = Durations.nanos(batches.longestWait());
    this.onError = onError;
    this.extender = extender;
  }

  synchronized void start(ThreadFactory threads) {
    Thread created =
        Objects.requireNonNull(threads.newThread(this::work), "The factory returned no thread.");
    created.start();
    thread = created;
  }

  /** The number of messages that are being handled. */
  int handling() {
    return handled.size();
  }

  synchronized boolean isAlive() {
    return thread != null && thread.isAlive();
  }

  private void work() {
    try {
      while (receiving(true)) {
        List<Delivery<T>> received = receive();
        if (!receiving(false)) {
          received.forEach(this::giveBack);
        } else if (!received.isEmpty()) {
          handle(received);
        }
        leases.forEach(extender::remove);
        leases.clear();
      }
      acknowledgeFinished();
    } catch (StoreClosedException e) {
      String message = "The listener of the queue \"{}\" ends: {}";
      if (stopped || (queue instanceof ClosedWithStore closed && closed.isClosedWithStore())) {
        LOG.debug(message, queue.name(), e.getMessage());
      } else {
        LOG.warn(message, queue.name(), e.getMessage());
      }
    }
  }

  /**
   * Throws an exception if it says that the queue itself has ended. The code of users also meets
   * other names that were dropped, and dead letters go to one.
   */
  private void throwIfEnded(Throwable e) {
    if (e instanceof StoreClosedException closed && hasEnded()) {
      throw closed;
    }
  }

  private boolean hasEnded() {
    try {
      return queue.isClosed() || queue.size() < 0; // another process may have dropped it just now
    } catch (StoreClosedException e) {
      return true;
    } catch (RuntimeException e) {
      return false; // it cannot be read at present
    }
  }

  /** Begins or ends receiving, which {@link #stop} interrupts; returns whether to go on. */
  private synchronized boolean receiving(boolean value) {
    receiving = value && !stopped;
    if (!value) {
      Thread.interrupted(); // it was for the wait
    }
    return !stopped;
  }

  /** Acknowledges what was handled, and receives the next batch. */
  private List<Delivery<T>> receive() {
    List<Delivery<T>> done = List.copyOf(finished);
    try {
      List<Delivery<T>> received = queue.acknowledgeAndReceive(done, batchSize, WAIT);
      finished.clear();
      extender.outagesOfWorkers().succeeded();
      return received.isEmpty() ? received : filled(received);
    } catch (InterruptedException e) {
      return List.of();
    } catch (RuntimeException | Error e) {
      throwIfEnded(e);
      warn("The queue \"{}\" could not be read; trying again.", e);
      acknowledgeFinished();
      rest();
      return List.of();
    }
  }

  /** Waits until the batch is full, or no longer. The leases of its messages are extended. */
  private List<Delivery<T>> filled(List<Delivery<T>> received) {
    List<Delivery<T>> batch = new ArrayList<>(received);
    extendLeases(received);
    long start = System.nanoTime();
    long left = batchWaitNanos;
    try {
      while (batch.size() < batchSize && left > 0) {
        List<Delivery<T>> more = queue.receive(batchSize - batch.size(), Duration.ofNanos(left));
        extendLeases(more);
        batch.addAll(more);
        left = batchWaitNanos - (System.nanoTime() - start);
      }
    } catch (InterruptedException e) {
      LOG.debug("A batch of the queue \"{}\" was interrupted.", queue.name());
    } catch (RuntimeException | Error e) {
      throwIfEnded(e);
      warn("The queue \"{}\" could not be read; its batch is not full.", e);
    }
    return Collections.unmodifiableList(batch);
  }

  private void extendLeases(List<Delivery<T>> received) {
    received.forEach(delivery -> leases.add(extender.add(delivery)));
  }

  /** Acknowledges what was handled, which is also possible while nothing can be received. */
  private void acknowledgeFinished() {
    try {
      finished.forEach(Delivery::acknowledge);
      finished.clear();
    } catch (RuntimeException | Error e) {
      throwIfEnded(e);
      warn("A message of the queue \"{}\" could not be acknowledged.", e);
    }
  }

  private void warn(String message, Throwable e) {
    if (!extender.outagesOfWorkers().failed(e)) {
      LOG.warn(message, queue.name(), e);
    }
  }

  private void rest() {
    try {
      TimeUnit.SECONDS.sleep(REST_SECONDS);
    } catch (InterruptedException e) {
      LOG.debug("The listener of the queue \"{}\" was stopped.", queue.name());
    }
  }

  private void handle(List<Delivery<T>> batch) {
    handled = batch;
    try {
      handler.handle(batch);
      finished.addAll(batch);
    } catch (Exception e) {
      throwIfEnded(e);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      fail(batch, e, delivery -> onError.accept(delivery, e));
    } catch (Error e) { // the thread continues, as after an exception
      LOG.error("A handler of the queue \"{}\" failed; its message is retried.", queue.name(), e);
      fail(batch, e, delivery -> delivery.retry(e.toString()));
    } finally {
      handled = List.of();
    }
  }

  /** Answers what the handler has not answered. It is asked for a batch only: it costs a read. */
  private void fail(List<Delivery<T>> batch, Throwable failure, Consumer<Delivery<T>> decision) {
    String message = "{} of the queue \"{}\" could not be handled.";
    if (batch.stream().anyMatch(delivery -> delivery.deliveries() == 1)) {
      LOG.warn(message, batch, queue.name(), failure);
    } else {
      LOG.debug(message, batch, queue.name(), failure);
    }
    for (Delivery<T> delivery : batch) {
      answer(
          delivery,
          failure,
          () -> {
            if (batch.size() == 1 || !delivery.isEnded()) {
              decision.accept(delivery);
            }
          });
    }
  }

  /** Also a checked exception or an error of {@code onError} must not end the thread. */
  private void answer(Delivery<T> delivery, Throwable failure, Runnable answer) {
    try {
      answer.run();
    } catch (Throwable e) {
      throwIfEnded(e);
      if (e != failure) {
        e.addSuppressed(failure);
      }
      if (!extender.outagesOfWorkers().failed(e)) {
        LOG.warn(
            "{} of the queue \"{}\" could not be handled, nor could its error. It is delivered again"
                + " when its lease ends.",
            delivery,
            queue.name(),
            e);
      }
    }
  }

  /** Lets the thread end after the batch that it handles. */
  synchronized void stop() {
    stopped = true;
    if (receiving && thread != null) {
      thread.interrupt();
    }
  }

  /** Waits for the end of the thread; returns how many of the nanoseconds are left. */
  long await(long nanos) throws InterruptedException {
    Thread waitedFor;
    synchronized (this) {
      waitedFor = thread;
    }
    if (waitedFor == null || waitedFor.equals(Thread.currentThread())) {
      return nanos;
    }
    long left = nanos;
    while (waitedFor.isAlive() && left > 0) {
      long millis = Math.min(STEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1);
      waitedFor.join(millis);
      left -= TimeUnit.MILLISECONDS.toNanos(millis);
    }
    return left;
  }

  /** Returns the messages of a handler that has not ended, and interrupts it. */
  synchronized void abandon() {
    List<Delivery<T>> unfinished = handled;
    if (!unfinished.isEmpty() && thread != null && !thread.equals(Thread.currentThread())) {
      unfinished.forEach(this::giveBack);
      thread.interrupt();
    }
  }

  /** Returns a message that is not handled because the listener ends, which is no delivery. */
  private void giveBack(Delivery<T> delivery) {
    try {
      delivery.releaseUncounted();
    } catch (StoreClosedException e) {
      LOG.debug("The queue \"{}\" is closed; its leases end with it.", queue.name());
    } catch (RuntimeException e) {
      if (!extender.outagesOfWorkers().failed(e)) {
        LOG.warn(
            "{} of the queue \"{}\" could not be returned. It is delivered again when its lease"
                + " ends.",
            delivery,
            queue.name(),
            e);
      }
    }
  }
}
