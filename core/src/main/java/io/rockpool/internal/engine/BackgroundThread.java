package io.rockpool.internal.engine;

import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.concurrent.StopSignal;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread of a store that repeats a task. It exists from its first use until it is closed.
 * Neither a failure nor an interrupt ends it. Thread-safe.
 */
public final class BackgroundThread implements AutoCloseable {
  /** How long it waits for room in the heap. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String name;
  private final Duration period;
  private final Runnable task;
  private final Upkeep upkeep;
  private final StopSignal closed = new StopSignal();
  private @Nullable ScheduledThreadPoolExecutor thread;

  /**
   * Creates the thread without starting it.
   *
   * @param period the time between the end of one run of the task and the start of the next
   */
  public BackgroundThread(String name, Duration period, Runnable task, Upkeep upkeep) {
    this.name = name;
    this.period = period;
    this.task = task;
    this.upkeep = upkeep;
  }

  /** Starts the thread unless closed or already started; returns this. */
  public synchronized BackgroundThread start() {
    if (thread == null && !closed.isStopped()) {
      thread = new ScheduledThreadPoolExecutor(1, this::newThread);
      thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      Object unused =
          thread.scheduleWithFixedDelay(
              () -> upkeep.run(name, task),
              Durations.nanos(period),
              Durations.nanos(period),
              TimeUnit.NANOSECONDS);
    }
    return this;
  }

  private Thread newThread(Runnable work) {
    Thread created = new Thread(() -> run(work), name);
    created.setDaemon(true);
    // The creating thread's loader may be an application's, which this thread must not retain.
    created.setContextClassLoader(BackgroundThread.class.getClassLoader());
    return created;
  }

  /** Runs the executor. If the heap is too full for it, its thread ends and another is started. */
  private void run(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      upkeep.failed(name, e);
      while (!closed.isStopped() && !isRunningAgain()) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private synchronized boolean isRunningAgain() {
    try {
      boolean unused = thread != null && thread.prestartCoreThread();
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  /** Runs {@code once} on the thread; returns false if the thread is closed. */
  public synchronized boolean execute(Runnable once) {
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

  /** Rests, on this thread; returns false if the thread is closed. */
  public boolean rest(long nanos) {
    return !closed.rest(nanos);
  }

  /** Ends the current rest and all later ones. */
  public void wake() {
    closed.stop();
  }

  /** Ends the thread after its running task, without waiting for it. */
  public synchronized void stop() {
    wake();
    if (thread != null) {
      thread.shutdown();
    }
  }

  /** Ends the thread and waits for its running task, even if the caller is interrupted. */
  @Override
  public void close() {
    stop();
    ScheduledThreadPoolExecutor closing;
    synchronized (this) {
      closing = thread;
    }
    boolean interrupted = false;
    while (closing != null && !closing.isTerminated()) {
      try {
        boolean unused = closing.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
