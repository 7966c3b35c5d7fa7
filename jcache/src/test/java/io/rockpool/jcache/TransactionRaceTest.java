package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.NotEncrypted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watched caches in transactions of many threads: none waits for ever, and each event fits. */
class TransactionRaceTest extends JCacheTest {
  private static final int TIMES = 300;
  private static final int THREADS = 4;

  /** A race that lasts longer is a deadlock; on an idle machine each takes about a second. */
  private static final long LIMIT_SECONDS = 60;

  private static final int KEYS = 5;
  private static final int MAX_OPERATIONS = 4;

  private final ReplayedEvents events = new ReplayedEvents();

  /** Runs all at once, each on a thread of its own, which does not keep the process. */
  private static void race(List<? extends Callable<?>> runners) throws Exception {
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "racer");
              thread.setDaemon(true);
              return thread;
            });
    CountDownLatch start = new CountDownLatch(runners.size());
    List<Future<?>> all = new ArrayList<>();
    for (Callable<?> runner : runners) {
      all.add(
          threads.submit(
              () -> {
                start.countDown();
                start.await();
                return runner.call();
              }));
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS))
        .as("all have ended")
        .isTrue();
    for (Future<?> each : all) {
      each.get();
    }
  }

  private static Callable<?> repeated(Runnable step) {
    return Executors.callable(
        () -> {
          for (int i = 0; i < TIMES; i++) {
            step.run();
          }
        });
  }

  private Cache<String, Integer> watched(CacheManager manager, String name, boolean synchronous) {
    return manager.createCache(
        name,
        new MutableConfiguration<String, Integer>()
            .setTypes(String.class, Integer.class)
            .setStatisticsEnabled(true)
            .addCacheEntryListenerConfiguration(events.registration(synchronous)));
  }

  private static void atomically(Cache<?, ?> cache, Runnable work) {
    cache
        .getCacheManager()
        .unwrap(Rockpool.class)
        .atomically(
            tx -> {
              work.run();
              return true;
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTransactionAndPlainWritesDoNotWaitForEachOther(boolean synchronous) throws Exception {
    Cache<String, Integer> cache = watched(manager(), "c", synchronous);
    race(
        List.of(
            repeated(
                () ->
                    atomically(
                        cache,
                        () -> {
                          cache.put("a", 1);
                          cache.put("b", 1);
                        })),
            repeated(() -> cache.putAll(Map.of("a", 2, "b", 2))),
            repeated(
                () -> {
                  cache.put("b", 3);
                  cache.remove("a");
                }),
            repeated(() -> cache.invoke("a", (entry, arguments) -> entry.exists()))));
  }

  @Test
  void transactionsOverTwoCachesInBothOrdersDoNotWaitForEachOther() throws Exception {
    Cache<String, Integer> one = watched(manager(), "one", true);
    Cache<String, Integer> other = watched(manager(), "other", false);
    race(
        List.of(
            repeated(
                () ->
                    atomically(
                        one,
                        () -> {
                          one.put("k", 1);
                          other.put("k", 1);
                        })),
            repeated(
                () ->
                    atomically(
                        one,
                        () -> {
                          other.remove("k");
                          one.remove("k");
                        })),
            repeated(() -> one.put("k", 2)),
            repeated(() -> other.put("k", 2))));
  }

  @Test
  void closingDoesNotWaitForEver() throws Exception {
    Cache<String, Integer> cache = watched(manager(), "c", false);
    AtomicBoolean closed = new AtomicBoolean();
    CountDownLatch running = new CountDownLatch(2);
    Callable<Boolean> writer =
        () -> {
          try {
            while (!closed.get()) {
              atomically(
                  cache,
                  () -> {
                    cache.put("a", 1);
                    cache.put("b", 1);
                  });
              cache.putAll(Map.of("a", 2, "b", 2));
              running.countDown();
            }
          } catch (IllegalStateException | CacheException e) {
            // It was closed.
          }
          return true;
        };
    race(
        List.of(
            writer,
            writer,
            () -> {
              running.await();
              provider.close();
              closed.set(true);
              return true;
            }));
    assertThat(cache.isClosed()).isTrue();
  }

  @Test
  void eachCommitIsToldOnceAndCountedOnce() throws Exception {
    Cache<String, Integer> cache = watched(manager(), "c", true);
    AtomicInteger runs = new AtomicInteger();
    List<Callable<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      all.add(
          repeated(
              () ->
                  atomically(
                      cache,
                      () -> {
                        runs.incrementAndGet();
                        Integer there = cache.get("k");
                        cache.put("k", there == null ? 1 : there + 1);
                      })));
    }
    all.add(repeated(() -> cache.put("other", 1)));
    race(all);
    int commits = THREADS * TIMES;
    assertThat(runs.get()).isGreaterThanOrEqualTo(commits);
    assertThat(cache.get("k")).isEqualTo(commits);
    assertThat(events.all().stream().filter(text -> text.contains(" k ")))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, commits)
                .mapToObj(i -> i == 1 ? "CREATED k null->1" : "UPDATED k " + (i - 1) + "->" + i)
                .toList());
    RockpoolStatisticsMXBean statistics = statistics(cache).orElseThrow();
    assertThat(statistics.getCachePuts()).isEqualTo(commits + TIMES);
    assertThat(statistics.getCacheGets()).isEqualTo(commits + 1);
    assertThat(statistics.getCacheMisses()).isEqualTo(1);
  }

  @Test
  void eventsOfRandomTransactionsReplayToWhatIsThere() throws Exception {
    replays(manager());
  }

  @Test
  @NotEncrypted("the engine compares the bytes of two runs")
  void soTheyDoOverAnEngineThatRunsEverythingTwice() throws Exception {
    CacheManager manager = managerOver(MemoryEngine.builder().adversary(7).build());
    try {
      replays(manager);
    } finally {
      manager.close();
    }
  }

  private void replays(CacheManager manager) throws Exception {
    Cache<String, Integer> cache = watched(manager, "c", true);
    List<Callable<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(i);
      all.add(repeated(() -> step(cache, random)));
    }
    race(all);
    Map<String, Integer> there = new HashMap<>();
    cache.forEach(entry -> there.put(entry.getKey(), entry.getValue()));
    assertThat(events.misfits()).isEmpty();
    assertThat(events.state()).isEqualTo(there);
  }

  /** A transaction, one that rolls back, one with a part that does, or a plain operation. */
  private static void step(Cache<String, Integer> cache, Random random) {
    List<Runnable> operations = new ArrayList<>();
    for (int i = random.nextInt(MAX_OPERATIONS) + 1; i > 0; i--) {
      operations.add(operation(cache, random));
    }
    int kind = random.nextInt(6);
    if (kind == 0) {
      operations.get(0).run();
      return;
    }
    Rollback rollback = new Rollback();
    try {
      atomically(
          cache,
          () -> {
            operations.forEach(Runnable::run);
            if (kind == 1) {
              throw rollback;
            }
            if (kind == 2) {
              try {
                atomically(
                    cache,
                    () -> {
                      operations.forEach(Runnable::run);
                      throw rollback;
                    });
              } catch (Rollback e) {
                operations.get(0).run();
              }
            }
          });
    } catch (Rollback e) {
      assertThat(e).isSameAs(rollback);
    }
  }

  private static final class Rollback extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static Runnable operation(Cache<String, Integer> cache, Random random) {
    String key = "k" + random.nextInt(KEYS);
    String second = "k" + random.nextInt(KEYS);
    int value = random.nextInt(1_000);
    return switch (random.nextInt(9)) {
      case 0 -> () -> cache.put(key, value);
      case 1 -> () -> cache.remove(key);
      case 2 -> () -> cache.getAndPut(key, value);
      case 3 -> () -> cache.putIfAbsent(key, value);
      case 4 -> () -> cache.replace(key, value);
      case 5 ->
          () ->
              cache.putAll(
                  key.equals(second) ? Map.of(key, value) : Map.of(key, value, second, value));
      case 6 -> () -> cache.removeAll(Set.of(key));
      case 7 ->
          () ->
              cache.invoke(
                  key,
                  (entry, arguments) -> {
                    if (entry.exists()) {
                      entry.remove();
                    } else {
                      entry.setValue(value);
                    }
                    return value;
                  });
      default ->
          () ->
              cache.invokeAll(
                  key.equals(second) ? Set.of(key) : Set.of(key, second),
                  (entry, arguments) -> {
                    entry.setValue(value);
                    return value;
                  });
    };
  }
}
