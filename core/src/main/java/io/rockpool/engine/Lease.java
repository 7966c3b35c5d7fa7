package io.rockpool.engine;

import java.time.Duration;

/**
 * Proof that an entry, or its absence, is still what {@link Space#lease} has read. It ends with the
 * next put or delete of the key by any handle, also of the same value or of an absent key, and with
 * a clear of the space; it may end with the expiry of the record that was read. So a value that was
 * computed since can be written on condition that nothing has changed, see {@link LeasedWrite}.
 *
 * <p>A lease on an absent key is kept by the engine in the key's place. It also ends after {@link
 * #LIFETIME}, is invisible to every read, and handles that need one on the same key meanwhile share
 * it. Leases are for engines with {@link Capability#SHARED}.
 */
public interface Lease {
  /**
   * How long a lease on an absent key lasts. An engine may end one earlier, but not in its first
   * half: a value that took longer to compute may not be put.
   */
  Duration LIFETIME = Duration.ofMinutes(10);

  /**
   * Returns when a lease that is taken now ends.
   *
   * @param nowMillis the engine's time
   * @return the time, in milliseconds since the epoch
   */
  static long endMillis(long nowMillis) {
    return nowMillis + LIFETIME.toMillis();
  }

  /**
   * Returns whether another reader may share a lease: half of its time is left.
   *
   * @param endMillis when the lease ends
   * @param nowMillis the engine's time
   * @return whether it may
   */
  static boolean isShared(long endMillis, long nowMillis) {
    return endMillis - nowMillis > LIFETIME.toMillis() / 2;
  }
}
