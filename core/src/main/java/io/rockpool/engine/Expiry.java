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
   * The expiry of something that lives for {@code ttl} from now on, rounded up to the next
   * millisecond. Asks the clock only if the answer depends on it.
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
   * The expiry {@code ttlMillis} after {@code nowMillis}; {@link #NEVER} where that is past {@link
   * #MAX_MILLIS}.
   */
  public static long after(long nowMillis, long ttlMillis) {
    return ttlMillis > MAX_MILLIS - nowMillis ? NEVER : nowMillis + ttlMillis;
  }

  /**
   * {@code expiryMillis} as engines keep it: what is past {@link #MAX_MILLIS} is {@link #NEVER},
   * what is negative 0.
   */
  public static long normalize(long expiryMillis) {
    return expiryMillis > MAX_MILLIS ? NEVER : Math.max(0, expiryMillis);
  }

  /** Whether something with this expiry is gone; asks the clock only if it can expire at all. */
  public static boolean isPast(long expiryMillis, InstantSource clock) {
    return expiryMillis != NEVER && expiryMillis <= clock.millis();
  }
}
