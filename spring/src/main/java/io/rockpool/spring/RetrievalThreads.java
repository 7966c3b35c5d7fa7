package io.rockpool.spring;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which a manager's caches read and call loaders for {@code retrieve}. They are no
 * other executor's, whose threads may all wait for retrievals. A thread whose loader waits for a
 * future is replaced meanwhile. There are no threads while there is nothing to do.
 */
final class RetrievalThreads {
  private static final int PARALLELISM = 64;
  private static final int MAX_THREADS = 1_000;
  private static final long KEEP_ALIVE_SECONDS = 10;

  private RetrievalThreads() {}

  static ExecutorService open() {
    // By default it is the system's loader, which does not know the classes in a Boot jar.
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return new ForkJoinPool(
        PARALLELISM,
        pool -> {
          ForkJoinWorkerThread thread =
              ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
          thread.setName("rockpool-retrieval-" + thread.getPoolIndex());
          thread.setContextClassLoader(loader);
          return thread;
        },
        null,
        true,
        PARALLELISM,
        MAX_THREADS,
        1,
        pool -> true,
        KEEP_ALIVE_SECONDS,
        TimeUnit.SECONDS);
  }
}
