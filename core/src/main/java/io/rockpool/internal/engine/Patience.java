package io.rockpool.internal.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Repeats an attempt for a {@link BoundTransaction}. Such a transaction cannot run again, so it
 * prefers a short wait to a conflict. The wait is bounded, so that a deadlock ends.
 */
public final class Patience {
  private static final int ATTEMPTS = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Patience() {}

  /**
   * Repeats {@code attempt} for about a second, or until it succeeds. An interrupt shortens that.
   *
   * @return whether it succeeded
   */
  public static boolean tryFor(BooleanSupplier attempt) {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (attempt.getAsBoolean()) {
        return true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return attempt.getAsBoolean();
  }
}
