package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.FakeClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.cache.Cache.ValueWrapper;
import org.springframework.cache.interceptor.SimpleKey;

final class RockpoolCacheTest {
  record Money(String currency, long cents) {}

  /** Neither serializable nor a record. */
  static final class Invoice {
    String number = "";
    final List<Money> lines = new ArrayList<>();
  }

  record Page<T>(List<T> items, Optional<String> next) {}

  private final FakeClock clock = new FakeClock();
  private Rockpool pool;
  private RockpoolCacheManager manager;
  private Cache cache;

  @BeforeEach
  void open(@TempDir Path directory) {
    pool = Rockpool.at(directory).clock(clock).open();
    manager =
        new RockpoolCacheManager(pool, Codecs.builder().allowPackage("io.rockpool.spring").build());
    manager.setDefaults(
        RockpoolCacheConfiguration.unsaid()
            .ttl(Duration.ofMinutes(10))
            .nullTtl(Duration.ofSeconds(5)));
    cache = manager.getCache("cache");
  }

  @AfterEach
  void close() {
    manager.close();
    pool.close();
  }

  @Test
  void valuesNeedNoInterface() {
    Invoice invoice = new Invoice();
    invoice.number = "i-1";
    invoice.lines.add(new Money("EUR", 99));
    cache.put(1, invoice);
    cache.put(2, new Page<>(List.of(new Money("EUR", 1)), Optional.of("p2")));
    cache.put(3, Map.of("a", List.of(1, 2)));
    cache.put(4, Optional.of("x"));

    Invoice read = cache.get(1, Invoice.class);
    assertThat(read).isNotSameAs(invoice).usingRecursiveComparison().isEqualTo(invoice);
    assertThat(cache.get(2).get())
        .isEqualTo(new Page<>(List.of(new Money("EUR", 1)), Optional.of("p2")));
    assertThat(cache.get(3).get()).isEqualTo(Map.of("a", List.of(1, 2)));
    assertThat(cache.get(4).get()).isEqualTo(Optional.of("x"));
    assertThat(cache.get(5)).isNull();
    assertThat(cache.get(5, String.class)).isNull();
  }

