package io.rockpool.engine.rocksdb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that does one thing again and again, until it is stopped. */
final class Ticker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbEngine.class);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Runnable action;
  private final long periodNanos;
  private final Thread thread;
  private boolean failing;

  private Ticker(String name, Duration period, Runnable action) {
    this.action = action;
    this.periodNanos = period.toNanos();
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Starts to run {@code action} once each {@code period}. */
  static Ticker start(String name, Duration period, Runnable action) {
    Ticker ticker = new Ticker(name, period, action);
    ticker.thread.start();
    return ticker;
  }

  private void run() {
    try {
      while (!stopped.await(periodNanos, TimeUnit.NANOSECONDS)) {
        runOnce();
      }
    } catch (InterruptedException e) {
      // No one but a user's own code interrupts this thread, to have it end.
      Thread.currentThread().interrupt();
    }
  }

  private void runOnce() {
    try {
      action.run();
      failing = false;
    } catch (RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.error("{} failed and goes on trying.", thread.getName(), e);
      }
    }
  }

  /** Stops it and waits for a running action to end. */
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
