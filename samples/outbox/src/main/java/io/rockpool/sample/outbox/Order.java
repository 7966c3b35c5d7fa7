package io.rockpool.sample.outbox;

/**
 * What a customer has ordered.
 *
 * @param number the order's, counted from 1 on
 * @param customer who ordered
 * @param totalCents what it costs, in cents
 * @param delivered whether the receiver has the message of it
 */
public record Order(long number, String customer, long totalCents, boolean delivered) {
  Order asDelivered() {
    return new Order(number, customer, totalCents, true);
  }
}
