package io.rockpool.sample.outbox;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.ScoredElement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes orders. Each is in four places: the map of orders, the outbox, the ranking by total and the
 * cache of every customer's latest order. What changes is changed in all of them by one
 * transaction, so that nobody, neither another thread nor the next process, sees half of it.
 */
final class Shop {
  private final Rockpool pool;
  private final Runnable bell;
  private final PersistentCounter numbers;
  private final PersistentMap<Long, Order> orders;
  private final PersistentDeque<Message> outbox;
  private final PersistentScoredSet<Long> ranking;
  private final PersistentCache<String, Order> latest;

  /**
   * Opens the shop of a store.
   *
   * @param bell rung for each message, once it is in the outbox for all to see
   */
  Shop(Rockpool pool, Runnable bell) {
    this.pool = pool;
    this.bell = bell;
    numbers = pool.counter("shop/numbers");
    orders = pool.map("shop/orders", Long.class, Order.class);
    outbox = pool.deque("shop/outbox", Message.class);
    ranking = pool.scoredSet("shop/ranking", Long.class);
    latest = pool.cache("shop/latest", String.class, Order.class);
  }

  /** Takes an order, and puts a message of it into the outbox. */
  Order place(String customer, long totalCents) {
    return pool.atomically(
        tx -> {
          Order order = new Order(numbers.incrementAndGet(), customer, totalCents, false);
          orders.put(order.number(), order);
          outbox.addLast(new Message(order.number(), totalCents));
          ranking.add(order.number(), (double) totalCents);
          latest.put(customer, order);
          tx.afterCommit(bell);
          return order;
        });
  }

  /** The message that is to be sent next, which stays where it is; null if there is none. */
  @Nullable Message nextMessage() {
    return outbox.peekFirst();
  }

  /**
   * Takes a message that the receiver has out of the outbox.
   *
   * @return whether it was there
   */
  boolean delivered(Message message) {
    return pool.atomically(
        tx -> {
          Order order =
              orders.computeIfPresent(message.number(), (number, placed) -> placed.asDelivered());
          if (order != null) {
            latest.computeIfPresent(
                order.customer(),
                (customer, last) -> last.number() == order.number() ? order : last);
          }
          return outbox.removeFirstOccurrence(message);
        });
  }

  /** The numbers and totals of the largest orders. */
  List<ScoredElement<Long>> largest(int count) {
    return ranking.last(count);
  }

  /** The four places as they are at one moment. */
  Audit audit() {
    return pool.atomically(tx -> Audit.of(orders, outbox, ranking, latest));
  }
}
