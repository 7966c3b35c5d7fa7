package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Slow
class CacheConcurrencyTest extends OnEverySetup {
  private static final int THREADS = 8;
  private static final int ROUNDS = 4_000;

  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
  private PersistentCache<Integer, Long> cache;

  @BeforeEach
  void open() {
    cache = pool.cache("numbers", Integer.class, Long.class, o -> setup.options());
  }

  @AfterEach
  void close() {
    executor.shutdownNow();
  }

  private <T> List<T> inParallel(int tasks, TaskOf<T> task) throws Exception {
    List<Callable<T>> callables = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      int number = i;
      callables.add(() -> task.run(number));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : executor.invokeAll(callables)) {
      results.add(future.get());
    }
    return results;
  }

  private interface TaskOf<T> {
    T run(int number) throws Exception;
  }

  @Test
  void noReadReturnsWhatWasReplacedBeforeItBegan() throws Exception {
    int keys = 4;
    AtomicLongArray written = new AtomicLongArray(keys);
    AtomicInteger writers = new AtomicInteger(keys);
    inParallel(
        THREADS,
        thread -> {
          if (thread < keys) {
            for (long i = 1; i <= ROUNDS; i++) {
              if (i % 97 == 0) {
                cache.compute(thread, (k, v) -> v + 1);
              } else {
                cache.put(thread, i);
              }
              written.set(thread, i);
            }
            writers.decrementAndGet();
          } else {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            while (writers.get() > 0) {
              int key = random.nextInt(keys);
              long atLeast = written.get(key);
              Long read = cache.get(key);
              assertThat(read == null ? 0 : read).isGreaterThanOrEqualTo(atLeast);
            }
          }
          return thread;
        });
    for (int key = 0; key < keys; key++) {
      assertThat(cache.get(key)).isEqualTo(ROUNDS);
    }
  }

  @Test
  void whatWasRemovedStaysAway() throws Exception {
    inParallel(
        THREADS,
        thread -> {
          if (thread % 2 == 0) {
            for (long i = 0; i < ROUNDS; i++) {
              cache.put(thread, i);
              assertThat(cache.get(thread)).isEqualTo(i);
              cache.invalidate(thread);
              assertThat(cache.get(thread)).isNull();
            }
          } else {
            for (int i = 0; i < ROUNDS * 2; i++) {
              cache.get(thread - 1);
            }
          }
          return thread;
        });
  }

  @Test
  void contendedComputesAreExact() throws Exception {
    inParallel(
        THREADS,
        thread -> {
          for (int i = 0; i < 500; i++) {
            cache.compute(1, (k, v) -> v == null ? 1 : v + 1);
            cache.merge(i % 3 + 2, 1L, Long::sum);
          }
          return thread;
        });
    assertThat(cache.get(1)).isEqualTo(THREADS * 500L);
    assertThat(cache.get(2) + cache.get(3) + cache.get(4)).isEqualTo(THREADS * 500L);
  }

  @Test
  void hotTierAgreesWithDiskAfterRacingWrites() throws Exception {
    for (int round = 0; round < 300; round++) {
      int key = round;
      inParallel(
          THREADS,
          thread -> {
            if (thread % 4 == 3) {
              return cache.get(key);
            }
            cache.put(key, (long) thread);
            return null;
          });
      Long hot = cache.get(key);
      Long disk =
          java.util.stream.StreamSupport.stream(cache.spliterator(), false)
              .filter(entry -> entry.getKey() == key)
              .findFirst()
              .orElseThrow()
              .getValue();
      assertThat(hot).isEqualTo(disk);
      cache.clear();
    }
  }

  @Test
  void aMissingKeyIsLoadedOnceForAll() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch arrived = new CountDownLatch(THREADS);
    List<Long> results =
        inParallel(
            THREADS,
            thread -> {
              arrived.countDown();
              return cache.get(
                  1,
                  key -> {
                    try {
                      arrived.await();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                    return (long) calls.incrementAndGet();
                  });
            });
    assertThat(results).containsOnly(1L);
    assertThat(calls).hasValue(1);
  }
}
