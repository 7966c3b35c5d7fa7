package io.rockpool.sample.outbox;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import java.util.Map;

/**
 * The other side, with a store of its own: what it does for a message, it does in the transaction
 * in which it notes the number, and so once, however often the message is sent.
 */
final class Receiver {
  private final Rockpool pool;
  private final PersistentMap<Long, Message> received;
  private final PersistentCounter revenueCents;
  private final PersistentCounter repeated;

  /** Opens the receiver of a store. */
  Receiver(Rockpool pool) {
    this.pool = pool;
    received = pool.map("received", Long.class, Message.class);
    revenueCents = pool.counter("revenue-cents");
    repeated = pool.counter("repeated");
  }

  /**
   * Receives a message.
   *
   * @return whether it came for the first time; if not, nothing but this is noted
   */
  boolean receive(Message message) {
    return pool.atomically(
        tx -> {
          boolean first = received.putIfAbsent(message.number(), message) == null;
          if (first) {
            revenueCents.addAndGet(message.totalCents());
          } else {
            repeated.incrementAndGet();
          }
          return first;
        });
  }

  /** The messages, by their orders' numbers. */
  Map<Long, Message> received() {
    return received;
  }

  /** What all orders cost together, in cents. */
  long revenueCents() {
    return revenueCents.get();
  }

  /** How many messages came again. */
  long repeated() {
    return repeated.get();
  }
}
