package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.rocksdb.natives.CloseGuard;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** Runs work in steps with a rest after each, until the store is being closed. */
final class Pacing {
  private final CloseGuard guard;
  private final CountDownLatch stopped = new CountDownLatch(1);

  Pacing(CloseGuard guard) {
    this.guard = guard;
  }

  /**
   * Runs steps, each inside the {@link CloseGuard}, until one returns false.
   *
   * @param restNanos the rest for a step's working time, both in nanoseconds
   */
  void run(BooleanSupplier step, LongUnaryOperator restNanos) {
    boolean more = true;
    while (more && guard.tryEnter()) {
      long start = System.nanoTime();
      try {
        more = step.getAsBoolean();
      } finally {
        guard.leave();
      }
      more &= !rested(restNanos.applyAsLong(System.nanoTime() - start));
    }
  }

  /** Rests; returns whether the store is being closed. */
  private boolean rested(long nanos) {
    try {
      return stopped.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // User code that ran on this thread may have interrupted it.
      return stopped.getCount() == 0;
    }
  }

  /** Ends the work after the current step. */
  void stop() {
    stopped.countDown();
  }
}
