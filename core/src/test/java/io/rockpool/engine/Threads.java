package io.rockpool.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs something in several threads at once. */
public final class Threads {
  /** How many threads contend in tests. */
  public static final int CONTENDERS = 8;

  private Threads() {}

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
