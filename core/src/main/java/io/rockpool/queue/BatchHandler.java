package io.rockpool.queue;

import java.util.List;

/**
 * Handles several messages of a {@link QueueListener} at once.
 *
 * @param <T> the type of messages
 */
@FunctionalInterface
public interface BatchHandler<T> {
  /**
   * Handles messages. If it returns normally, the listener acknowledges all of them that the
   * handler has not answered itself, in one transaction. If it throws, {@link
   * QueueListener.Builder#onError} decides for each of those. So a handler that answers each
   * message as soon as it is done repeats none of them after an exception.
   *
   * @param batch 1 to {@link QueueListener.Builder#batchSize} messages in the order of delivery, at
   *     most one of each group; unmodifiable
   * @throws Exception if those that are not answered could not be handled
   */
  void handle(List<Delivery<T>> batch) throws Exception;
}
