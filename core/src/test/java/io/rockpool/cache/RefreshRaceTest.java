package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens while a loader of a refresh runs, on the cache's own threads. */
final class RefreshRaceTest {
  private static final Duration SOFT = Duration.ofSeconds(10);
  private static final Duration HARD = Duration.ofSeconds(60);

  /** A change by others while the value 1 is refreshed to be 2, and what must be there then. */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  enum Change {
    PUT(cache -> cache.put("a", 7), 7),
    PUT_OF_THE_SAME(cache -> cache.put("a", 1), 1),
    PUT_ALL(cache -> cache.putAll(Map.of("a", 7)), 7),
    COMPUTE(cache -> cache.compute("a", (key, value) -> 7), 7),
    REMOVE(cache -> cache.remove("a"), null),
    INVALIDATE(cache -> cache.invalidate("a"), null),
    CLEAR(PersistentCache::clear, null),
    REMOVE_AND_PUT_OF_THE_SAME(
        cache -> {
          cache.invalidate("a");
          cache.put("a", 1);
        },
        1),
    CLEAR_AND_LOAD(
        cache -> {
          cache.clear();
          cache.get("a", key -> 7);
        },
        7);

    private final Consumer<PersistentCache<String, Integer>> change;
    private final @Nullable Integer left;

    Change(Consumer<PersistentCache<String, Integer>> change, @Nullable Integer left) {
      this.change = change;
      this.left = left;
    }
  }

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = CacheSetup.ROCKSDB_ROOMY.open(directory, clock);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    pool.close();
  }

  private PersistentCache<String, Integer> cache(CacheOptions<String, Integer> options) {
    return pool.cache(
        "numbers", String.class, Integer.class, o -> options.expiry(CacheExpiry.afterWrite(HARD)));
  }

  /** A refresh that waits in its loader, on a thread of its own, and then has the value 2. */
  private CacheOptions<String, Integer> held() {
    return CacheOptions.<String, Integer>defaults()
        .softTtl(SOFT)
        .refreshExecutor(
            task ->
                new Thread(
                        () -> {
                          task.run();
                          ended.complete(null);
                        })
                    .start())
        .refreshLoader(held(2)::apply);
  }

  private Function<String, Integer> held(int value) {
    return key -> {
      begun.countDown();
      await(goOn);
      return value;
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatOthersDoMeanwhileStays(Change change) {
    PersistentCache<String, Integer> cache = cache(held());
    cache.put("a", 1);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get("a")).isEqualTo(1);
    await(begun);
    change.change.accept(cache);
    goOn.countDown();
    ended.orTimeout(30, SECONDS).join();
    assertThat(cache.get("a")).isEqualTo(change.left);
    assertThat(cache.statistics().refreshes()).isEqualTo(1);
  }

  @Test
  void aWriteThroughAnotherCacheOfTheNameStays() {
    PersistentCache<String, Integer> cache = cache(held());
    PersistentCache<String, Integer> other =
        Internals.store(pool)
            .caches()
            .openOwn(
                "numbers",
                TypeRef.of(String.class),
                TypeRef.of(Integer.class),
                CacheOptions.defaults());
    cache.put("a", 1);
    cache.put("b", 1);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get("a")).isEqualTo(1);
    await(begun);
    other.remove("a");
    goOn.countDown();
    ended.orTimeout(30, SECONDS).join();
    assertThat(cache.get("a")).isNull();
    assertThat(other.get("b")).isEqualTo(1);
  }

  @Test
  void whoMissesAKeyThatHasExpiredMeanwhileIsGivenTheResult() {
    PersistentCache<String, Integer> cache = cache(held());
    cache.put("a", 1);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get("a")).isEqualTo(1);
    await(begun);
    clock.advanceMillis(HARD.toMillis());
    AtomicBoolean loaded = new AtomicBoolean();
    CompletableFuture<@Nullable Integer> missed =
        CompletableFuture.supplyAsync(
            () ->
                cache.get(
                    "a",
                    key -> {
                      loaded.set(true);
                      return 3;
                    }),
            task -> new Thread(task).start());
    goOn.countDown();
    assertThat(missed.orTimeout(30, SECONDS).join()).isEqualTo(2);
    assertThat(loaded).isFalse();
    ended.orTimeout(30, SECONDS).join();
    assertThat(cache.get("a")).isEqualTo(2);
  }

  @Test
  void threadsAndThoseWhoWaitForThemAreBounded() {
    int bound = CacheRefresh.THREADS + CacheRefresh.WAITING;
    CountDownLatch refreshed = new CountDownLatch(bound);
    PersistentCache<String, Integer> cache =
        cache(
            CacheOptions.<String, Integer>defaults()
                .softTtl(SOFT)
                .refreshLoader(
                    key -> {
                      await(goOn);
                      refreshed.countDown();
                      return 2;
                    }));
    Map<String, Integer> all =
        IntStream.range(0, bound + 40).boxed().collect(Collectors.toMap(i -> "k" + i, i -> 1));
    cache.putAll(all);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.getAll(all.keySet())).isEqualTo(all);
    assertThat(cache.statistics().refreshRejections()).isEqualTo(40);
    assertThat(cache.statistics().staleHits()).isEqualTo(bound + 40);
    goOn.countDown();
    await(refreshed);
  }

  @Test
  void whatWasRejectedIsTriedByALaterRead() {
    AtomicBoolean full = new AtomicBoolean(true);
    PersistentCache<String, Integer> cache =
        cache(
            CacheOptions.<String, Integer>defaults()
                .softTtl(SOFT)
                .refreshLoader(key -> 2)
                .refreshExecutor(
                    task -> {
                      if (full.get()) {
                        throw new RejectedExecutionException("full");
                      }
                      task.run();
                    }));
    cache.put("a", 1);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.statistics().refreshRejections()).isEqualTo(1);
    full.set(false);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo(2);
  }

  @Test
  void whatTheExecutorHasLostIsTriedAgainAfterAMinute() {
    List<Runnable> tasks = new ArrayList<>();
    PersistentCache<String, Integer> cache =
        pool.cache(
            "numbers",
            String.class,
            Integer.class,
            o -> o.softTtl(SOFT).refreshLoader(key -> 2).refreshExecutor(tasks::add));
    cache.put("a", 1);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo(1);
    clock.advanceMillis(59_999);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(tasks).as("may still wait for a thread").hasSize(1);
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(tasks).hasSize(2);
    tasks.get(1).run();
    assertThat(cache.get("a")).isEqualTo(2);
    tasks.get(0).run();
    assertThat(cache.statistics().refreshes()).as("one that comes late does nothing").isEqualTo(1);
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(tasks).hasSize(3);
  }

  @Test
  void keysInTheirPauseAreBounded() {
    PersistentCache<String, Integer> cache =
        cache(
            CacheOptions.<String, Integer>defaults()
                .softTtl(SOFT)
                .refreshExecutor(Runnable::run)
                .refreshRetryPause(Duration.ofSeconds(20))
                .refreshLoader(
                    key -> {
                      throw new IllegalStateException("The source is down.");
                    }));
    int many = CacheRefresh.MAX_KEYS + 10;
    Map<String, Integer> all =
        IntStream.range(0, many).boxed().collect(Collectors.toMap(i -> "k" + i, i -> 1));
    cache.putAll(all);
    clock.advanceMillis(SOFT.toMillis());
    cache.getAll(all.keySet());
    assertThat(cache.statistics().refreshFailures()).isEqualTo(CacheRefresh.MAX_KEYS);
    clock.advanceMillis(20_000);
    cache.getAll(all.keySet());
    assertThat(cache.statistics().refreshFailures()).isGreaterThan(CacheRefresh.MAX_KEYS + 10);
  }
}
