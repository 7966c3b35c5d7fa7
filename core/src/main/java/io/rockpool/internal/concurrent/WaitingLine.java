package io.rockpool.internal.concurrent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue of threads that repeat an attempt until it succeeds. They sleep until they are woken,
 * longest waiting first. A thread that has not waited can still be faster than one just woken.
 *
 * <p>No wake-up is lost: a thread joins the queue before its attempt, and a writer checks the queue
 * after its change. So either the waiter sees the change, or the writer sees the waiter. Attempts
 * run without a lock. A thread that leaves without success wakes another one.
 */
public final class WaitingLine {
  private final OrderedLock lock = new OrderedLock(LockLevel.WAITERS);
  private final Condition called = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong calls = new AtomicLong();

  /** Lines of threads that wait for several things; each call wakes them as well. */
  private final List<WaitingLine> followers = new CopyOnWriteArrayList<>();

  /**
   * Wakes {@code count} threads, or all if fewer wait. Costs one memory read if no thread waits.
   */
  public void call(long count) {
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
    followers.forEach(WaitingLine::callAll);
  }

  /** Wakes all waiting threads. */
  public void callAll() {
    call(Long.MAX_VALUE);
  }

  /**
   * Repeats {@code attempt} until it succeeds or the time is up: immediately, then after each
   * wake-up.
   *
   * @param attempt returns null if it did not succeed; an exception ends the wait
   * @param nanos the timeout in nanoseconds; zero or less means one attempt
   * @param nextLook nanoseconds until the next attempt without a wake-up; called after each attempt
   * @return the result of the attempt, or null after the timeout
   * @throws InterruptedException if the thread is interrupted on entry or while it waits
   */
  public <R> @Nullable R await(Supplier<@Nullable R> attempt, long nanos, LongSupplier nextLook)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    R result = attempt.get();
    return result != null || nanos <= 0 ? result : awaitInLine(attempt, nanos, nextLook);
  }

  /**
   * Like {@link #await}, for an attempt that can succeed because time has passed. {@code nextLook}
   * is called before each attempt that may be followed by sleep. If it were called afterwards, it
   * would no longer see what expired since the attempt, and the thread would sleep on.
   */
  public <R> @Nullable R awaitExpiry(
      Supplier<@Nullable R> attempt, long nanos, LongSupplier nextLook)
      throws InterruptedException {
    R result = await(attempt, 0, nextLook);
    if (result != null || nanos <= 0) {
      return result;
    }
    long[] sleep = new long[1];
    return awaitInLine(
        () -> {
          sleep[0] = nextLook.getAsLong();
          return attempt.get();
        },
        nanos,
        () -> sleep[0]);
  }

  /**
   * Like {@link #await}, in several lines at once: each call of one of them repeats the attempt. A
   * call wakes such a thread and does not count it, so it takes no wake-up from another thread.
   */
  public static <R> @Nullable R awaitAny(
      List<WaitingLine> lines, Supplier<@Nullable R> attempt, long nanos, LongSupplier nextLook)
      throws InterruptedException {
    WaitingLine own = new WaitingLine();
    R result = own.await(attempt, 0, nextLook);
    if (result != null || nanos <= 0) {
      return result;
    }
    lines.forEach(line -> line.follow(own));
    try {
      return own.awaitInLine(attempt, nanos, nextLook);
    } finally {
      lines.forEach(line -> line.unfollow(own));
    }
  }

  private void follow(WaitingLine own) {
    followers.add(own);
    waiting.incrementAndGet();
  }

  private void unfollow(WaitingLine own) {
    waiting.decrementAndGet();
    followers.remove(own);
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

  /**
   * Sleeps unless there was a call since {@code seen}; returns how much of {@code nanos} is left.
   */
  @SuppressWarnings("WaitNotInLoop") // the caller repeats its attempt after any wake-up
  private long sleep(long seen, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return calls.get() == seen ? called.awaitNanos(nanos) : nanos;
    } finally {
      lock.unlock();
    }
  }
}
