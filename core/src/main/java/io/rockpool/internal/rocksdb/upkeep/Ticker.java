package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A daemon thread that repeats an action until it is closed. Neither a failure nor an interrupt
 * ends it.
 */
public final class Ticker implements AutoCloseable {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Runnable action;
  private final long periodNanos;
  private final Thread thread;
  private final Upkeep upkeep;

  private Ticker(String name, Duration period, Runnable action, Upkeep upkeep) {
    this.upkeep = upkeep;
    this.action = action;
    this.periodNanos = period.toNanos();
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Starts a thread that runs {@code action} once each {@code period}. */
  public static Ticker start(String name, Duration period, Runnable action, Upkeep upkeep) {
    Ticker ticker = new Ticker(name, period, action, upkeep);
    ticker.thread.start();
    return ticker;
  }

  private void run() {
    while (!isStopped()) {
      upkeep.run(thread.getName(), action);
    }
  }

  /** Waits for a period; returns whether the thread must end. */
  private boolean isStopped() {
    try {
      return stopped.await(periodNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // User code that ran on this thread may have interrupted it.
      return stopped.getCount() == 0;
    }
  }

  /** Stops the thread and waits for a running action to end. */
  @Override
  public void close() {
    stopped.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
