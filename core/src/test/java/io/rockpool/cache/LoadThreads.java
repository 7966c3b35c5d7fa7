package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of loads by threads that wait for each other, in two caches of one store. */
abstract class LoadThreads {
  static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  @TempDir Path directory;
  final List<Thread> threads = new ArrayList<>();
  Rockpool pool;
  PersistentCache<String, Integer> cache;
  PersistentCache<String, Integer> other;

  @BeforeEach
  void open() {
    pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock());
    cache = pool.cache("one", String.class, Integer.class);
    other = pool.cache("other", String.class, Integer.class);
  }

  @AfterEach
  void close() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
    }
    pool.close();
  }

  <T extends @Nullable Object> Future<T> start(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = new Thread(task);
    threads.add(thread);
    thread.start();
    return task;
  }

  static <T extends @Nullable Object> T get(Future<T> future) {
    try {
      return future.get(30, SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void awaitThatTheLastThreadWaits() {
    Thread thread = threads.get(threads.size() - 1);
    long until = System.nanoTime() + SECONDS.toNanos(30);
    while (!WAITING.contains(thread.getState())) {
      assertThat(System.nanoTime()).isLessThan(until);
      Thread.onSpinWait();
    }
  }

  static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
