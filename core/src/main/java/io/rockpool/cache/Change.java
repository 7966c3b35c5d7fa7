package io.rockpool.cache;

import io.rockpool.engine.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A decided change of an entry.
 *
 * @param kind what is done
 * @param value for {@link Kind#WRITE}, the value; for {@link Kind#EXPIRE}, the one there
 * @param deadlineMillis for {@link Kind#WRITE}, the {@linkplain Deadlines planned deadline}; for
 *     {@link Kind#EXPIRE}, until when the entry lives
 * @param load the load that the value comes from, so that it is not made once that is superseded;
 *     or null
 * @param behind what a writer of the cache is to write; null for nothing
 * @param tags for {@link Kind#WRITE}, the tags of the value; null for none
 */
record Change<V>(
    Kind kind,
    @Nullable V value,
    long deadlineMillis,
    Loads.@Nullable Load load,
    @Nullable Behind<V> behind,
    @Nullable EntryTags tags) {
  /**
   * What a writer is to write.
   *
   * @param value the value, even if its entry expires at once; null for a removal
   */
  record Behind<V>(@Nullable V value) {}

  enum Kind {
    KEEP,
    WRITE,
    EXPIRE,
    REMOVE
  }

  /** Whether this changes anything about the current entry. */
  boolean changes(@Nullable Found<V> found) {
    return kind == Kind.WRITE || (kind != Kind.KEEP && found != null);
  }

  /** Leaves the entry as it is. */
  static <V> Change<V> keep() {
    return new Change<>(Kind.KEEP, null, 0, null, null, null);
  }

  /** Sets the value, deadline and tags of the entry; a deadline of 0 removes it. */
  static <V> Change<V> write(V value, long deadlineMillis, @Nullable EntryTags tags) {
    Behind<V> behind = new Behind<>(value);
    return deadlineMillis == 0
        ? new Change<>(Kind.REMOVE, null, 0, null, behind, null)
        : new Change<>(Kind.WRITE, value, deadlineMillis, null, behind, tags);
  }

  /** Sets another deadline of the entry, which has this value; 0 removes it. */
  static <V> Change<V> expire(V value, long deadlineMillis) {
    return deadlineMillis == 0
        ? Change.<V>remove().unwritten()
        : new Change<>(Kind.EXPIRE, value, deadlineMillis, null, null, null);
  }

  /** Removes the entry. */
  static <V> Change<V> remove() {
    return new Change<>(Kind.REMOVE, null, 0, null, new Behind<>(null), null);
  }

  /** The same change, which no writer writes. */
  Change<V> unwritten() {
    return new Change<>(kind, value, deadlineMillis, load, null, tags);
  }

  /** The same change, unless the load is superseded. No writer writes what was loaded. */
  Change<V> unlessSuperseded(Loads.@Nullable Load newLoad) {
    return newLoad == null ? this : new Change<>(kind, value, deadlineMillis, newLoad, null, tags);
  }

  /** The lease that the load of the value keeps; null for none. */
  @Nullable Lease leaseOfLoad() {
    return load == null ? null : load.lease();
  }

  /**
   * Whether the key was written or removed since the load of the value began.
   *
   * @param leased whether a lease decides on the writes of other handles
   */
  boolean isSuperseded(boolean leased) {
    return load != null && (leased ? load.isSupersededHere() : load.isSuperseded());
  }
}
