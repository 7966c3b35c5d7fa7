package io.rockpool.cache;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The warm restarts of a store's caches: one thread for all, which is there once a cache is. */
final class WarmRestarts {
  /**
   * How often hot keys are kept: a process that is killed loses what became hot since. Keeping
   * 65,000 keys takes a tenth of a second, half of it under the lock of the tier's policy.
   */
  static final Duration PERIOD = Duration.ofMinutes(5);

  private final Duration period;
  private final List<WarmRestart<?, ?>> open = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable ScheduledThreadPoolExecutor thread;

  WarmRestarts(Duration period) {
    this.period = period;
  }

  /** Begins to bring back what was hot in a cache, and to keep what is. */
  synchronized void add(WarmRestart<?, ?> cache) {
    open.add(cache);
    if (thread == null) {
      thread = start();
    }
    try {
      thread.execute(() -> cache.bringBack(this::rest));
    } catch (RejectedExecutionException e) {
      open.remove(cache); // closed meanwhile
    }
  }

  private ScheduledThreadPoolExecutor start() {
    ScheduledThreadPoolExecutor started =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread it = new Thread(task, "rockpool-warm");
              it.setDaemon(true);
              return it;
            });
    started.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    Future<?> unused =
        started.scheduleWithFixedDelay(
            () -> open.forEach(WarmRestart::keep),
            period.toNanos(),
            period.toNanos(),
            TimeUnit.NANOSECONDS);
    return started;
  }

  /** Waits as long as the work took: at most half a processor, and half of what the disk can. */
  private void rest(long nanos) {
    try {
      boolean unused = closed.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // No one but a user's own code interrupts this thread, to have it end.
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps what is hot in a cache that is about to be closed. */
  void remove(WarmRestart<?, ?> cache) {
    if (open.remove(cache)) {
      cache.stop();
      cache.keep();
    }
  }

  /** Lets go of a cache that was dropped. */
  void forget(WarmRestart<?, ?> cache) {
    open.remove(cache);
    cache.stop();
  }

  /** Keeps what is hot in all caches, and ends. Running work may still ask the store for little. */
  void close() {
    closed.countDown();
    open.forEach(this::remove);
    synchronized (this) {
      if (thread != null) {
        thread.shutdown();
      }
    }
  }
}
