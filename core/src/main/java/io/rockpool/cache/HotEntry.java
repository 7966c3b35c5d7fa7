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
 * @param slackMillis by how much the record outlives the deadline, where reads move that; no more
 *     than an int can say, so that an entry takes no more memory than its fields need
 * @param weight the bytes it takes in memory, about
 */
record HotEntry(
    Object payload, long deadlineMillis, long refreshMillis, int slackMillis, int weight) {
  /**
   * What an entry costs beyond its key's and value's bytes: the map's node, this object and the
   * objects' headers.
   */
  static final int OVERHEAD_BYTES = 160;

  /** An entry that never ends, and that nobody weighs. */
  static HotEntry lasting(Object payload) {
    return new HotEntry(payload, Expiry.NEVER, CacheValueFormat.NO_REFRESH_TIME, 0, 0);
  }

  /** By how much a record with this expiry outlives the deadline. */
  static int slackMillis(long deadlineMillis, long expiryMillis) {
    return (int) Math.min(Integer.MAX_VALUE, expiryMillis - deadlineMillis);
  }

  /**
   * Until when a read may move the deadline where there is a limit to that, which is the record's
   * expiry; less than that if it is further away than the slack can say.
   */
  long latestMillis() {
    return Expiry.after(deadlineMillis, slackMillis);
  }

  boolean isPast(InstantSource clock) {
    return Expiry.isPast(deadlineMillis, clock);
  }
}
