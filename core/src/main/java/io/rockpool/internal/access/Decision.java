package io.rockpool.internal.access;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link CacheAccess#decide} does with an entry, decided from the value it has.
 *
 * @param kind what is done
 * @param value for {@link Kind#PUT}, the value
 * @param ttl for {@link Kind#PUT}, how long the entry lives; null for what the cache's policy says
 * @param load the load that the value comes from, see {@link #unlessSuperseded}; or null
 * @param isWritten whether a cache that is written behind has the change written
 * @param tags for {@link Kind#PUT}, tags of the value, beside those that the cache gives it
 * @param <V> the type of values
 */
public record Decision<V>(
    Kind kind,
    @Nullable V value,
    @Nullable Duration ttl,
    @Nullable RunningLoad load,
    boolean isWritten,
    Set<String> tags) {
  /** The kinds of decision. */
  public enum Kind {
    /** Nothing is changed. */
    KEEP,
    /** The value stays and counts as read: the policy may move the entry's expiry. */
    ACCESS,
    /** The entry gets a value. */
    PUT,
    /** The entry is removed, if there is one. */
    REMOVE
  }

  /** Changes nothing. */
  public static <V> Decision<V> keep() {
    return new Decision<>(Kind.KEEP, null, null, null, true, Set.of());
  }

  /** Leaves the value, and lets the expiry policy know that it was read. */
  public static <V> Decision<V> access() {
    return new Decision<>(Kind.ACCESS, null, null, null, true, Set.of());
  }

  /** Puts a value, with the expiry that the cache's policy gives it. */
  public static <V> Decision<V> put(V value) {
    return new Decision<>(
        Kind.PUT, Objects.requireNonNull(value, "value"), null, null, true, Set.of());
  }

  /** Puts a value that lives for {@code ttl}; zero or less removes the entry. */
  public static <V> Decision<V> put(V value, Duration ttl) {
    return new Decision<>(
        Kind.PUT,
        Objects.requireNonNull(value, "value"),
        Objects.requireNonNull(ttl, "ttl"),
        null,
        true,
        Set.of());
  }

  /** Removes the entry. */
  public static <V> Decision<V> remove() {
    return new Decision<>(Kind.REMOVE, null, null, null, true, Set.of());
  }

  /**
   * The same, unless the key was put or removed since {@code load} began: then nothing is changed.
   */
  public Decision<V> unlessSuperseded(RunningLoad load) {
    return new Decision<>(kind, value, ttl, Objects.requireNonNull(load, "load"), isWritten, tags);
  }

  /** The same, which a cache that is written behind does not have written. */
  public Decision<V> unwritten() {
    return new Decision<>(kind, value, ttl, load, false, tags);
  }

  /** The same, of a load that was begun for a value with tags; these are its tags. */
  public Decision<V> tagged(Set<String> newTags) {
    return new Decision<>(kind, value, ttl, load, isWritten, Set.copyOf(newTags));
  }
}
