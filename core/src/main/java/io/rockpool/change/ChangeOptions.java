package io.rockpool.change;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which changes the feed of a name keeps. Immutable: each method with a parameter returns a copy
 * with one limit set. Changes past any limit are removed, oldest first, by later writes and by the
 * background work of the store; some hundred more may stay for a while.
 *
 * <pre>{@code
 * PersistentMap<String, Order> orders =
 *     pool.map(
 *         "orders", String.class, Order.class, o -> o.changes(ChangeOptions.keep(ofDays(7))));
 * }</pre>
 *
 * <p>The limits are kept with the name; setting others replaces them. A feed that is switched on
 * for a name with content starts with the next change.
 */
public final class ChangeOptions implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final ChangeOptions OFF = new ChangeOptions(Duration.ZERO, null, null);

  private final Duration maxAge;
  private final @Nullable Long maxChanges;
  private final @Nullable Long maxBytes;

  private ChangeOptions(Duration maxAge, @Nullable Long maxChanges, @Nullable Long maxBytes) {
    this.maxAge = maxAge;
    this.maxChanges = maxChanges;
    this.maxBytes = maxBytes;
  }

  /**
   * A feed that keeps each change for a time.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public static ChangeOptions keep(Duration maxAge) {
    if (maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException(
          "The maximum age of changes is " + maxAge + "; give a positive one.");
    }
    return new ChangeOptions(maxAge, null, null);
  }

  /** No feed: switches the feed of a name off and removes its changes and cursors. */
  public static ChangeOptions off() {
    return OFF;
  }

  /**
   * Sets the maximum number of changes.
   *
   * @throws IllegalArgumentException if it is not positive, or the feed is off
   */
  public ChangeOptions maxChanges(long changes) {
    return new ChangeOptions(on(), check("changes", changes), maxBytes);
  }

  /**
   * Sets the maximum number of bytes of all changes, before compression.
   *
   * @throws IllegalArgumentException if it is not positive, or the feed is off
   */
  public ChangeOptions maxBytes(long bytes) {
    return new ChangeOptions(on(), maxChanges, check("bytes", bytes));
  }

  private Duration on() {
    if (isOff()) {
      throw new IllegalArgumentException("A feed that is off has no limits; start with keep.");
    }
    return maxAge;
  }

  private static long check(String what, long most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "The maximum of " + what + " is " + most + "; give a positive one, or none.");
    }
    return most;
  }

  /** Whether there is no feed. */
  public boolean isOff() {
    return maxAge.isZero();
  }

  /** How long a change is kept; zero if there is no feed. */
  public Duration maxAge() {
    return maxAge;
  }

  /** The maximum number of changes; null for any number. */
  public @Nullable Long maxChanges() {
    return maxChanges;
  }

  /** The maximum number of bytes; null for any number. */
  public @Nullable Long maxBytes() {
    return maxBytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChangeOptions that
        && maxAge.equals(that.maxAge)
        && Objects.equals(maxChanges, that.maxChanges)
        && Objects.equals(maxBytes, that.maxBytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxAge, maxChanges, maxBytes);
  }

  @Override
  public String toString() {
    return isOff()
        ? "off"
        : "maxAge="
            + maxAge
            + (maxChanges == null ? "" : " maxChanges=" + maxChanges)
            + (maxBytes == null ? "" : " maxBytes=" + maxBytes);
  }
}
