package io.rockpool.internal.queue;

import io.rockpool.internal.concurrent.WaitingLine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receivers that wait for messages. Of all waiting threads only one sleeps until the next due time,
 * the others until a call: so a due time wakes one thread. Each transaction calls another thread if
 * it leaves a message that is ready, or a due time that no thread sleeps until.
 */
final class DueAlarm {
  private static final long UNSET = Long.MAX_VALUE;

  private final WaitingLine receivers = new WaitingLine();
  private final AtomicLong armed = new AtomicLong(UNSET);
  private final LongSupplier nowMillis;
  private final LongSupplier nanosToLook;

  DueAlarm(LongSupplier nowMillis, LongSupplier nanosToLook) {
    this.nowMillis = nowMillis;
    this.nanosToLook = nanosToLook;
  }

  /**
   * Wakes {@code count} threads, and one more unless a thread sleeps until {@code dueMillis} at the
   * latest.
   */
  void call(long count, long dueMillis) {
    long all = dueMillis < armed.get() ? count + 1 : count;
    if (all > 0) {
      receivers.call(all);
    }
  }

  void callAll() {
    receivers.callAll();
  }

  /**
   * Repeats an attempt until it succeeds or the time is up.
   *
   * @param attempt returns null if it did not succeed
   * @param dueMillis when the next attempt may succeed without a call; called after each attempt
   * @return the result, or null after the timeout
   */
  <R> @Nullable R await(Supplier<@Nullable R> attempt, LongSupplier dueMillis, long nanos)
      throws InterruptedException {
    Waiter waiter = new Waiter();
    try {
      return receivers.<R>await(
          () -> {
            waiter.disarm();
            return attempt.get();
          },
          nanos,
          () -> waiter.arm(dueMillis.getAsLong()));
    } finally {
      if (waiter.disarm() || waiter.wasArmed) {
        receivers.call(1); // another thread sleeps until the next due time
      }
    }
  }

  /** One waiting thread. */
  private final class Waiter {
    private long mine = UNSET;
    private boolean wasArmed;

    /** Returns how long to sleep. */
    long arm(long dueMillis) {
      long before = armed.get();
      while (dueMillis < before) {
        if (armed.compareAndSet(before, dueMillis)) {
          mine = dueMillis;
          wasArmed = true;
          long millis = Math.max(1, dueMillis - nowMillis.getAsLong());
          return Math.min(nanosToLook.getAsLong(), TimeUnit.MILLISECONDS.toNanos(millis));
        }
        before = armed.get();
      }
      return nanosToLook.getAsLong();
    }

    boolean disarm() {
      boolean was = mine != UNSET;
      if (was) {
        armed.compareAndSet(mine, UNSET);
        mine = UNSET;
      }
      return was;
    }
  }
}
