package io.rockpool.queue;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a message is sent. Immutable. A text with half of a surrogate pair, which UTF-8 cannot hold,
 * is refused with an {@link IllegalArgumentException} when the message is sent.
 */
public final class SendOptions {
  /** The highest priority. */
  public static final int MAX_PRIORITY = 9;

  private static final SendOptions DEFAULTS =
      new SendOptions(Duration.ZERO, null, null, Duration.ZERO, 0, null, Map.of());

  private final Duration delay;
  private final @Nullable String group;
  private final @Nullable String deduplicationId;
  private final Duration deduplicationWindow;
  private final int priority;
  private final @Nullable Duration timeToLive;
  private final Map<String, String> headers;

  private SendOptions(
      Duration delay,
      @Nullable String group,
      @Nullable String deduplicationId,
      Duration deduplicationWindow,
      int priority,
      @Nullable Duration timeToLive,
      Map<String, String> headers) {
    if (group != null && (priority != 0 || !delay.isZero())) {
      throw new IllegalArgumentException(
          "A message of the group \""
              + group
              + "\" was given a delay or a priority, which would break the order of the group;"
              + " leave out one of them.");
    }
    this.delay = delay;
    this.group = group;
    this.deduplicationId = deduplicationId;
    this.deduplicationWindow = deduplicationWindow;
    this.priority = priority;
    this.timeToLive = timeToLive;
    this.headers = headers;
  }

  /** No delay, group, deduplication or headers, priority 0, and no end. */
  public static SendOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Delays the first delivery.
   *
   * @throws IllegalArgumentException if it is negative, or with a group
   */
  public SendOptions delay(Duration wait) {
    if (wait.isNegative()) {
      throw new IllegalArgumentException("delay is " + wait + "; give zero or more.");
    }
    return new SendOptions(
        wait, group, deduplicationId, deduplicationWindow, priority, timeToLive, headers);
  }

  /** The delay of the first delivery. */
  public Duration delay() {
    return delay;
  }

  /**
   * Sends the message to a group. A message of a group is delivered after the one before it was
   * acknowledged or given up.
   *
   * @param name at most 255 bytes of UTF-8
   * @throws IllegalArgumentException with a delay or a priority
   */
  public SendOptions group(String name) {
    Objects.requireNonNull(name, "group");
    return new SendOptions(
        delay, name, deduplicationId, deduplicationWindow, priority, timeToLive, headers);
  }

  /** The group, or null. */
  public @Nullable String group() {
    return group;
  }

  /**
   * Sends the message only if none was sent with the same id during the window before. The window
   * starts with the first message and continues after that one was acknowledged.
   *
   * @param id at most 1,024 bytes of UTF-8
   * @throws IllegalArgumentException if the window is not positive
   */
  public SendOptions deduplicate(String id, Duration window) {
    Objects.requireNonNull(id, "id");
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("window is " + window + "; give a positive duration.");
    }
    return new SendOptions(delay, group, id, window, priority, timeToLive, headers);
  }

  /** The deduplication id, or null. */
  public @Nullable String deduplicationId() {
    return deduplicationId;
  }

  /** How long another message with the same deduplication id is not sent. */
  public Duration deduplicationWindow() {
    return deduplicationWindow;
  }

  /**
   * Sets the priority, 0 to {@link #MAX_PRIORITY}; a higher one is delivered first. The default is
   * 0.
   *
   * @throws IllegalArgumentException if there is no such priority, or with a group
   */
  public SendOptions priority(int value) {
    if (value < 0 || value > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority is " + value + "; give 0 to " + MAX_PRIORITY + ".");
    }
    return new SendOptions(
        delay, group, deduplicationId, deduplicationWindow, value, timeToLive, headers);
  }

  /** The priority. */
  public int priority() {
    return priority;
  }

  /**
   * Removes the message after this time, if it has not been acknowledged: it is not delivered again
   * and becomes no dead letter.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public SendOptions timeToLive(Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      throw new IllegalArgumentException("timeToLive is " + ttl + "; give a positive duration.");
    }
    return new SendOptions(
        delay, group, deduplicationId, deduplicationWindow, priority, ttl, headers);
  }

  /** The time to live, or null for no end. */
  public @Nullable Duration timeToLive() {
    return timeToLive;
  }

  /** Adds a header, or replaces it. */
  public SendOptions header(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    return new SendOptions(
        delay, group, deduplicationId, deduplicationWindow, priority, timeToLive, more);
  }

  /** The headers, in the order in which they were set; unmodifiable. */
  public Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }
}
