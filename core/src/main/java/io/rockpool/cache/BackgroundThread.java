package io.rockpool.cache;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread of the caches of a store, which is there once it has something to do. */
final class BackgroundThread {
  private static final Logger LOG = LoggerFactory.getLogger(PersistentCache.class);

  private final String name;
  private final Duration period;
  private final Runnable task;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable ScheduledThreadPoolExecutor thread;

  /**
   * One that is not there yet.
   *
   * @param task done again and again, a period after it was done last
   */
  BackgroundThread(String name, Duration period, Runnable task) {
    this.name = name;
    this.period = period;
    this.task = task;
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
            this::doTask, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    return started;
  }

  /** What is thrown would end it for good. */
  private void doTask() {
    try {
      task.run();
    } catch (Throwable e) {
      LOG.error("{} failed and goes on trying.", name, e);
    }
  }

  /** Lets it do something once; says whether it will, as it is not closed. */
  synchronized boolean execute(Runnable once) {
    start();
    try {
      if (thread != null) {
        thread.execute(once);
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
      // No one but a user's own code interrupts this thread, to have it end.
      Thread.currentThread().interrupt();
      return false;
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
