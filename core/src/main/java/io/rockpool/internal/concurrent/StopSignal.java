package io.rockpool.internal.concurrent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stops a background thread at its next rest. An interrupt ends one rest but stops no thread,
 * because user code that ran on it may have caused the interrupt. Thread-safe.
 */
public final class StopSignal {
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Starts without the signal. */
  public StopSignal() {}

  /** Gives the signal: it ends the current rest and all later ones. */
  public void stop() {
    stopped.countDown();
  }

  /** Whether the signal was given. */
  public boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Rests; returns whether the signal was given. */
  public boolean rest(long nanos) {
    try {
      return stopped.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return isStopped();
    }
  }
}
