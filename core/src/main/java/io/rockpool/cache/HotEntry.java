package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.CacheValueFormat;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An entry as it was read or written, with its times.
 *
 * @param payload the value itself if it is known to be immutable, or values are shared; otherwise
 *     its encoded bytes
 * @param deadlineMillis the expiry of the entry, unless a read moved it: the record's expiry or its
 *     idle deadline
 * @param refreshMillis when a read refreshes the entry, if its cache refreshes; {@link
 *     CacheValueFormat#NO_REFRESH_TIME} if unknown
 * @param expiryMillis the expiry of the record: the deadline, or later if reads move that
 * @param print a checksum of the value's bytes, see {@link IdleDeadlines#print}; {@link #NO_PRINT}
 *     if no read moves the deadline
 * @param weight its approximate size in memory, in bytes
 * @param tags its tags; null for none
 */
record HotEntry(
    Object payload,
    long deadlineMillis,
    long refreshMillis,
    long expiryMillis,
    int print,
    int weight,
    @Nullable EntryTags tags) {
  /**
   * The size of an entry besides its key's and value's bytes: the node of the map, this object and
   * the headers of objects.
   */
  static final int OVERHEAD_BYTES = 168;

  /** The print of a value whose deadline no read moves. */
  static final int NO_PRINT = 0;

  /** An entry that never expires, in a tier without weights. */
  static HotEntry lasting(Object payload) {
    return new HotEntry(
        payload, Expiry.NEVER, CacheValueFormat.NO_REFRESH_TIME, Expiry.NEVER, NO_PRINT, 0, null);
  }

  /** A copy with other times. */
  HotEntry moved(long newDeadlineMillis, long newExpiryMillis) {
    return new HotEntry(
        payload, newDeadlineMillis, refreshMillis, newExpiryMillis, print, weight, tags);
  }

  /** Whether this entry has ended by its tags exactly if the other one has. */
  boolean isOfSameTags(HotEntry other) {
    return tags == null
        ? other.tags == null
        : other.tags != null && Arrays.equals(tags.bytes(), other.tags.bytes());
  }

  /** A copy with another payload for the same value. */
  HotEntry with(Object newPayload) {
    return new HotEntry(
        newPayload, deadlineMillis, refreshMillis, expiryMillis, print, weight, tags);
  }

  boolean isPast(InstantSource clock) {
    return Expiry.isPast(deadlineMillis, clock);
  }
}
