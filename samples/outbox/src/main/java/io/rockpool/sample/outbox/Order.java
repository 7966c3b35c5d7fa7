package io.rockpool.sample.outbox;

/**
 * What a customer has ordered.
 *
 * @param number counts the orders, from 1
 * @param totalCents what it costs
 * @param mailed whether the mail server has its confirmation
 */
public record Order(long number, String customer, long totalCents, boolean mailed) {
  Order asMailed() {
    return new Order(number, customer, totalCents, true);
  }
}
