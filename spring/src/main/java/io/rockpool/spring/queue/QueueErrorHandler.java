package io.rockpool.spring.queue;

import io.rockpool.queue.Delivery;

/** Decides what happens to a message whose {@link RockpoolListener} method has thrown. */
@FunctionalInterface
public interface QueueErrorHandler {
  /**
   * Answers the delivery: {@link Delivery#retry}, {@link Delivery#reject}, {@link
   * Delivery#acknowledge} or {@link Delivery#release}. Without an answer, its lease ends by itself.
   *
   * @param failure what the method threw
   */
  void handle(Delivery<?> delivery, Exception failure);
}
