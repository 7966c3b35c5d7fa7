package io.rockpool.queue;

import io.rockpool.codec.Codecs;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a queue. Immutable. Options that are not set have the values that are kept with the
 * name, or the defaults; {@link #durability} and {@link #codecs} are not kept.
 */
public final class QueueOptions {
  /** How long a consumer has a message by default. */
  public static final Duration DEFAULT_VISIBILITY_TIMEOUT = Duration.ofSeconds(30);

  /**
   * The default wait after a failed delivery: from 1 s, doubling up to 5 minutes. Without a wait, a
   * message whose handler always fails would be delivered again and again before all others.
   */
  public static final Backoff DEFAULT_BACKOFF =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5));

  private static final QueueOptions DEFAULTS =
      new QueueOptions(null, null, null, null, null, null, null, null);

  private final @Nullable Duration visibilityTimeout;
  private final @Nullable Integer maxDeliveries;
  private final @Nullable String deadLetters;
  private final @Nullable Duration deadLetterRetention;
  private final @Nullable Backoff backoff;
  private final @Nullable Long maxSize;
  private final @Nullable Durability durability;
  private final @Nullable Codecs codecs;

  private QueueOptions(
      @Nullable Duration visibilityTimeout,
      @Nullable Integer maxDeliveries,
      @Nullable String deadLetters,
      @Nullable Duration deadLetterRetention,
      @Nullable Backoff backoff,
      @Nullable Long maxSize,
      @Nullable Durability durability,
      @Nullable Codecs codecs) {
    this.visibilityTimeout = visibilityTimeout;
    this.maxDeliveries = maxDeliveries;
    this.deadLetters = deadLetters;
    this.deadLetterRetention = deadLetterRetention;
    this.backoff = backoff;
    this.maxSize = maxSize;
    this.durability = durability;
    this.codecs = codecs;
  }

  /** Options of which none is set. */
  public static QueueOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how long a consumer has a message. If it has not answered then, the message is delivered
   * again. The default is 30 seconds.
   *
   * @throws IllegalArgumentException if it is less than 1 millisecond
   */
  public QueueOptions visibilityTimeout(Duration timeout) {
    if (Durations.millis(timeout) < 1) {
      throw new IllegalArgumentException(
          "visibilityTimeout is " + timeout + "; give 1 millisecond or more.");
    }
    return new QueueOptions(
        timeout,
        maxDeliveries,
        deadLetters,
        deadLetterRetention,
        backoff,
        maxSize,
        durability,
        codecs);
  }

  /** How long a consumer has a message; null for the kept value or the default. */
  public @Nullable Duration visibilityTimeout() {
    return visibilityTimeout;
  }

  /**
   * Sets how often a message is delivered before it becomes a dead letter. The default is no limit.
   * Needs {@link #deadLetters}.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public QueueOptions maxDeliveries(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("maxDeliveries is " + most + "; give 1 or more.");
    }
    return new QueueOptions(
        visibilityTimeout,
        most,
        deadLetters,
        deadLetterRetention,
        backoff,
        maxSize,
        durability,
        codecs);
  }

  /** How often a message is delivered; null for the kept value or no limit. */
  public @Nullable Integer maxDeliveries() {
    return maxDeliveries;
  }

  /**
   * Sets the name of the queue of dead letters, in the same store and with the same type. It is
   * opened with this queue, with the options that are kept with its name. Without it, a rejected
   * message is removed.
   */
  public QueueOptions deadLetters(String name) {
    Objects.requireNonNull(name, "deadLetters");
    return new QueueOptions(
        visibilityTimeout,
        maxDeliveries,
        name,
        deadLetterRetention,
        backoff,
        maxSize,
        durability,
        codecs);
  }

  /** The name of the queue of dead letters; null for the kept value or none. */
  public @Nullable String deadLetters() {
    return deadLetters;
  }

  /**
   * Sets how long a dead letter of this queue is kept. The time begins when the message moves to
   * the dead letters; after it the letter is removed, and {@link PersistentQueue#redrive} finds it
   * no more. The default is no end. Needs {@link #deadLetters}. Another retention applies to later
   * letters.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public QueueOptions deadLetterRetention(Duration retention) {
    if (retention.isNegative() || retention.isZero()) {
      throw new IllegalArgumentException(
          "deadLetterRetention is " + retention + "; give a positive duration.");
    }
    return new QueueOptions(
        visibilityTimeout,
        maxDeliveries,
        deadLetters,
        retention,
        backoff,
        maxSize,
        durability,
        codecs);
  }

  /** How long a dead letter is kept; null for the kept value or no end. */
  public @Nullable Duration deadLetterRetention() {
    return deadLetterRetention;
  }

  /**
   * Sets how long a message waits after a failed delivery. The default is {@link #DEFAULT_BACKOFF}.
   */
  public QueueOptions backoff(Backoff waits) {
    Objects.requireNonNull(waits, "backoff");
    return new QueueOptions(
        visibilityTimeout,
        maxDeliveries,
        deadLetters,
        deadLetterRetention,
        waits,
        maxSize,
        durability,
        codecs);
  }

  /** How long a message waits after a failed delivery; null for the kept value or the default. */
  public @Nullable Backoff backoff() {
    return backoff;
  }

  /**
   * Sets the maximum number of messages, those in flight included. A full queue refuses messages.
   * Dead letters are added beyond it. Messages that have outlived their time to live count until
   * they are swept.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public QueueOptions maxSize(long messages) {
    if (messages < 1) {
      throw new IllegalArgumentException("maxSize is " + messages + "; give 1 or more.");
    }
    return new QueueOptions(
        visibilityTimeout,
        maxDeliveries,
        deadLetters,
        deadLetterRetention,
        backoff,
        messages,
        durability,
        codecs);
  }

  /** The maximum number of messages; null for the kept value or no limit. */
  public @Nullable Long maxSize() {
    return maxSize;
  }

  /** Sets what a returned write survives. The default is that of the store. */
  public QueueOptions durability(Durability level) {
    Objects.requireNonNull(level, "durability");
    return new QueueOptions(
        visibilityTimeout,
        maxDeliveries,
        deadLetters,
        deadLetterRetention,
        backoff,
        maxSize,
        level,
        codecs);
  }

  /** What a returned write survives; null for the level of the store. */
  public @Nullable Durability durability() {
    return durability;
  }

  /** Sets the codecs of messages. The default is those of the store. */
  public QueueOptions codecs(Codecs all) {
    Objects.requireNonNull(all, "codecs");
    return new QueueOptions(
        visibilityTimeout,
        maxDeliveries,
        deadLetters,
        deadLetterRetention,
        backoff,
        maxSize,
        durability,
        all);
  }

  /** The codecs of messages; null for those of the store. */
  public @Nullable Codecs codecs() {
    return codecs;
  }
}
