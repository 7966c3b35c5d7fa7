package io.rockpool.structure;

import io.rockpool.engine.Expiry;

/**
 * The condition under which a new expiry replaces the one of an existing element: Redis' {@code
 * EXPIRE} with {@code NX}, {@code XX}, {@code GT} or {@code LT}. An element without an expiry lives
 * forever: no expiry is later than that, and every one is earlier.
 *
 * <pre>{@code
 * sessions.expireAfter(id, ofMinutes(30), ExpiryCondition.LATER); // never shortens a session
 * }</pre>
 */
public enum ExpiryCondition {
  /** Always holds. */
  ALWAYS,
  /** The element has no expiry. */
  ABSENT,
  /** The element has an expiry. */
  PRESENT,
  /** The element has an expiry, and the new one is later. */
  LATER,
  /** The element has no expiry, or the new one is earlier. */
  EARLIER;

  /** Whether {@code expiryMillis} may replace {@code beforeMillis}. */
  boolean allows(long beforeMillis, long expiryMillis) {
    return switch (this) {
      case ALWAYS -> true;
      case ABSENT -> beforeMillis == Expiry.NEVER;
      case PRESENT -> beforeMillis != Expiry.NEVER;
      case LATER -> expiryMillis > beforeMillis;
      case EARLIER -> expiryMillis < beforeMillis;
    };
  }
}
