package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codecs;
import io.rockpool.error.StoreClosedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueWrapper;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;

/** Values that are retrieved, with loaders that have them later. */
final class RockpoolCacheRetrievalTest extends OneCache {
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
  void loadersMayWaitForOtherRetrievals() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    List<CompletableFuture<String>> results = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int key = i;
      results.add(
          cache.retrieve(
              key,
              () -> {
                assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(loader);
                return CompletableFuture.completedFuture(
                    cache
                        .retrieve(
                            -1 - key,
                            () -> new CompletableFuture<String>().completeAsync(() -> "v"))
                        .join());
              }));
    }
    assertThat(results)
        .allSatisfy(
            result -> assertThat(result).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("v"));
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

  /** The executor of an application ends before its requests do. */
  @Test
  void retrievalsAreAnsweredWhileTheApplicationEnds() {
    manager.setRetrievalExecutor(
        task -> {
          throw new RejectedExecutionException("shut down");
        });
    manager.onApplicationEvent(new ContextClosedEvent(new StaticApplicationContext()));
    Cache late = manager.getCache("late");
    assertThat(late.retrieve("k", () -> CompletableFuture.completedFuture("v")))
        .isCompletedWithValue("v");
    assertThat(late.retrieve("k")).isCompleted();
    manager.close();
    assertThatThrownBy(() -> late.retrieve("k").get())
        .hasRootCauseInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> late.retrieve("k", () -> CompletableFuture.completedFuture("w")).get())
        .hasRootCauseInstanceOf(StoreClosedException.class);
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
    try (TestThreads threads = new TestThreads(1)) {
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
}
