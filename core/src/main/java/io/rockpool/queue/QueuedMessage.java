package io.rockpool.queue;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message of a queue, as it was when it was read. Thread-safe.
 *
 * @param <T> the type of messages
 */
public interface QueuedMessage<T> {
  /** Its id: unique in its queue, ascending in the order of sending, also after a purge. */
  long id();

  /**
   * The message. The first call decodes it; later calls return the same instance.
   *
   * @throws io.rockpool.error.UndecodableValueException if its class has changed so that it cannot
   *     be decoded; never thrown by a {@link Delivery}
   */
  T message();

  /** When it was sent. */
  Instant sent();

  /** How often it was delivered, this delivery included. */
  int deliveries();

  /** Its priority. */
  int priority();

  /** Its group, if it has one. */
  Optional<String> group();

  /** Its headers, in the order in which they were set. */
  Map<String, String> headers();

  /** Why it is a dead letter, if it is one. */
  Optional<DeadLetter> deadLetter();
}