  @Test
  void aValueOfAnotherTypeThanAskedForIsRefused() {
    cache.put("k", "text");
    assertThatThrownBy(() -> cache.get("k", Integer.class))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClassThatIsNotAllowedIsRefusedWithTheWayOut() {
    manager.close();
    manager = new RockpoolCacheManager(pool, Codecs.builder().strict().build());
    manager.setDefaults(RockpoolCacheConfiguration.unsaid().onUnencodable(OnUnencodable.FAIL));
    Cache strict = manager.getCache("strict");
    assertThatThrownBy(() -> strict.put("k", new Money("EUR", 1)))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(Money.class.getName())
        .hasMessageContaining("rockpool.allow");
    assertThat(strict.get("k")).isNull();
  }

  @Test
  void aValueThatCannotBeKeptIsReturnedAndNotCached() {
    cache.put("k", "old");
    cache.put("k", new Thread());
    assertThat(cache.get("k")).isNull();
    Thread loaded = new Thread();
    assertThat(cache.get("k", () -> loaded)).isSameAs(loaded);
    assertThat(cache.get("k")).isNull();
    assertThat(((RockpoolCache) cache).getNativeCache().statistics().unencodable()).isEqualTo(2);
  }

  @Test
  void nullsAreValuesWithATimeOfTheirOwn() {
    cache.put("null", null);
    cache.put("value", "v");
    assertThat(cache.get("null")).isNotNull().extracting(ValueWrapper::get).isNull();
    assertThat(cache.<Object>get("null", () -> "loaded")).isNull();
    clock.advanceMillis(4_999);
    assertThat(cache.get("null")).isNotNull();
    clock.advanceMillis(1);
    assertThat(cache.get("null")).isNull();
    assertThat(cache.get("value").get()).isEqualTo("v");
    clock.advanceMillis(600_000);
    assertThat(cache.get("value")).isNull();
  }

  @Test
  void nullsAreNotKeptWhereTheirTimeIsZero() {
    manager.setCacheConfiguration(
        "no-nulls", RockpoolCacheConfiguration.unsaid().nullTtl(Duration.ZERO));
    Cache noNulls = manager.getCache("no-nulls");
    noNulls.put("k", null);
    assertThat(noNulls.get("k")).isNull();
    assertThat(noNulls.<Object>get("k", () -> null)).isNull();
    assertThat(noNulls.get("k")).isNull();
    noNulls.put("k", "v");
    noNulls.put("k", null);
    assertThat(noNulls.get("k")).isNull();
  }

  @Test
  void entriesLiveSinceTheirLastUseAndNullsSinceTheyWereWritten() {
    manager.setCacheConfiguration(
        "idle",
        RockpoolCacheConfiguration.unsaid()
            .tti(Duration.ofSeconds(10))
            .nullTtl(Duration.ofSeconds(15)));
    Cache idle = manager.getCache("idle");
    idle.put("k", "v");
    idle.put("null", null);
    for (int i = 0; i < 3; i++) {
      clock.advanceMillis(7_000);
      assertThat(idle.get("k")).isNotNull();
      assertThat(idle.get("null") != null).isEqualTo(i < 2);
    }
    clock.advanceMillis(10_000);
    assertThat(idle.get("k")).isNull();
  }

  @Test
  void entriesLiveSinceTheirLastUseButNoLongerThanATimeSinceTheyWereWritten() {
    manager.setCacheConfiguration(
        "both",
        RockpoolCacheConfiguration.unsaid()
            .ttl(Duration.ofSeconds(30))
            .tti(Duration.ofSeconds(10))
            .nullTtl(Duration.ofSeconds(50)));
    Cache both = manager.getCache("both");
    both.put("k", "v");
    both.put("left", "v");
    both.put("null", null);
    for (int i = 0; i < 4; i++) {
      clock.advanceMillis(7_000);
      assertThat(both.get("k")).isNotNull();
    }
    assertThat(both.get("left")).isNull();
    clock.advanceMillis(2_000);
    assertThat(both.get("k")).isNull();
    clock.advanceMillis(19_999);
    assertThat(both.get("null")).isNotNull();
    clock.advanceMillis(1);
    assertThat(both.get("null")).isNull();
  }

  @Test
  void puttingIfAbsentTellsWhatIsThere() {
    assertThat(cache.putIfAbsent("k", null)).isNull();
    assertThat(cache.putIfAbsent("k", "v")).isNotNull().extracting(ValueWrapper::get).isNull();
    assertThat(cache.putIfAbsent("l", "v")).isNull();
    assertThat(cache.putIfAbsent("l", "w").get()).isEqualTo("v");
  }

  @Test
  void evictingAndClearing() {
    cache.put("a", 1);
    cache.put(new SimpleKey("b", 2), 2);
    cache.evict("a");
    assertThat(cache.get("a")).isNull();
    assertThat(cache.evictIfPresent("a")).isFalse();
    assertThat(cache.evictIfPresent(new SimpleKey("b", 2))).isTrue();
    assertThat(cache.invalidate()).isFalse();
    cache.put("a", 1);
    assertThat(cache.invalidate()).isTrue();
    assertThat(cache.get("a")).isNull();
    cache.put("a", 1);
    cache.clear();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aMissingKeyIsLoadedOnceForAllThreads() throws Exception {
    int threads = 8;
    AtomicInteger loads = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Callable<Money> loader =
        () -> {
          loads.incrementAndGet();
          loading.countDown();
          go.await();
          return new Money("EUR", 1);
        };
    try (Threads pool = new Threads(threads)) {
      List<Future<Money>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  return cache.get("k", loader);
                }));
      }
      start.countDown();
      loading.await();
      go.countDown();
      for (Future<Money> result : results) {
        assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo(new Money("EUR", 1));
      }
    }
    assertThat(loads).hasValue(1);
    assertThat(cache.get("k").get()).isEqualTo(new Money("EUR", 1));
  }

  @Test
  void aFailingLoaderIsWrappedAndNothingIsStored() {
    IOException failure = new IOException("gone");
    assertThatThrownBy(
            () ->
                cache.get(
                    "k",
                    () -> {
                      throw failure;
                    }))
        .isInstanceOf(ValueRetrievalException.class)
        .hasCause(failure);
    assertThat(cache.get("k")).isNull();
    assertThat(cache.get("k", () -> "v")).isEqualTo("v");
  }

  @Test
  void anErrorOfTheStoreIsNotWrapped() {
    assertThatThrownBy(() -> cache.get(new Object(), () -> "v"))
        .isInstanceOf(RockpoolException.class);
  }

  @Test
  void aKeyEvictedWhileItLoadsIsNotStored() {
    assertThat(
            cache.get(
                "k",
                () -> {
                  cache.evict("k");
                  return "stale";
                }))
        .isEqualTo("stale");
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void retrievingTellsHitsNullsAndMisses() throws Exception {
    cache.put("k", "v");
    cache.put("null", null);
    assertThat(((ValueWrapper) cache.retrieve("k").get()).get()).isEqualTo("v");
    assertThat(((ValueWrapper) cache.retrieve("null").get()).get()).isNull();
    assertThat(cache.retrieve("missing").get()).isNull();
  }

  @Test
  void retrievalsOfAMissingKeyShareOneLoadAndNoThreadWaits() throws Exception {
    AtomicInteger loads = new AtomicInteger();
    CompletableFuture<String> loaded = new CompletableFuture<>();
    List<CompletableFuture<String>> results = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      results.add(
          cache.retrieve(
              "k",
              () -> {
                loads.incrementAndGet();
                return loaded;
              }));
    }
    results.get(0).cancel(false);
    loaded.complete("v");
    for (CompletableFuture<String> result : results.subList(1, 100)) {
      assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("v");
    }
    assertThat(loads).hasValue(1);
    assertThat(cache.get("k").get()).isEqualTo("v");
    assertThat(cache.retrieve("k", () -> CompletableFuture.<String>failedFuture(new IOException())))
        .succeedsWithin(Duration.ofSeconds(10))
        .isEqualTo("v");
  }

  @Test
  void aRetrievedNullIsStored() throws Exception {
    assertThat(cache.retrieve("k", () -> CompletableFuture.<String>completedFuture(null)).get())
        .isNull();
    assertThat(cache.get("k")).isNotNull().extracting(ValueWrapper::get).isNull();
  }

  @Test
  void aFailedRetrievalIsToldAndNothingIsStored() {
    IOException failure = new IOException("gone");
    assertThatThrownBy(
            () -> cache.retrieve("k", () -> CompletableFuture.<String>failedFuture(failure)).get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isSameAs(failure);
    assertThatThrownBy(
            () ->
                cache
                    .<String>retrieve(
                        "k",
                        () -> {
                          throw new IllegalArgumentException("at once");
                        })
                    .get())
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("at once");
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void anExecutorThatTakesNothingFailsTheRetrievalAndNoLaterOne() {
    AtomicInteger tasks = new AtomicInteger();
    manager.setRetrievalExecutor(
        task -> {
          if (tasks.getAndIncrement() == 0) {
            throw new RejectedExecutionException("full");
          }
          task.run();
        });
    Cache strict = manager.getCache("strict");
    assertThatThrownBy(
            () -> strict.retrieve("k", () -> CompletableFuture.completedFuture("v")).get())
        .hasRootCauseMessage("full");
    assertThat(strict.retrieve("k", () -> CompletableFuture.completedFuture("v")))
        .isCompletedWithValue("v");
  }

  @Test
  void aKeyEvictedOrClearedWhileItIsRetrievedIsNotStored() throws Exception {
    List<Runnable> evictions =
        List.of(
            () -> cache.evict("k"),
            () -> cache.evictIfPresent("k"),
            cache::clear,
            cache::invalidate);
    for (Runnable eviction : evictions) {
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<String> loaded = new CompletableFuture<>();
      CompletableFuture<String> result =
          cache.retrieve(
              "k",
              () -> {
                begun.countDown();
                return loaded;
              });
      begun.await();
      eviction.run();
      loaded.complete("stale");
      assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("stale");
      assertThat(cache.get("k")).isNull();
    }
  }

  @Test
  void whatIsRetrievedDoesNotFollowAPutThatHasExpired() throws Exception {
    assertThat(cache.get("k", this::putAndExpire)).isEqualTo("older");
    assertThat(cache.get("k")).isNull();
    CompletableFuture<String> loaded = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> result =
        cache.retrieve(
            "k",
            () -> {
              begun.countDown();
              return loaded;
            });
    begun.await();
    loaded.complete(putAndExpire());
    assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("older");
    assertThat(cache.get("k")).isNull();
  }

  private String putAndExpire() {
    cache.put("k", "newer");
    assertThat(cache.get("k").get()).isEqualTo("newer");
    clock.advanceMillis(Duration.ofMinutes(10).toMillis());
    assertThat(cache.get("k")).isNull();
    return "older";
  }

  /** Removals through all ways to the entry, by keys that are arrays of their own. */
  @Test
  void aKeyRemovedByAnotherWayWhileItIsRetrievedIsNotStored() throws Exception {
    RockpoolCacheManager otherManager =
        new RockpoolCacheManager(pool, Codecs.builder().allowPackage("io.rockpool.spring").build());
    Cache other = otherManager.getCache("cache");
    PersistentCache<Object, Object> kernel = ((RockpoolCache) cache).getNativeCache();
    List<Consumer<Object>> removals =
        List.of(
            cache::evict,
            cache::evictIfPresent,
            key -> cache.clear(),
            other::evict,
            other::evictIfPresent,
            key -> other.clear(),
            kernel::remove,
            kernel::invalidate,
            key -> kernel.compute(key, (it, there) -> null),
            key -> pool.atomically(tx -> kernel.remove(key)));
    for (Consumer<Object> removal : removals) {
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<String> loaded = new CompletableFuture<>();
      CompletableFuture<String> result =
          cache.retrieve(
              new int[] {1},
              () -> {
                begun.countDown();
                return loaded;
              });
      begun.await();
      removal.accept(new int[] {1});
      loaded.complete("stale");
      assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("stale");
      assertThat(cache.get(new int[] {1})).isNull();
      assertThat(other.get(new int[] {1})).isNull();
    }
    otherManager.close();
  }

  @Test
  void callersOfEitherKindShareOneLoad() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> loaded = new CompletableFuture<>();
    CompletableFuture<String> first =
        cache.retrieve(
            new int[] {1},
            () -> {
              begun.countDown();
              return loaded;
            });
    begun.await();
    CompletableFuture<String> second =
        cache.retrieve(new int[] {1}, () -> CompletableFuture.completedFuture("twice"));
    try (Threads threads = new Threads(1)) {
      Future<String> third =
          threads.executor.submit(() -> cache.get(new int[] {1}, () -> "thrice"));
      loaded.complete("once");
      assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("once");
      assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("once");
      assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo("once");
    }
  }

  @Test
  void whatIsRetrievedWhileTheManagerClosesIsItsCallers() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> loaded = new CompletableFuture<>();
    manager.setRetrievalExecutor(Runnable::run);
    CompletableFuture<String> result =
        manager
            .getCache("closing")
            .retrieve(
                "k",
                () -> {
                  begun.countDown();
                  return loaded;
                });
    begun.await();
    manager.close();
    loaded.complete("v");
    assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("v");
  }

  @Test
  void whatWasPutWhileItIsRetrievedStays() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> loaded = new CompletableFuture<>();
    CompletableFuture<String> result =
        cache.retrieve(
            "k",
            () -> {
              begun.countDown();
              return loaded;
            });
    begun.await();
    cache.put("k", "put");
    loaded.complete("loaded");
    assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("put");
    assertThat(cache.get("k").get()).isEqualTo("put");
  }

  @Test
  void theNativeCacheCanBeIterated() {
    cache.put(new SimpleKey("a", new Money("EUR", 1)), "v");
    List<Object> keys = new ArrayList<>();
    ((RockpoolCache) cache).getNativeCache().forEach(entry -> keys.add(entry.getKey()));
    assertThat(keys).containsExactly(new SimpleKey("a", new Money("EUR", 1)));
    assertThat(cache).hasToString("RockpoolCache \"cache\" in \"cache\"");
  }

  /** Threads that end with a test. */
  private static final class Threads implements AutoCloseable {
    private final ExecutorService executor;

    Threads(int count) {
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
}
