package io.rockpool.spring.boot;

import io.rockpool.queue.Backoff;
import io.rockpool.queue.QueueOptions;
import io.rockpool.spring.queue.ListenerOptions;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The properties of queues and of their listeners.
 *
 * @param listener Options of all listeners.
 * @param queues Options of the queue with this name, for its listeners.
 */
@ConfigurationProperties(RockpoolProperties.PREFIX)
public record RockpoolQueueProperties(
    @DefaultValue Listener listener, @DefaultValue Map<String, Queue> queues) {
  /**
   * Checks the properties.
   *
   * @throws InvalidConfigurationPropertyValueException if a value is out of its range
   */
  public RockpoolQueueProperties {
    queues.forEach((name, queue) -> queue.check("queues." + name + "."));
  }

  private static InvalidConfigurationPropertyValueException invalid(
      String key, Object value, String advice) {
    return new InvalidConfigurationPropertyValueException(
        RockpoolProperties.PREFIX + "." + key, value, advice);
  }

  /**
   * The options of listeners.
   *
   * @param autoStartup Whether listeners start with the application.
   * @param concurrency The number of threads of a listener that sets none.
   * @param virtualThreads Whether listeners use virtual threads; Java 21 or newer.
   * @param maxExtension For how long the lease of a message is extended while its method runs.
   * @param shutdownTimeout How long stopping waits for running methods, before it returns their
   *     messages.
   */
  public record Listener(
      @DefaultValue("true") boolean autoStartup,
      @DefaultValue("1") int concurrency,
      @DefaultValue("false") boolean virtualThreads,
      @DefaultValue("1h") Duration maxExtension,
      @DefaultValue("20s") Duration shutdownTimeout) {
    /**
     * Checks the properties.
     *
     * @throws InvalidConfigurationPropertyValueException if a value is out of its range
     */
    public Listener {
      if (concurrency < 1) {
        throw invalid("listener.concurrency", concurrency, "Give 1 or more.");
      }
      if (maxExtension.isNegative()) {
        throw invalid("listener.max-extension", maxExtension, "Give zero or more.");
      }
      if (shutdownTimeout.isNegative()) {
        throw invalid("listener.shutdown-timeout", shutdownTimeout, "Give zero or more.");
      }
    }
  }

  /**
   * The options of a queue.
   *
   * @param visibilityTimeout How long a consumer has a message; 30s by default.
   * @param maxDeliveries How often a message is delivered before it becomes a dead letter; no limit
   *     by default. Needs dead-letters.
   * @param deadLetters The name of the queue of dead letters.
   * @param deadLetterRetention How long a dead letter is kept; no end by default. Needs
   *     dead-letters.
   * @param backoff How long a message waits after its first failed delivery; by default 1s,
   *     doubling up to 5m.
   * @param maxBackoff The longest wait; each wait is twice the one before. By default, all waits
   *     are the same if a backoff is given.
   * @param maxSize The maximum number of messages; no limit by default.
   * @param durability What writes survive; by default the durability of the store.
   */
  public record Queue(
      @Nullable Duration visibilityTimeout,
      @Nullable Integer maxDeliveries,
      @Nullable String deadLetters,
      @Nullable Duration deadLetterRetention,
      @Nullable Duration backoff,
      @Nullable Duration maxBackoff,
      @Nullable Long maxSize,
      @Nullable Durability durability) {
    private void check(String prefix) {
      if (visibilityTimeout != null && visibilityTimeout.compareTo(Duration.ofMillis(1)) < 0) {
        throw invalid(prefix + "visibility-timeout", visibilityTimeout, "Give 1ms or more.");
      }
      if (maxDeliveries != null && maxDeliveries < 1) {
        throw invalid(prefix + "max-deliveries", maxDeliveries, "Give 1 or more.");
      }
      if (deadLetterRetention != null && deadLetterRetention.compareTo(Duration.ZERO) <= 0) {
        throw invalid(
            prefix + "dead-letter-retention", deadLetterRetention, "Give a positive duration.");
      }
      if (backoff != null && backoff.isNegative()) {
        throw invalid(prefix + "backoff", backoff, "Give zero or more.");
      }
      if (maxBackoff != null && (backoff == null || maxBackoff.compareTo(backoff) < 0)) {
        throw invalid(
            prefix + "max-backoff", maxBackoff, "Give a backoff, and here not less than it.");
      }
      if (maxSize != null && maxSize < 1) {
        throw invalid(prefix + "max-size", maxSize, "Give 1 or more.");
      }
    }

    QueueOptions options() {
      QueueOptions options = QueueOptions.defaults();
      options = visibilityTimeout == null ? options : options.visibilityTimeout(visibilityTimeout);
      options = maxDeliveries == null ? options : options.maxDeliveries(maxDeliveries);
      options = deadLetters == null ? options : options.deadLetters(deadLetters);
      options =
          deadLetterRetention == null ? options : options.deadLetterRetention(deadLetterRetention);
      if (backoff != null) {
        options =
            options.backoff(
                maxBackoff == null
                    ? Backoff.fixed(backoff)
                    : Backoff.exponential(backoff, maxBackoff));
      }
      options = maxSize == null ? options : options.maxSize(maxSize);
      return durability == null ? options : options.durability(durability);
    }
  }

  ListenerOptions options() {
    Map<String, QueueOptions> byName = new HashMap<>();
    queues.forEach((name, queue) -> byName.put(name, queue.options()));
    return new ListenerOptions(
        listener.autoStartup(),
        listener.concurrency(),
        listener.virtualThreads(),
        listener.maxExtension(),
        listener.shutdownTimeout(),
        byName);
  }
}
