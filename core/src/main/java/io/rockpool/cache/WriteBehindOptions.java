package io.rockpool.cache;

import io.rockpool.internal.concurrent.Durations;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How pending changes are written behind a cache; see {@link CacheOptions#writeBehind(BatchWriter,
 * WriteBehindOptions)}. Immutable: each method with a parameter returns a copy with one option set.
 *
 * <p>Each option has a description in {@link #OPTIONS}, by which files and properties set it.
 */
public final class WriteBehindOptions implements Serializable {
  private static final long serialVersionUID = 1L;

  /** See {@link #batchSize(int)}. */
  public static final CacheOption<Long> BATCH_SIZE = CacheOption.number("batchSize").positive();

  /** See {@link #delay(Duration)}. */
  public static final CacheOption<Duration> DELAY = CacheOption.duration("delay");

  /** See {@link #backoff(Duration, Duration)}. */
  public static final CacheOption<Duration> BACKOFF = CacheOption.duration("backoff").positive();

  /** See {@link #backoff(Duration, Duration)}. */
  public static final CacheOption<Duration> MAXIMUM_BACKOFF =
      CacheOption.duration("maximumBackoff").positive();

  /** See {@link #maximumAttempts(int)}. */
  public static final CacheOption<Long> MAXIMUM_ATTEMPTS =
      CacheOption.number("maximumAttempts").positive();

  /** See {@link #maximumPending(long)}. */
  public static final CacheOption<Long> MAXIMUM_PENDING =
      CacheOption.number("maximumPending").positive();

  /** See {@link #maximumPendingBytes(long)}. */
  public static final CacheOption<Long> MAXIMUM_PENDING_BYTES =
      CacheOption.bytes("maximumPendingBytes").positive();

  /** See {@link #maximumAge(Duration)}. */
  public static final CacheOption<Duration> MAXIMUM_AGE =
      CacheOption.duration("maximumAge").positive();

  /** See {@link #whenFull(WhenFull)}. */
  public static final CacheOption<WhenFull> WHEN_FULL =
      CacheOption.choice("whenFull", WhenFull.class);

  /** See {@link #maximumWait(Duration)}. */
  public static final CacheOption<Duration> MAXIMUM_WAIT = CacheOption.duration("maximumWait");

  /** See {@link #closeTimeout(Duration)}. */
  public static final CacheOption<Duration> CLOSE_TIMEOUT = CacheOption.duration("closeTimeout");

  /** See {@link #withoutThread}. */
  private static final CacheOption<Boolean> THREAD = CacheOption.flag("thread");

  /** All options, in the order of this class. */
  public static final List<CacheOption<?>> OPTIONS =
      List.of(
          BATCH_SIZE,
          DELAY,
          BACKOFF,
          MAXIMUM_BACKOFF,
          MAXIMUM_ATTEMPTS,
          MAXIMUM_PENDING,
          MAXIMUM_PENDING_BYTES,
          MAXIMUM_AGE,
          WHEN_FULL,
          MAXIMUM_WAIT,
          CLOSE_TIMEOUT);

  private static final WriteBehindOptions UNSET = new WriteBehindOptions(OptionValues.NONE);

  /** The values of options that are not set. */
  private static final OptionValues DEFAULTS =
      UNSET
          .batchSize(500)
          .delay(Duration.ofSeconds(1))
          .backoff(Duration.ofMillis(500), Duration.ofMinutes(5))
          .maximumAttempts(100)
          .maximumPending(100_000)
          .maximumPendingBytes(256L << 20)
          .maximumAge(CacheExpiry.FOREVER)
          .whenFull(WhenFull.BLOCK)
          .maximumWait(Duration.ofSeconds(30))
          .closeTimeout(Duration.ofSeconds(10))
          .set(THREAD, true)
          .values;

  /** What a change does if there are too many pending changes. */
  public enum WhenFull {
    /** Waits until a change was written, up to {@link #maximumWait(Duration)}. */
    BLOCK,
    /** Writes the oldest pending changes on its own thread, until there is room. */
    WRITE_THROUGH
  }

  private final OptionValues values;

  private WriteBehindOptions(OptionValues values) {
    this.values = values;
  }

  /** The defaults: see each option. */
  public static WriteBehindOptions defaults() {
    return UNSET;
  }

  /** Options with these values. */
  public static WriteBehindOptions of(OptionValues values) {
    return new WriteBehindOptions(Objects.requireNonNull(values, "values"));
  }

  /** The options that were set. */
  public OptionValues values() {
    return values;
  }

  /**
   * Sets an option by its description.
   *
   * @throws IllegalArgumentException if the value is out of range
   */
  public <T> WriteBehindOptions set(CacheOption<T> option, T value) {
    return new WriteBehindOptions(values.with(option, value));
  }

  /** Sets the most changes in one call of the writer; 500 by default. */
  public WriteBehindOptions batchSize(int changes) {
    return set(BATCH_SIZE, (long) changes);
  }

  /**
   * Sets how long a change waits for others before a batch that is not full is written; one second
   * by default. Later changes of the key in this time are written as one.
   */
  public WriteBehindOptions delay(Duration delay) {
    return set(DELAY, delay);
  }

  /**
   * Sets the pause of a key after its first failure, and the longest one. Each failure doubles the
   * pause. The defaults are 500 ms and five minutes.
   */
  public WriteBehindOptions backoff(Duration first, Duration longest) {
    return set(BACKOFF, first).set(MAXIMUM_BACKOFF, longest);
  }

  /**
   * Sets after how many failures a change is given up and becomes a dead letter; 100 by default,
   * some eight hours with the default pauses. Only failures of the change alone count: in a batch
   * that fails as a whole, no change is blamed.
   */
  public WriteBehindOptions maximumAttempts(int attempts) {
    return set(MAXIMUM_ATTEMPTS, (long) attempts);
  }

  /** Sets the most pending changes, dead letters included; 100,000 by default. */
  public WriteBehindOptions maximumPending(long changes) {
    return set(MAXIMUM_PENDING, changes);
  }

  /** Sets the most bytes of pending keys and values; 256 MiB by default. */
  public WriteBehindOptions maximumPendingBytes(long bytes) {
    return set(MAXIMUM_PENDING_BYTES, bytes);
  }

  /**
   * Sets how old the oldest pending change may become before new ones wait; no limit by default.
   */
  public WriteBehindOptions maximumAge(Duration age) {
    return set(MAXIMUM_AGE, age);
  }

  /**
   * Sets what a change does if one of the maximums is reached; {@link WhenFull#BLOCK} by default.
   */
  public WriteBehindOptions whenFull(WhenFull action) {
    return set(WHEN_FULL, action);
  }

  /**
   * Sets how long a change waits for room before it fails with an {@link IllegalStateException}; 30
   * seconds by default. It has no effect then. A change in a transaction does not wait, and fails
   * at twice the maximum.
   */
  public WriteBehindOptions maximumWait(Duration wait) {
    return set(MAXIMUM_WAIT, wait);
  }

  /**
   * Sets how long closing the cache or the store waits for pending changes; 10 seconds by default.
   * Changes that are pending then are kept, and written after the cache is opened again.
   */
  public WriteBehindOptions closeTimeout(Duration timeout) {
    return set(CLOSE_TIMEOUT, timeout);
  }

  /** Without a thread: what is due is written by calls of {@link Draining#drain} only. */
  WriteBehindOptions withoutThread() {
    return set(THREAD, false);
  }

  boolean hasThread() {
    return get(THREAD);
  }

  private <T> T get(CacheOption<T> option) {
    T value = values.get(option);
    return value == null ? Objects.requireNonNull(DEFAULTS.get(option)) : value;
  }

  int batchSize() {
    return (int) Math.min(Integer.MAX_VALUE, get(BATCH_SIZE));
  }

  long delayMillis() {
    return millis(get(DELAY));
  }

  /** The pause after this many failures in a row. */
  long backoffMillis(int failures) {
    long longest = millis(get(MAXIMUM_BACKOFF));
    long pause = millis(get(BACKOFF));
    for (int i = 1; i < failures && pause < longest; i++) {
      pause *= 2;
    }
    return Math.min(pause, longest);
  }

  long maximumAttempts() {
    return get(MAXIMUM_ATTEMPTS);
  }

  long maximumPending() {
    return get(MAXIMUM_PENDING);
  }

  long maximumPendingBytes() {
    return get(MAXIMUM_PENDING_BYTES);
  }

  long maximumAgeMillis() {
    return millis(get(MAXIMUM_AGE));
  }

  WhenFull whenFull() {
    return get(WHEN_FULL);
  }

  Duration maximumWait() {
    return get(MAXIMUM_WAIT);
  }

  /** How long closing waits for pending changes; see {@link #closeTimeout(Duration)}. */
  public Duration closeTimeout() {
    return get(CLOSE_TIMEOUT);
  }

  /** A duration in milliseconds, at most some 146 million years, so that sums do not overflow. */
  private static long millis(Duration duration) {
    return Durations.millis(duration);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WriteBehindOptions options && values.equals(options.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "WriteBehindOptions" + values;
  }
}
