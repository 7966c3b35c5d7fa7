package io.rockpool.internal.queue;

/**
 * How often a queue delivers a message.
 *
 * @param most the maximum number of deliveries
 * @param keepsDead whether messages that are given up become dead letters
 */
record DeliveryLimit(int most, boolean keepsDead) {
  boolean isReached(int deliveries) {
    return deliveries >= most;
  }
}
