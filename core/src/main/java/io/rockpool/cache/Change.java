package io.rockpool.cache;

import org.jspecify.annotations.Nullable;

/**
 * A decided change of an entry.
 *
 * @param kind what is done
 * @param value for {@link Kind#WRITE}, the value; for {@link Kind#EXPIRE}, the one there
 * @param deadlineMillis for {@link Kind#WRITE}, the {@link PlannedDeadline}; for {@link
 *     Kind#EXPIRE}, until when the entry lives
 * @param load the load that the value comes from, so that it is not made once that is superseded;
 *     or null
 */
record Change<V>(Kind kind, @Nullable V value, long deadlineMillis, Loads.@Nullable Load load) {
  enum Kind {
    KEEP,
    WRITE,
    EXPIRE,
    REMOVE
  }

  /** Whether this changes anything about the current entry. */
  boolean changes(CacheEntries.@Nullable Found<V> found) {
    return kind == Kind.WRITE || (kind != Kind.KEEP && found != null);
  }

  /** Leaves the entry as it is. */
  static <V> Change<V> keep() {
    return new Change<>(Kind.KEEP, null, 0, null);
  }

  /** Sets the value and the deadline of the entry; a deadline of 0 removes it. */
  static <V> Change<V> write(V value, long deadlineMillis) {
    return deadlineMillis == 0 ? remove() : new Change<>(Kind.WRITE, value, deadlineMillis, null);
  }

  /** Sets another deadline of the entry, which has this value; 0 removes it. */
  static <V> Change<V> expire(V value, long deadlineMillis) {
    return deadlineMillis == 0 ? remove() : new Change<>(Kind.EXPIRE, value, deadlineMillis, null);
  }

  /** Removes the entry. */
  static <V> Change<V> remove() {
    return new Change<>(Kind.REMOVE, null, 0, null);
  }

  /** The same change, unless the load is superseded. */
  Change<V> unlessSuperseded(Loads.@Nullable Load newLoad) {
    return newLoad == null ? this : new Change<>(kind, value, deadlineMillis, newLoad);
  }

  /** Whether the key was written or removed since the load of the value began. */
  boolean isSuperseded() {
    return load != null && load.isSuperseded();
  }
}
