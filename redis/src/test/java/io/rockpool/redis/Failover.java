package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Two stores at work while their server is replaced: counters, puts, reads of memory, and a load
 * that began before. Writes may be lost with the old server, but none is made twice.
 */
final class Failover implements AutoCloseable {
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final String COUNTER = "counter";
  private static final String LOADED = "loaded";

  private final PersistentCache<String, Long> mine;
  private final PersistentCache<String, Long> theirs;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong unavailable = new AtomicLong();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private final CountDownLatch loading = new CountDownLatch(1);
  private final CountDownLatch replaced = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ending;

  Failover(PersistentCache<String, Long> mine, PersistentCache<String, Long> theirs) {
    this.mine = mine;
    this.theirs = theirs;
    mine.put(COUNTER, 0L);
    run(() -> count(mine));
    run(() -> count(theirs));
    run(() -> putAndRead(mine, "p"));
    run(() -> putAndRead(theirs, "q"));
    run(this::load);
  }

  private void run(Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                wrong.compareAndSet(null, e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  /** Each increment is made once, or its caller is told that it may not have been made. */
  private void count(PersistentCache<String, Long> cache) {
    while (!ending) {
      try {
        Long unused = cache.compute(COUNTER, (key, value) -> value == null ? 1 : value + 1);
        acknowledged.incrementAndGet();
      } catch (OutcomeUnknownException e) {
        unknown.incrementAndGet();
      } catch (ServerUnavailableException e) {
        unavailable.incrementAndGet();
      }
      LockSupport.parkNanos(200_000);
    }
  }

  /** Own puts can be read, also from memory, unless the failover lost them. */
  private void putAndRead(PersistentCache<String, Long> cache, String key) {
    long value = 0;
    while (!ending) {
      try {
        cache.put(key, ++value);
        made.incrementAndGet();
        Long read = cache.get(key);
        if (read != null && read > value) {
          throw new AssertionError("read " + read + " of " + value);
        }
      } catch (OutcomeUnknownException | ServerUnavailableException e) {
        unavailable.incrementAndGet();
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** A load that lasts longer than the failover; the key is removed meanwhile. */
  private void load() {
    try {
      Long unused =
          mine.get(
              LOADED,
              key -> {
                loading.countDown();
                try {
                  replaced.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                return 1L;
              });
    } catch (OutcomeUnknownException | ServerUnavailableException e) {
      unavailable.incrementAndGet();
    }
  }

  /** Waits until there is work in flight. */
  void awaitWork() throws InterruptedException {
    loading.await();
    int before = made.get();
    await(() -> made.get() > before + 100);
  }

  /** Waits until both stores write again, and checks that they agree. */
  void check() throws InterruptedException {
    awaitWrites();
    awaitUntilDone(() -> mine.invalidate(LOADED));
    replaced.countDown();
    await(
        () ->
            wrong.get() != null
                || threads.get(threads.size() - 1).getState() == Thread.State.TERMINATED);
    ending = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong.get()).isNull();
    assertThat(mine.get(LOADED)).isNull();
    assertThat(theirs.get(LOADED)).isNull();
    Long counted = mine.get(COUNTER);
    System.getLogger("io.rockpool.redis")
        .log(
            System.Logger.Level.INFO,
            "Counted "
                + counted
                + ", acknowledged "
                + acknowledged
                + ", unknown "
                + unknown
                + ", unavailable "
                + unavailable);
    assertThat(counted).isNotNull().isLessThanOrEqualTo(acknowledged.get() + unknown.get());
    agree();
  }

  private void awaitWrites() {
    for (PersistentCache<String, Long> cache : List.of(mine, theirs)) {
      awaitUntilDone(() -> cache.put("again", 1L));
    }
    int before = made.get();
    await(() -> made.get() > before + 100);
  }

  private static void awaitUntilDone(Runnable write) {
    await(
        () -> {
          try {
            write.run();
            return true;
          } catch (OutcomeUnknownException | ServerUnavailableException e) {
            return false;
          }
        });
  }

  /** What one writes, the other sees, though it has the old value in memory. */
  private void agree() {
    for (long i = 1; i <= 20; i++) {
      long value = i;
      theirs.put("agreed", value);
      await(() -> Objects.equals(mine.get("agreed"), value));
      mine.put("agreed", -value);
      await(() -> Objects.equals(theirs.get("agreed"), -value));
    }
    await(() -> mine.get("agreed") != null && mine.hotSize() > 0);
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    boolean met = condition.getAsBoolean();
    while (!met && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
      met = condition.getAsBoolean();
    }
    assertThat(met).isTrue();
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    replaced.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
