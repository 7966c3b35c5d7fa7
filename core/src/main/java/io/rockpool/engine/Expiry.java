package io.rockpool.engine;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Points in time at which records end, in milliseconds since the epoch. A record is gone from the
 * millisecond of its expiry on: it is seen while {@code now < expiry}.
 */
public final class Expiry {
  /** The expiry of a record that never expires. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * The last expiry that is kept as such, some 292,000 years ahead; a later one is {@link #NEVER}.
   */
  public static final long MAX_MILLIS = Long.MAX_VALUE / 1000 - 1;

  private Expiry() {}

  /**
   * Reckons an expiry from now on. Asks the clock only if the answer depends on it.
   *
   * @param clock tells what now is
   * @param ttl how long something lives; what is not positive is over at once
   * @return when it ends, rounded up to the next millisecond
   */
  public static long after(InstantSource clock, Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      return 0;
    }
    if (ttl.getSeconds() > MAX_MILLIS / 1000) {
      return NEVER;
    }
    long millis = ttl.toMillis();
    if (ttl.getNano() % 1_000_000 != 0) {
      millis++;
    }
    return after(clock.millis(), millis);
  }

  /**
   * Reckons an expiry.
   *
   * @param nowMillis the beginning, in milliseconds since the epoch
   * @param ttlMillis how long something lives
   * @return when it ends; {@link #NEVER} where that is past {@link #MAX_MILLIS}
   */
  public static long after(long nowMillis, long ttlMillis) {
    return ttlMillis > MAX_MILLIS - nowMillis ? NEVER : nowMillis + ttlMillis;
  }

  /**
   * Makes an expiry what engines keep: what is past {@link #MAX_MILLIS} is {@link #NEVER}, what is
   * negative 0.
   *
   * @param expiryMillis any number
   * @return the expiry it stands for
   */
  public static long normalize(long expiryMillis) {
    return expiryMillis > MAX_MILLIS ? NEVER : Math.max(0, expiryMillis);
  }

  /**
   * Tells whether something is gone. Asks the clock only if it can expire at all.
   *
   * @param expiryMillis when it ends
   * @param clock tells what now is
   * @return whether now is at or past its end
   */
  public static boolean isPast(long expiryMillis, InstantSource clock) {
    return expiryMillis != NEVER && expiryMillis <= clock.millis();
  }
}
