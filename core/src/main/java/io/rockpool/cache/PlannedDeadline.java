package io.rockpool.cache;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The deadline of an entry that is about to be written: a time to live in milliseconds as a
 * negative number, else a deadline; 0 removes the entry.
 *
 * <p>A time to live counts from the write, and encoding the first value of a class takes long. So
 * it becomes a deadline after the value is encoded.
 */
final class PlannedDeadline {
  private PlannedDeadline() {}

  /** The planned deadline of an entry that lives for {@code ttl}. */
  static long lasting(Duration ttl) {
    long millis = Expiry.after(0, ttl);
    return millis == Expiry.NEVER ? millis : -millis;
  }

  /** The deadline of an entry that is written now. */
  static long fromNow(InstantSource clock, long plannedMillis) {
    return plannedMillis < 0 ? Expiry.after(clock.millis(), -plannedMillis) : plannedMillis;
  }
}
