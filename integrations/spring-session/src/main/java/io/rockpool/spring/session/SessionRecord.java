package io.rockpool.spring.session;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored session without its attributes.
 *
 * @param principal the name under which the index has the session, or null
 * @param checkMillis when the session is in the queue of expirations; at its expiry or earlier
 */
record SessionRecord(
    Instant created,
    Instant accessed,
    Duration maxInactive,
    @Nullable String principal,
    long checkMillis) {

  /** The expiry of a session that never expires. */
  static final long NEVER = Long.MAX_VALUE;

  /** Longer intervals never end, and no date of such a session overflows. */
  private static final Duration LONGEST = Duration.ofDays(365_000);

  long expiryMillis() {
    return maxInactive.isNegative() || maxInactive.compareTo(LONGEST) > 0
        ? NEVER
        : accessed.plus(maxInactive).toEpochMilli();
  }

  boolean isExpired(long nowMillis) {
    return expiryMillis() <= nowMillis;
  }

  SessionRecord checkedAt(long millis) {
    return new SessionRecord(created, accessed, maxInactive, principal, millis);
  }
}
