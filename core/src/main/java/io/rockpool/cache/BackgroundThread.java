package io.rockpool.cache;

import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread of the caches of a store, which is there once it has something to do. */
final class BackgroundThread {
  private final String name;
  private final Duration period;
  private final Runnable task;
  private final Upkeep upkeep;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable ScheduledThreadPoolExecutor thread;

  /**
   * One that is not there yet.
   *
   * @param task done again and again, a period after it was done last
   */
  BackgroundThread(String name, Duration period, Runnable task, Upkeep upkeep) {
    this.name = name;
    this.period = period;
    this.task = task;
    this.upkeep = upkeep;
  }

  /** Has it be there, unless it is closed. */
  synchronized void start() {
    if (thread == null && closed.getCount() > 0) {
      thread = started();
    }
  }

  private ScheduledThreadPoolExecutor started() {
    ScheduledThreadPoolExecutor started =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread it = new Thread(work, name);
              it.setDaemon(true);
              it.setContextClassLoader(BackgroundThread.class.getClassLoader());
              return it;
            });
    started.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    Future<?> unused =
        started.scheduleWithFixedDelay(
            () -> upkeep.run(name, task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    return started;
  }

  /** Lets it do something once; says whether it will, as it is not closed. */
  synchronized boolean execute(Runnable once) {
    start();
    try {
      if (thread != null) {
        thread.execute(() -> upkeep.run(name, once));
      }
      return thread != null;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Lets it rest; says whether it may go on, as it is not closed. */
  boolean rest(long nanos) {
    try {
      return !closed.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Code of a user's that ran on this thread may have interrupted it.
      return closed.getCount() > 0;
    }
  }

  /** Lets it rest no longer. */
  void wake() {
    closed.countDown();
  }

  /** Lets it end after what it does just now, and does not wait for that. */
  synchronized void close() {
    wake();
    if (thread != null) {
      thread.shutdown();
    }
  }
}
