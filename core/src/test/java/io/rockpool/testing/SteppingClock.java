package io.rockpool.testing;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still, and steps at a chosen look of one thread: as if that thread had been
 * stopped before the look. Thread-safe.
 */
public final class SteppingClock implements InstantSource {
  private final AtomicLong nowMillis =
      new AtomicLong(Instant.parse("2030-01-01T00:00:00Z").toEpochMilli());

  private volatile @Nullable Thread watched;
  private int looks;
  private int stepAt;
  private long stepToMillis;

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    if (Thread.currentThread() == watched && ++looks == stepAt) {
      nowMillis.set(stepToMillis);
    }
    return nowMillis.get();
  }

  /** The time, which is no look. */
  public long nowMillis() {
    return nowMillis.get();
  }

  /** Sets the clock. */
  public void setMillis(long epochMillis) {
    nowMillis.set(epochMillis);
  }

  /**
   * From now on, counts the looks of this thread.
   *
   * @param look the look, from 1, at which the clock steps; 0 for none
   * @param toMillis to where it steps
   */
  public void watch(int look, long toMillis) {
    looks = 0;
    stepAt = look;
    stepToMillis = toMillis;
    watched = Thread.currentThread();
  }

  /** Ends {@link #watch}; returns how often the thread looked. */
  public int unwatch() {
    watched = null;
    return looks;
  }
}
