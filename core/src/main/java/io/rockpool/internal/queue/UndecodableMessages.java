package io.rockpool.internal.queue;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.queue.Backoff;
import io.rockpool.queue.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets messages aside that cannot be decoded, before a consumer has them: so none blocks others.
 */
final class UndecodableMessages<T> {
  private static final Logger LOG = LoggerFactory.getLogger(UndecodableMessages.class);

  /** How long such a message waits in a queue without dead letters: a class may come back. */
  private static final Backoff WAITS =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10));

  /** Each message may be one: in this time, each queue logs one line. */
  private static final long MILLIS_PER_LINE = 10_000;

  private final QueueStore store;
  private final MessageCodec<T> codec;
  private final AtomicLong loggedMillis = new AtomicLong(Long.MIN_VALUE);
  private volatile Predicate<Taken> isDropped = taken -> false;

  UndecodableMessages(QueueStore store, MessageCodec<T> codec) {
    this.store = store;
    this.codec = codec;
  }

  /** Sets which are removed by a queue without dead letters. */
  void dropIf(Predicate<Taken> filter) {
    isDropped = filter;
  }

  /** The deliveries of those messages that can be decoded; sets the others aside. */
  List<Delivery<T>> decodable(List<Taken> taken) {
    List<Delivery<T>> deliveries = new ArrayList<>(taken.size());
    for (Taken one : taken) {
      LeasedDelivery<T> delivery = new LeasedDelivery<>(store, codec, one);
      try {
        Object unused = delivery.message();
        deliveries.add(delivery);
      } catch (UndecodableValueException e) {
        setAside(one, e);
      }
    }
    return deliveries;
  }

  private void setAside(Taken taken, UndecodableValueException e) {
    if (store.keepsDead()) {
      log("It becomes a dead letter.", e);
      store.reject(taken, e.toString());
    } else if (isDropped.test(taken)) {
      log("It is removed: the next firing of the timer has the same content.", e);
      store.reject(taken, e.toString());
    } else {
      Duration wait = WAITS.after(taken.attempts().deliveries());
      log("It is tried again after " + wait + ". Give the queue dead letters, to set it aside.", e);
      store.release(taken, wait, e.toString());
    }
  }

  private void log(String effect, UndecodableValueException e) {
    long now = store.space().nowMillis();
    long last = loggedMillis.get();
    boolean isQuiet = now >= last && now < last + MILLIS_PER_LINE;
    if (!isQuiet && loggedMillis.compareAndSet(last, now)) {
      LOG.warn("{} {}", e.getMessage(), effect);
    }
  }
}
