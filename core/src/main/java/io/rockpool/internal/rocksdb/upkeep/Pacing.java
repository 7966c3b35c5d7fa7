package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.rocksdb.natives.CloseGuard;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** Work in steps, with a rest after each, until the store is being closed. */
final class Pacing {
  private final CloseGuard guard;
  private final CountDownLatch stopped = new CountDownLatch(1);

  Pacing(CloseGuard guard) {
    this.guard = guard;
  }

  /**
   * Takes steps, each inside the {@link CloseGuard}, until one says that there is no other.
   *
   * @param restNanos how long to rest after so many nanoseconds of work
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

  /** Rests; says whether the store is being closed. */
  private boolean rested(long nanos) {
    try {
      return stopped.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Code of a user's that ran on this thread may have interrupted it.
      return stopped.getCount() == 0;
    }
  }

  /** Ends what runs after its step. */
  void stop() {
    stopped.countDown();
  }
}
