package io.rockpool.spring.queue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles the messages of a queue with a method of a bean.
 *
 * <pre>{@code
 * @RockpoolListener(queue = "mails", concurrency = "4")
 * void deliver(Mail mail) {
 *   …
 * }
 * }</pre>
 *
 * <p>The method has one parameter: the message, or a {@link io.rockpool.queue.Delivery} of it. If
 * it returns normally, the message is acknowledged, unless the method has answered the delivery
 * itself. If it throws, the {@link QueueErrorHandler} decides; without one, the message is
 * delivered again after the backoff of the queue. The lease is extended while the method runs.
 *
 * <p>A method with a {@link java.util.List} of either handles several messages at once, see {@link
 * io.rockpool.queue.BatchHandler}: the same then holds for each of them that the method has not
 * answered. A message that cannot be converted fails by itself.
 *
 * <p>The threads start with the application, and stop before other beans are destroyed. They let
 * running methods finish, up to {@code rockpool.listener.shutdown-timeout}, and then return their
 * messages.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RockpoolListener {
  /** The name of the queue. May have placeholders, as in {@code "${mails.queue}"}. */
  String queue();

  /**
   * The type of the queue's messages, if it is not that of the parameter. Then the message is
   * converted by the application's {@code ConversionService}.
   */
  Class<?> type() default void.class;

  /**
   * The number of threads; {@code rockpool.listener.concurrency} by default. May have placeholders.
   */
  String concurrency() default "";

  /** The most messages of a call with a list, 1 to 1,000; 10 by default. May have placeholders. */
  String batchSize() default "";

  /**
   * How long a call with a list waits until the list is full, such as {@code 200ms} or {@code
   * PT0.2S}; by default it has what is ready. May have placeholders.
   */
  String batchWait() default "";

  /** The name of the {@link QueueErrorHandler} bean; the only one by default. */
  String errorHandler() default "";

  /** The name of the store's bean; the only or primary one by default. */
  String store() default "";
}
