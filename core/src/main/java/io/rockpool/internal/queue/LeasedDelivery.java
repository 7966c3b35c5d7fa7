package io.rockpool.internal.queue;

import io.rockpool.internal.concurrent.Durations;
import io.rockpool.queue.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message that a consumer has. Its lease is in the store only. */
final class LeasedDelivery<T> extends StoredMessage<T> implements Delivery<T> {
  private final QueueStore store;

  LeasedDelivery(QueueStore store, MessageCodec<T> codec, Taken taken) {
    super(codec, taken);
    this.store = store;
  }

  /** Whether the lease is in a queue. */
  boolean isOf(QueueStore other) {
    return store.equals(other);
  }

  @Override
  public Instant leasedUntil() {
    return Instant.ofEpochMilli(taken().attempts().dueMillis());
  }

  @Override
  public boolean acknowledge() {
    return store.acknowledge(Collections.singletonList(taken()));
  }

  @Override
  public boolean release(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay is " + delay + "; give zero or more.");
    }
    return store.release(taken(), delay, taken().attempts().cause());
  }

  @Override
  public boolean releaseUncounted() {
    return store.releaseUncounted(taken());
  }

  @Override
  public boolean retry(@Nullable String cause) {
    return store.retry(taken(), Objects.requireNonNullElse(cause, ""));
  }

  @Override
  public boolean reject(@Nullable String cause) {
    return store.reject(taken(), Objects.requireNonNullElse(cause, ""));
  }

  @Override
  public boolean extend(Duration fromNow) {
    if (Durations.millis(fromNow) < 1) {
      throw new IllegalArgumentException(
          "A lease was extended by " + fromNow + "; give 1 millisecond or more.");
    }
    return store.extend(taken(), fromNow);
  }

  @Override
  public boolean isEnded() {
    return !store.isHeld(taken());
  }
}
