package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.CacheValueFormat;
import java.time.InstantSource;

/**
 * An entry as it was read or written: what the disk holds, and until when.
 *
 * @param payload the value itself where values are known to be immutable and may be shared; else
 *     its encoded bytes
 * @param deadlineMillis from when on the entry is gone, unless a read moved it; the record's expiry
 *     or its idle deadline
 * @param refreshMillis from when on a read has it refreshed, in a cache that does; {@link
 *     CacheValueFormat#NO_REFRESH_TIME} if nothing is known of that
 * @param expiryMillis when the record ends: with the deadline, or later where reads move that
 * @param print a checksum of the value's bytes, see {@link IdleDeadlines#print}; {@link #NO_PRINT}
 *     if no read moves the deadline
 * @param weight the bytes it takes in memory, about
 */
record HotEntry(
    Object payload,
    long deadlineMillis,
    long refreshMillis,
    long expiryMillis,
    int print,
    int weight) {
  /**
   * What an entry costs beyond its key's and value's bytes: the map's node, this object and the
   * objects' headers.
   */
  static final int OVERHEAD_BYTES = 168;

  /** The print of a value whose deadline no read moves. */
  static final int NO_PRINT = 0;

  /** An entry that never ends, and that nobody weighs. */
  static HotEntry lasting(Object payload) {
    return new HotEntry(
        payload,
        Expiry.NEVER,
        CacheValueFormat.NO_REFRESH_TIME,
        Expiry.NEVER,
        NO_PRINT,
        0);
  }

  /** This entry with other times. */
  HotEntry moved(long newDeadlineMillis, long newExpiryMillis) {
    return new HotEntry(payload, newDeadlineMillis, refreshMillis, newExpiryMillis, print, weight);
  }

  boolean isPast(InstantSource clock) {
    return Expiry.isPast(deadlineMillis, clock);
  }
}
