package io.rockpool.queue;

/**
 * Handles the messages of a {@link QueueListener}.
 *
 * @param <T> the type of messages
 */
@FunctionalInterface
public interface QueueHandler<T> {
  /**
   * Handles a message. If it returns normally, the listener acknowledges the message, unless the
   * handler has answered itself. If it throws, {@link QueueListener.Builder#onError} decides.
   *
   * <p>A handler whose effects are in the same store acknowledges in their transaction, so that
   * they happen exactly once.
   *
   * @throws Exception if the message could not be handled
   */
  void handle(Delivery<T> delivery) throws Exception;
}
