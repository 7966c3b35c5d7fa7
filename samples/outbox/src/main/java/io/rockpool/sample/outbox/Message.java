package io.rockpool.sample.outbox;

/**
 * What the receiver has to know of an order.
 *
 * @param number the order's, by which the receiver knows a message that is sent again
 * @param totalCents what the order costs, in cents
 */
public record Message(long number, long totalCents) {}
