package io.rockpool.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Runs an operation by several threads for some seconds, as fast as it goes or at a fixed rate.
 *
 * @param perSecond operations a second, of all threads together
 * @param nanos how long each took. At a fixed rate that is from the time at which the operation was
 *     due, so a pause counts for every operation that it delayed
 */
record Load(double perSecond, Histogram nanos) {
  private static final long SEED = 42;
  private static final int DIGITS = 3;
  private static final long SPIN_NANOS = 60_000;

  /** Runs without a pause. */
  static Load unlimited(int threads, int seconds, Consumer<SplittableRandom> operation)
      throws InterruptedException {
    return run(threads, seconds, 0, operation);
  }

  /** Runs {@code perSecond} operations a second. */
  static Load at(int perSecond, int threads, int seconds, Consumer<SplittableRandom> operation)
      throws InterruptedException {
    return run(threads, seconds, TimeUnit.SECONDS.toNanos(threads) / perSecond, operation);
  }

  private static Load run(
      int threads, int seconds, long intervalNanos, Consumer<SplittableRandom> operation)
      throws InterruptedException {
    List<Histogram> times = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    for (int thread = 0; thread < threads; thread++) {
      Histogram own = new Histogram(DIGITS);
      times.add(own);
      SplittableRandom random = new SplittableRandom(SEED + thread);
      long first = begin + intervalNanos * thread / threads;
      running.add(new Thread(() -> run(first, end, intervalNanos, random, operation, own)));
    }
    running.forEach(Thread::start);
    for (Thread thread : running) {
      thread.join();
    }
    Histogram all = new Histogram(DIGITS);
    times.forEach(all::add);
    double took = (double) (System.nanoTime() - begin) / TimeUnit.SECONDS.toNanos(1);
    return new Load(all.getTotalCount() / took, all);
  }

  private static void run(
      long first,
      long end,
      long intervalNanos,
      SplittableRandom random,
      Consumer<SplittableRandom> operation,
      Histogram times) {
    long due = first;
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      if (intervalNanos > 0) {
        waitUntil(due);
        now = due;
        due += intervalNanos;
      }
      operation.accept(random);
      times.recordValue(System.nanoTime() - now);
    }
  }

  private static void waitUntil(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
      left = nanos - System.nanoTime();
    }
  }

  /** The time that a part of all operations did not exceed, in microseconds. */
  double micros(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e3;
  }
}
