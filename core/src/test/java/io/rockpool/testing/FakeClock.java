package io.rockpool.testing;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class FakeClock implements InstantSource {
  private static final long START_MILLIS = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();

  private final AtomicLong nowMillis = new AtomicLong(START_MILLIS);

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return nowMillis.get();
  }

  /** Moves the clock on. */
  public void advanceMillis(long millis) {
    nowMillis.addAndGet(millis);
  }

  /** Sets the clock. */
  public void setMillis(long epochMillis) {
    nowMillis.set(epochMillis);
  }
}
