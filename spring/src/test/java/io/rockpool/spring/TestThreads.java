package io.rockpool.spring;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that end with a test. */
final class TestThreads implements AutoCloseable {
  final ExecutorService executor;

  TestThreads(int count) {
    executor = Executors.newFixedThreadPool(count);
  }

  <T> Future<T> submit(Callable<T> task) {
    return executor.submit(task);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
