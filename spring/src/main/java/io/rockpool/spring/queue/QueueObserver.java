package io.rockpool.spring.queue;

import io.rockpool.queue.PersistentQueue;

/** Sees the queues that listeners open, to measure them. */
@FunctionalInterface
public interface QueueObserver {
  /** Called once for each queue, when its first listener starts. */
  void opened(PersistentQueue<?> queue);
}
