package io.rockpool.jcache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An entry is locked while a processor runs on it. */
@Timeout(120)
class ProcessorLocksTest extends JCacheTest {
  private static final int THREADS = 16;
  private static final int TIMES = 100;
  private static final Set<String> KEYS =
      new TreeSet<>(IntStream.range(0, 300).mapToObj(i -> "k" + i).toList());

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final AtomicInteger runs = new AtomicInteger();

  private Cache<String, Integer> cache;
  private Cache<String, Integer> watched;

  /** Counts its runs, and gives the others time to interfere. */
  private final EntryProcessor<String, Integer, Integer> increment =
      (entry, arguments) -> {
        runs.incrementAndGet();
        Integer there = entry.getValue();
        LockSupport.parkNanos(1_000);
        entry.setValue(there == null ? 1 : there + 1);
        return there;
      };

  @BeforeEach
  void open() {
    MutableConfiguration<String, Integer> plain =
        new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
    cache = manager().createCache("plain", plain);
    watched =
        manager()
            .createCache(
                "watched",
                plain.addCacheEntryListenerConfiguration(new ReplayedEvents().registration(true)));
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private Cache<String, Integer> cache(boolean isWatched) {
    return isWatched ? watched : cache;
  }

  /** Runs something on all threads, and waits for the end. */
  private void onAll(Runnable work) throws Exception {
    CyclicBarrier begin = new CyclicBarrier(THREADS);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      all.add(
          threads.submit(
              () -> {
                begin.await(30, SECONDS);
                work.run();
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get(60, SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aProcessorRunsOnceForEachInvoke(boolean isWatched) throws Exception {
    onAll(
        () -> {
          for (int i = 0; i < TIMES; i++) {
            cache(isWatched).invoke("a", increment);
          }
        });
    assertThat(cache(isWatched).get("a")).isEqualTo(THREADS * TIMES);
    assertThat(runs).hasValue(THREADS * TIMES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aProcessorRunsOnceForEachKeyOfAnInvokeAll(boolean isWatched) throws Exception {
    onAll(
        () -> {
          for (int i = 0; i < 3; i++) {
            cache(isWatched).invokeAll(KEYS, increment);
            cache(isWatched).invoke("k7", increment);
          }
        });
    assertThat(cache(isWatched).get("k8")).isEqualTo(3 * THREADS);
    assertThat(cache(isWatched).get("k7")).isEqualTo(6 * THREADS);
    assertThat(runs).hasValue(3 * THREADS * (KEYS.size() + 1));
  }

  /** As Spring's {@code @Cacheable(sync = true)} does it through JCache. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMissingValueIsComputedOnce(boolean isWatched) throws Exception {
    EntryProcessor<String, Integer, Integer> loading =
        (entry, arguments) -> {
          if (!entry.exists()) {
            runs.incrementAndGet();
            awaitAllInside();
            entry.setValue(7);
          }
          return entry.getValue();
        };
    onAll(() -> assertThat(cache(isWatched).invoke("a", loading)).isEqualTo(7));
    assertThat(runs).hasValue(1);
  }

  /** Until the other threads are about to wait for the lock, which no test can see for certain. */
  private static void awaitAllInside() {
    for (int i = 0; i < 1_000; i++) {
      LockSupport.parkNanos(1_000);
    }
  }

  /** A key waits for no other key, however many there are. */
  @Test
  void aProcessorMayWaitForThreadsThatRunOthers() throws Exception {
    CountDownLatch others = new CountDownLatch(1_000);
    Future<Integer> waiting =
        threads.submit(
            () ->
                cache.invoke(
                    "waiting",
                    (entry, arguments) -> {
                      try {
                        assertThat(others.await(60, SECONDS)).isTrue();
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                      entry.setValue(1);
                      return 1;
                    }));
    for (int i = 0; i < 1_000; i++) {
      cache.invoke("other" + i, increment);
      others.countDown();
    }
    assertThat(waiting.get(60, SECONDS)).isEqualTo(1);
  }

  /** Each of two processors wants the key of the other: one is refused, and all locks are free. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void processorsThatInvokeEachOthersKeyDoNotHang(boolean isWatched) throws Exception {
    Cache<String, Integer> crossed = cache(isWatched);
    CyclicBarrier both = new CyclicBarrier(2);
    List<Future<Integer>> calls = new ArrayList<>();
    for (String key : List.of("a", "b")) {
      String other = key.equals("a") ? "b" : "a";
      calls.add(
          threads.submit(
              () ->
                  crossed.invoke(
                      key,
                      (entry, arguments) -> {
                        try {
                          both.await(30, SECONDS);
                        } catch (Exception e) {
                          throw new AssertionError(e);
                        }
                        crossed.invoke(other, increment);
                        entry.setValue(1);
                        return 1;
                      })));
    }
    List<Throwable> failures = new ArrayList<>();
    for (Future<Integer> call : calls) {
      try {
        call.get(60, SECONDS);
      } catch (ExecutionException e) {
        failures.add(e);
      }
    }
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .rootCause()
        .hasMessageContaining("Deadlock");
    crossed.invokeAll(Set.of("a", "b"), increment);
    Rockpool pool = crossed.getCacheManager().unwrap(Rockpool.class);
    pool.atomically(tx -> crossed.invokeAll(Set.of("b", "a"), increment));
    assertThat(crossed.getAll(Set.of("a", "b"))).hasSize(2);
  }

  @Test
  void aProcessorMayInvokeOtherKeysAndOtherCaches() {
    Integer there =
        cache.invoke(
            "a",
            (entry, arguments) -> {
              cache.invoke("b", increment);
              watched.invoke("a", increment);
              watched.invokeAll(Set.of("b", "c"), increment);
              entry.setValue(1);
              return 1;
            });
    assertThat(there).isEqualTo(1);
    assertThat(cache.get("b")).isEqualTo(1);
    assertThat(watched.getAll(Set.of("a", "b", "c"))).isEqualTo(Map.of("a", 1, "b", 1, "c", 1));
  }

  @Test
  void aProcessorThatFailsReleasesItsKey() throws Exception {
    for (int i = 0; i < 3; i++) {
      Future<?> failed =
          threads.submit(
              () ->
                  cache.invoke(
                      "a",
                      (entry, arguments) -> {
                        throw new IllegalStateException("no");
                      }));
      try {
        failed.get(60, SECONDS);
      } catch (ExecutionException e) {
        assertThat(e).hasRootCauseMessage("no");
      }
    }
    assertThat(threads.submit(() -> cache.invoke("a", increment)).get(60, SECONDS)).isNull();
  }
}
