package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads of a test: that must end and tell when they wait, or that begin together. */
public final class Threads {
  /** What takes longer on a busy machine hangs. */
  private static final long LIMIT_SECONDS = 20;

  /** How many threads contend in tests. */
  public static final int CONTENDERS = 8;

  private Threads() {}

  /** A started task and its thread. */
  public static final class Running<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private Running(Callable<T> work) {
      task = new FutureTask<>(work);
      thread = new Thread(task, "a test's");
      thread.setDaemon(true);
      thread.start();
    }

    /** Waits until the thread waits for something, or has ended. */
    public void awaitWaiting() {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      int waits = 0;
      while (thread.isAlive() && waits < 3) { // three times in a row: not a moment's sleep
        assertThat(System.nanoTime() - end).as("the thread goes on").isNegative();
        waits = thread.getState() == Thread.State.RUNNABLE ? 0 : waits + 1;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }

    /** Whether the task has not ended. */
    public boolean isRunning() {
      return !task.isDone();
    }

    /** What the task returned; a failure where it does not end. */
    public T result() throws Exception {
      return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Starts {@code work} on a thread of its own. */
  public static <T> Running<T> start(Callable<T> work) {
    return new Running<>(work);
  }

  /** Waits for a latch; a failure where it stays closed. */
  public static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("a latch opens").isTrue();
  }

  /** What one thread does; it gets its number, from 0 on. */
  @FunctionalInterface
  public interface Work {
    void run(int thread) throws Exception;
  }

  /**
   * Lets {@code threads} threads begin together, and returns when all are done; throws what one of
   * them threw.
   */
  public static void run(int threads, Work work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(
            executor.submit(
                () -> {
                  start.await();
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
