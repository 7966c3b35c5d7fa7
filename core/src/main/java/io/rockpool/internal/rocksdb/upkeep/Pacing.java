package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.concurrent.StopSignal;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** Runs work in steps with a rest after each, until the store is being closed. */
final class Pacing {
  private final CloseGuard guard;
  private final StopSignal stopped = new StopSignal();

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
      more &= !stopped.rest(restNanos.applyAsLong(System.nanoTime() - start));
    }
  }

  /** Ends the work after the current step. */
  void stop() {
    stopped.stop();
  }
}
