package io.rockpool.structure;

import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until something they try succeeds. They sleep until they are called, longest
 * first; a thread that comes new may be faster than one that was called.
 *
 * <p>No call is missed: a thread stands in the line before it tries, and who makes a change looks
 * for a line after it. So the one sees the change, or the other the thread. What a thread tries
 * runs under no lock. A thread that leaves without success passes a call on.
 */
final class WaitingLine {
  private final OrderedLock lock = new OrderedLock(LockLevel.WAITERS);
  private final Condition called = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong calls = new AtomicLong();

  /** Calls {@code count} threads, or all that wait. Costs one read of memory if none does. */
  void call(long count) {
    if (waiting.get() == 0) {
      return;
    }
    lock.lock();
    try {
      calls.incrementAndGet();
      for (long left = Math.min(count, waiting.get()); left > 0; left--) {
        called.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Calls all. */
  void callAll() {
    call(Long.MAX_VALUE);
  }

  /**
   * Tries until it succeeds or the time is up; at once, then whenever called.
   *
   * @param attempt returns null if it did not succeed; what it throws ends the waiting
   * @param nanos how long to wait, in nanoseconds; not at all if it is not positive
   * @param nextLook in how many nanoseconds to try again without a call; asked after each attempt
   * @return what the attempt returned, or null if the time is up
   * @throws InterruptedException if the thread is interrupted when it comes or while it waits
   */
  <R> @Nullable R await(Supplier<@Nullable R> attempt, long nanos, LongSupplier nextLook)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    R result = attempt.get();
    return result != null || nanos <= 0 ? result : awaitInLine(attempt, nanos, nextLook);
  }

  private <R> @Nullable R awaitInLine(
      Supplier<@Nullable R> attempt, long nanos, LongSupplier nextLook)
      throws InterruptedException {
    R result = null;
    long left = nanos;
    waiting.incrementAndGet();
    try {
      while (true) {
        long seen = calls.get();
        result = attempt.get();
        if (result != null || left <= 0) {
          return result;
        }
        long sleep = Math.min(left, nextLook.getAsLong());
        left -= sleep - sleep(seen, sleep);
      }
    } finally {
      waiting.decrementAndGet();
      if (result == null) {
        call(1);
      }
    }
  }

  /** Sleeps unless called since {@code seen}; returns how much of the time is left. */
  @SuppressWarnings("WaitNotInLoop") // whoever wakes up tries again, for whatever reason
  private long sleep(long seen, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return calls.get() == seen ? called.awaitNanos(nanos) : nanos;
    } finally {
      lock.unlock();
    }
  }
}
