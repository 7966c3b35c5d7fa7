package io.rockpool.queue;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that one consumer has until its lease ends. Thread-safe.
 *
 * <p>Exactly one of {@link #acknowledge}, {@link #release}, {@link #releaseUncounted}, {@link
 * #retry} and {@link #reject} can succeed. Each returns false, and changes nothing, if the lease
 * has ended: because of time, because another of these calls has succeeded, because the store was
 * opened again, or because the queue was purged. Each is atomic, costs two reads and one write, has
 * the durability of the queue, and joins {@link io.rockpool.Rockpool#atomically}.
 *
 * @param <T> the type of messages
 */
public interface Delivery<T> extends QueuedMessage<T> {
  /** When the lease ends, unless {@link #extend} was called since. */
  Instant leasedUntil();

  /**
   * Removes the message from the queue: it has been handled.
   *
   * @return false if the lease has ended; then the message is, or was, delivered again
   */
  boolean acknowledge();

  /**
   * Returns the message to the queue, ready at once.
   *
   * @return false if the lease has ended
   */
  default boolean release() {
    return release(Duration.ZERO);
  }

  /**
   * Returns the message to the queue, ready after a delay. After the maximum number of deliveries
   * it becomes a dead letter instead.
   *
   * @return false if the lease has ended
   */
  boolean release(Duration delay);

  /**
   * Returns the message to the queue, ready at once, as if it had not been delivered: this delivery
   * does not count. For a consumer that ends before it has handled the message.
   *
   * @return false if the lease has ended
   */
  boolean releaseUncounted();

  /**
   * Returns the message to the queue after a failure, ready after the {@link QueueOptions#backoff}.
   * After the maximum number of deliveries it becomes a dead letter instead.
   *
   * @param cause why it could not be handled, for its dead letter; cut after 1,000 characters; null
   *     for no text, as an exception without a message has
   * @return false if the lease has ended
   */
  boolean retry(@Nullable String cause);

  /**
   * Gives the message up: it becomes a dead letter, or is removed if the queue keeps none.
   *
   * @param cause why; cut after 1,000 characters; null for no text
   * @return false if the lease has ended
   */
  boolean reject(@Nullable String cause);

  /**
   * Lets the lease end a duration from now, earlier or later than before.
   *
   * @return false if the lease has ended
   * @throws IllegalArgumentException if the duration is not positive
   */
  boolean extend(Duration fromNow);

  /** Whether the lease has ended, or one of the calls above has succeeded. One or two reads. */
  boolean isEnded();
}
