package io.rockpool.sample.outbox;

import io.rockpool.Rockpool;
import io.rockpool.queue.Backoff;
import io.rockpool.queue.Delivery;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentMap;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Takes orders, and puts a mail for each into the outbox. */
final class Shop {
  private final Rockpool pool;
  private final PersistentCounter numbers;
  private final PersistentMap<Long, Order> orders;
  private final PersistentQueue<Mail> mails;

  Shop(Rockpool pool) {
    this.pool = pool;
    numbers = pool.counter("shop/numbers");
    orders = pool.map("shop/orders", Long.class, Order.class);
    mails =
        pool.queue(
            "shop/mails",
            Mail.class,
            o ->
                o.backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2)))
                    .maxDeliveries(100)
                    .deadLetters("shop/dead-mails"));
  }

  /** Takes an order: it and its mail are there, or neither. */
  Order place(String customer, long totalCents) {
    return pool.atomically(
        tx -> {
          Order order = new Order(numbers.incrementAndGet(), customer, totalCents, false);
          orders.put(order.number(), order);
          mails.send(Mail.confirming(order));
          return order;
        });
  }

  /** The outbox. */
  PersistentQueue<Mail> mails() {
    return mails;
  }

  /** The mails that were given up. */
  PersistentQueue<Mail> deadMails() {
    return Objects.requireNonNull(mails.deadLetters());
  }

  /** Acknowledges a mail that was sent, and marks its order in the same transaction. */
  void mailed(Delivery<Mail> delivery) {
    pool.runAtomically(
        tx -> {
          if (delivery.acknowledge()) {
            orders.computeIfPresent(
                delivery.message().order(), (number, order) -> order.asMailed());
          }
        });
  }

  /**
   * All orders and mails at one moment.
   *
   * @param orders by number
   * @param waiting mails in the outbox
   * @param dead mails that were given up
   */
  record Audit(Map<Long, Order> orders, long waiting, long dead) {
    /** Whether there is a mail for each order that needs one, and no other. */
    boolean agrees() {
      return orders.values().stream().filter(order -> !order.mailed()).count() == waiting + dead;
    }
  }

  Audit audit() {
    return pool.atomically(
        tx -> new Audit(new TreeMap<>(orders), mails.size(), deadMails().size()));
  }
}
