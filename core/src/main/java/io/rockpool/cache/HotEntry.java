package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.InstantSource;

/**
 * An entry as it was read or written: what the disk holds, and until when.
 *
 * @param payload the value itself where values are known to be immutable and may be shared; else
 *     its encoded bytes
 * @param deadlineMillis from when on the entry is gone, unless a read moved it; the record's expiry
 *     or its idle deadline
 * @param expiryMillis the record's own expiry; later than the deadline where reads move that
 * @param weight the bytes it takes in memory, about
 */
record HotEntry(Object payload, long deadlineMillis, long expiryMillis, int weight) {
  /**
   * What an entry costs beyond its key's and value's bytes: the map's node, this object and the
   * objects' headers.
   */
  static final int OVERHEAD_BYTES = 160;

  /** An entry that never ends, and that nobody weighs. */
  static HotEntry lasting(Object payload) {
    return new HotEntry(payload, Expiry.NEVER, Expiry.NEVER, 0);
  }

  boolean isPast(InstantSource clock) {
    return Expiry.isPast(deadlineMillis, clock);
  }
}
