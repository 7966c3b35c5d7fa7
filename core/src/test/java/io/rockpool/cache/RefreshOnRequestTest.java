package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.StoreClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a refresh on request does, step by step. */
class RefreshOnRequestTest extends RefreshSteps {
  /** A cache that refreshes only on request. */
  private PersistentCache<String, Integer> loading(ValueLoader<String, Integer> loader) {
    return cache(options().refreshLoader(loader));
  }

  @Test
  void aRefreshOnRequestLoadsPresentAndAbsentKeys() {
    PersistentCache<String, Integer> cache = loading(key -> source.incrementAndGet());
    cache.put("a", 1);
    CompletableFuture<@Nullable Integer> present = cache.refresh("a");
    CompletableFuture<@Nullable Integer> absent = cache.refresh("b");
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("b")).isNull();
    assertThat(present).isNotDone();
    runWaiting();
    assertThat(present).isCompletedWithValue(2);
    assertThat(absent).isCompletedWithValue(3);
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.get("b")).isEqualTo(3);
    assertThat(cache.ttl("b")).contains(HARD);
    assertThat(cache.statistics().refreshes()).isEqualTo(2);
    pass(HARD.minusMillis(1));
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(waiting).isEmpty();
    assertThat(cache.statistics().staleHits()).isZero();
    clock.advanceMillis(1);
    CompletableFuture<@Nullable Integer> expired = cache.refresh("a");
    runWaiting();
    assertThat(expired).isCompletedWithValue(4);
    assertThat(cache.get("a")).isEqualTo(4);
  }

  @Test
  void aRefreshOnRequestWithoutAValueRemoves() {
    PersistentCache<String, Integer> cache = loading(key -> nothing());
    List<String> heard = new ArrayList<>();
    cache.onRefreshed((key, value) -> heard.add(key + value));
    cache.put("a", 1);
    CompletableFuture<@Nullable Integer> present = cache.refresh("a");
    CompletableFuture<@Nullable Integer> absent = cache.refresh("b");
    runWaiting();
    assertThat(present).isCompletedWithValue(null);
    assertThat(absent).isCompletedWithValue(null);
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(heard).containsExactly("anull");
  }

  @Test
  void requestsForOneKeyShareARefresh() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    pass(SOFT);
    cache.get("a");
    CompletableFuture<@Nullable Integer> first = cache.refresh("a");
    CompletableFuture<@Nullable Integer> second = cache.refresh("a");
    first.cancel(false);
    assertThat(waiting).hasSize(1);
    runWaiting();
    assertThat(second).isCompletedWithValue(2);
    CompletableFuture<@Nullable Integer> later = cache.refresh("a");
    runWaiting();
    assertThat(later).isCompletedWithValue(3);
  }

  @Test
  void aRefreshThatAReadBeganIsMadeForARequestThoughNothingIsDueAnyMore() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    pass(SOFT);
    cache.get("a");
    cache.put("a", 10);
    CompletableFuture<@Nullable Integer> asked = cache.refresh("a");
    runWaiting();
    assertThat(asked).isCompletedWithValue(2);
    assertThat(cache.get("a")).isEqualTo(2);
  }

  @Test
  void aRefreshOnRequestAwaitsALoadThatRuns() {
    PersistentCache<String, Integer> cache = loading(key -> source.incrementAndGet());
    List<CompletableFuture<@Nullable Integer>> asked = new ArrayList<>();
    Integer loaded =
        cache.get(
            "a",
            key -> {
              asked.add(cache.refresh("a"));
              Thread other = new Thread(this::runWaiting);
              other.start();
              other.join();
              assertThat(asked.get(0)).isNotDone();
              return 50;
            });
    assertThat(loaded).isEqualTo(50);
    assertThat(asked.get(0)).isCompletedWithValue(50);
    assertThat(source.get()).isEqualTo(1);
  }

  @Test
  void aRequestThatFailsKeepsTheEntryAndTheNextDoesNotWait() {
    IllegalArgumentException down = new IllegalArgumentException("The source is down.");
    AtomicInteger calls = new AtomicInteger();
    PersistentCache<String, Integer> cache =
        loading(
            key -> {
              if (calls.incrementAndGet() == 1) {
                throw down;
              }
              return 2;
            });
    cache.put("a", 1);
    CompletableFuture<@Nullable Integer> failing = cache.refresh("a");
    runWaiting();
    assertThatThrownBy(failing::get).hasCause(down);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.statistics().refreshFailures()).isEqualTo(1);
    CompletableFuture<@Nullable Integer> next = cache.refresh("a");
    runWaiting();
    assertThat(next).isCompletedWithValue(2);
  }

  @Test
  void whatIsPutDuringARefreshOnRequestStays() {
    List<PersistentCache<String, Integer>> own = new ArrayList<>();
    PersistentCache<String, Integer> cache =
        loading(
            key -> {
              own.get(0).put(key, 1);
              return 2;
            });
    own.add(cache);
    for (String key : List.of("absent", "present")) {
      if (key.equals("present")) {
        cache.put(key, 1); // the same bytes as those that are put meanwhile
      }
      CompletableFuture<@Nullable Integer> asked = cache.refresh(key);
      runWaiting();
      assertThat(asked).isCompletedWithValue(1);
      assertThat(cache.get(key)).isEqualTo(1);
    }
  }

  @Test
  void aTaskThatItsExecutorLostEndsWithTheNextOne() {
    PersistentCache<String, Integer> cache = loading(key -> source.incrementAndGet());
    CompletableFuture<@Nullable Integer> lost = cache.refresh("a");
    waiting.clear();
    pass(Duration.ofMinutes(1));
    CompletableFuture<@Nullable Integer> next = cache.refresh("a");
    runWaiting();
    assertThat(next).isCompletedWithValue(2);
    assertThat(lost).isCompletedWithValue(2);
  }

  @Test
  void aRequestBeyondTheLimitsFails() {
    PersistentCache<String, Integer> full =
        pool.cache(
            "full",
            String.class,
            Integer.class,
            o ->
                options()
                    .refreshLoader(key -> 1)
                    .refreshExecutor(
                        task -> {
                          throw new RejectedExecutionException("full");
                        }));
    assertThatThrownBy(() -> full.refresh("a").get())
        .hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(full.statistics().refreshRejections()).isEqualTo(1);
    PersistentCache<String, Integer> cache = loading(key -> 1);
    for (int i = 0; i < CacheRefresh.MAX_KEYS; i++) {
      CompletableFuture<?> unused = cache.refresh("k" + i);
    }
    assertThatThrownBy(() -> cache.refresh("one more").get())
        .hasCauseInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void aLoaderThatRefreshesItsOwnKeyIsRefused() {
    List<PersistentCache<String, Integer>> own = new ArrayList<>();
    PersistentCache<String, Integer> cache =
        loading(key -> Objects.requireNonNull(own.get(0).refresh(key).join()));
    own.add(cache);
    CompletableFuture<@Nullable Integer> asked = cache.refresh("a");
    runWaiting();
    assertThatThrownBy(asked::get)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Recursive load");
  }

  @Test
  void aRefreshThatWaitsFailsWhenItsCacheCloses() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(CacheRefresh.THREADS);
    CountDownLatch end = new CountDownLatch(1);
    PersistentCache<String, Integer> cache =
        pool.cache(
            "own threads",
            String.class,
            Integer.class,
            o ->
                options()
                    .refreshLoader(
                        key -> {
                          running.countDown();
                          end.await();
                          return 1;
                        }));
    CompletableFuture<@Nullable Integer> first = cache.refresh("0");
    for (int i = 1; i < CacheRefresh.THREADS; i++) {
      CompletableFuture<?> unused = cache.refresh(String.valueOf(i));
    }
    running.await();
    CompletableFuture<@Nullable Integer> queued = cache.refresh("queued");
    cache.close();
    assertThatThrownBy(queued::get).hasCauseInstanceOf(StoreClosedException.class);
    assertThat(first).isNotDone();
    end.countDown();
    assertThat(first.join()).isEqualTo(1);
  }

  @Test
  void aRefreshOnRequestNeedsALoaderAndNoTransaction() {
    PersistentCache<String, Integer> cache = loading(key -> 1);
    assertThatThrownBy(() -> pool.atomically(tx -> cache.refresh("a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("after the commit");
    assertThat(waiting).isEmpty();
    for (CacheOptions<String, Integer> loaderless : List.of(options(), options().softTtl(SOFT))) {
      PersistentCache<String, Integer> other =
          pool.cache(
              "other" + loaderless.refreshes(), String.class, Integer.class, o -> loaderless);
      assertThatThrownBy(() -> other.refresh("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("set CacheOptions.refreshLoader");
    }
  }
}
