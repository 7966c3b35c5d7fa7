package io.rockpool.engine;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Times at which records expire, in milliseconds since the epoch. A record is visible while {@code
 * now < expiry}.
 */
public final class Expiry {
  /** The expiry of a record that never expires. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * The latest expiry that is stored, some 292,000 years ahead; a later one becomes {@link #NEVER}.
   */
  public static final long MAX_MILLIS = Long.MAX_VALUE / 1000 - 1;

  private Expiry() {}

  /**
   * Returns the expiry of something that lives {@code ttl} from now. Reads the clock only if the
   * result depends on it.
   *
   * @param clock the source of the current time
   * @param ttl the time to live; zero or negative means already expired
   * @return the expiry, rounded up to the next millisecond
   */
  public static long after(InstantSource clock, Duration ttl) {
    boolean ends = !ttl.isNegative() && !ttl.isZero() && ttl.toSeconds() <= MAX_MILLIS / 1000;
    return after(ends ? clock.millis() : 0, ttl);
  }

  /**
   * As {@link #after(InstantSource, Duration)}, from a given time on.
   *
   * @param nowMillis the start, in milliseconds since the epoch
   * @param ttl the time to live; zero or negative means already expired
   * @return the expiry, rounded up to the next millisecond
   */
  public static long after(long nowMillis, Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      return 0;
    }
    if (ttl.getSeconds() > MAX_MILLIS / 1000) {
      return NEVER;
    }
    long millis = ttl.toMillis();
    return after(nowMillis, ttl.getNano() % 1_000_000 == 0 ? millis : millis + 1);
  }

  /**
   * Adds a time to live to a time.
   *
   * @param nowMillis the start, in milliseconds since the epoch
   * @param ttlMillis the time to live
   * @return the expiry; {@link #NEVER} if it is past {@link #MAX_MILLIS}
   */
  public static long after(long nowMillis, long ttlMillis) {
    return ttlMillis > MAX_MILLIS - nowMillis ? NEVER : nowMillis + ttlMillis;
  }

  /**
   * Converts a number to an expiry that engines store: past {@link #MAX_MILLIS} becomes {@link
   * #NEVER}, negative becomes 0.
   *
   * @param expiryMillis any number
   * @return the expiry
   */
  public static long normalize(long expiryMillis) {
    return expiryMillis > MAX_MILLIS ? NEVER : Math.max(0, expiryMillis);
  }

  /**
   * Returns whether an expiry has passed. Reads the clock only if it is not {@link #NEVER}.
   *
   * @param expiryMillis the expiry
   * @param clock the source of the current time
   * @return whether now is at or past the expiry
   */
  public static boolean isPast(long expiryMillis, InstantSource clock) {
    return expiryMillis != NEVER && expiryMillis <= clock.millis();
  }
}
