package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.Registration;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a refresh does, step by step: the test itself is the executor. */
@ParameterizedClass
@EnumSource
class CacheRefreshTest {
  private static final Duration SOFT = Duration.ofSeconds(10);
  private static final Duration HARD = Duration.ofSeconds(60);

  @Parameter CacheSetup setup;
  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private final AtomicInteger source = new AtomicInteger(1);
  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = setup.open(directory, clock);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private PersistentCache<String, Integer> cache(CacheOptions<String, Integer> options) {
    return cache(CacheExpiry.afterWrite(HARD), options);
  }

  private PersistentCache<String, Integer> cache(
      CacheExpiry<Object, Object> expiry, CacheOptions<String, Integer> options) {
    return pool.cache(
        "numbers",
        String.class,
        Integer.class,
        options.expiry(expiry).refreshExecutor(waiting::add));
  }

  private CacheOptions<String, Integer> options() {
    return setup.options();
  }

  private CacheOptions<String, Integer> soft() {
    return options().softTtl(SOFT).refreshLoader(key -> source.incrementAndGet());
  }

  private void runWaiting() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  private void pass(Duration time) {
    clock.advanceMillis(time.toMillis());
  }

  @Test
  void aStaleValueIsServedAndRefreshedOnce() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    pass(SOFT.minusMillis(1));
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(waiting).isEmpty();

    clock.advanceMillis(1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("a", key -> 99)).isEqualTo(1);
    assertThat(waiting).hasSize(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.ttl("a")).contains(HARD);
    assertThat(waiting).isEmpty();
    CacheStatistics statistics = cache.statistics();
    assertThat(statistics.staleHits()).isEqualTo(2);
    assertThat(statistics.refreshes()).isEqualTo(1);
    assertThat(statistics.refreshFailures()).isZero();
    assertThat(statistics.hits()).isEqualTo(4);
    assertThat(statistics.loads()).isZero();
    assertThat(statistics.puts()).isEqualTo(2);

    pass(SOFT);
    assertThat(cache.get("a")).isEqualTo(2);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(3);
  }

  @Test
  void theLoaderOfTheReadGoesFirst() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    pass(SOFT);
    assertThat(cache.get("a", key -> 99)).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(99);
    assertThat(source.get()).isEqualTo(1);
  }

  @Test
  void readsMayBringALoaderThatOnlyRefreshes() {
    PersistentCache<String, Integer> cache = cache(options().softTtl(SOFT));
    assertThat(Internals.cache(cache).getOrRefresh("a", key -> 99)).isNull();
    cache.put("a", 1);
    pass(SOFT);
    assertThat(Internals.cache(cache).getOrRefresh("a", key -> 99)).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(99);
  }

  @Test
  void withoutALoaderTheValueIsServedUntilItExpires() {
    PersistentCache<String, Integer> cache = cache(options().softTtl(SOFT));
    cache.put("a", 1);
    pass(HARD.minusMillis(1));
    assertThat(cache.get("a")).isEqualTo(1);
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isNull();
    assertThat(waiting).isEmpty();
    assertThat(cache.statistics().staleHits()).isEqualTo(1);
  }

  @Test
  void bulkReadsRefreshToo() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.putAll(Map.of("a", 1, "b", 1));
    pass(SOFT);
    assertThat(cache.getAll(List.of("a", "b", "c"))).isEqualTo(Map.of("a", 1, "b", 1));
    assertThat(waiting).hasSize(2);
    runWaiting();
    assertThat(cache.getAll(List.of("a", "b")).values()).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void afterAFailureTheValueIsServedAndTheKeyLeftAloneForAWhile() {
    AtomicInteger calls = new AtomicInteger();
    Function<String, Integer> down =
        key -> {
          calls.incrementAndGet();
          throw new IllegalStateException("The source is down.");
        };
    PersistentCache<String, Integer> cache =
        cache(
            options()
                .softTtl(SOFT)
                .refreshLoader(down::apply)
                .refreshRetryPause(Duration.ofSeconds(5)));
    cache.put("a", 1);
    pass(SOFT);
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    clock.advanceMillis(4_999);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(waiting).isEmpty();
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    assertThat(calls.get()).isEqualTo(2);
    assertThat(cache.statistics().refreshFailures()).isEqualTo(2);
    assertThat(cache.statistics().refreshes()).isZero();

    pass(HARD);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aSourceThatIsBackIsAskedAgain() {
    PersistentCache<String, Integer> cache = cache(options().softTtl(SOFT));
    cache.put("a", 1);
    pass(SOFT);
    Internals.cache(cache)
        .getOrRefresh(
            "a",
            key -> {
              throw new IllegalStateException("The source is down.");
            });
    runWaiting();
    pass(CacheRefresh.DEFAULT_RETRY_PAUSE);
    Internals.cache(cache).getOrRefresh("a", key -> 2);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
  }

  @Test
  void aLoaderWithoutAValueRemovesTheEntry() {
    PersistentCache<String, Integer> cache =
        cache(options().softTtl(SOFT).refreshLoader(key -> nothing()));
    cache.put("a", 1);
    pass(SOFT);
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isNull();
  }

  private static @Nullable Integer nothing() {
    return null;
  }

  @Test
  void ahead() {
    PersistentCache<String, Integer> cache =
        cache(options().refreshAheadFactor(0.8).refreshLoader(key -> source.incrementAndGet()));
    cache.put("a", 1);
    pass(HARD.multipliedBy(4).dividedBy(5).minusMillis(1));
    cache.get("a");
    assertThat(waiting).isEmpty();
    clock.advanceMillis(1);
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.ttl("a")).contains(HARD);
  }

  @Test
  void whatIsFirstCounts() {
    PersistentCache<String, Integer> cache =
        cache(soft().refreshAheadFactor(0.5).refreshLoader(key -> source.incrementAndGet()));
    cache.put("short", 1, Duration.ofSeconds(4));
    cache.put("long", 1, Duration.ofSeconds(100));
    clock.advanceMillis(2_000);
    cache.getAll(List.of("short", "long"));
    assertThat(waiting).hasSize(1);
    runWaiting();
    clock.advanceMillis(8_000);
    cache.getAll(List.of("short", "long"));
    assertThat(waiting).hasSize(1);
  }

  @Test
  void whatNeverExpiresIsRefreshedAfterTheSoftTtlAlone() {
    PersistentCache<String, Integer> cache =
        cache(CacheExpiry.never(), soft().refreshAheadFactor(0.5));
    cache.put("a", 1);
    pass(SOFT);
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(waiting).isEmpty();
  }

  @Test
  void whatNeverExpiresIsNotRefreshedAhead() {
    PersistentCache<String, Integer> cache =
        cache(
            CacheExpiry.never(),
            options().refreshAheadFactor(0.5).refreshLoader(key -> source.incrementAndGet()));
    cache.put("a", 1);
    pass(Duration.ofDays(10_000));
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(waiting).isEmpty();
  }

  @Test
  void readsMoveAnIdleExpiryAndTheRefreshTimeStays() {
    PersistentCache<String, Integer> cache = cache(CacheExpiry.afterAccess(HARD), soft());
    cache.put("a", 1);
    pass(SOFT.minusMillis(1));
    assertThat(cache.get("a")).isEqualTo(1);
    pass(HARD.minusMillis(1));
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(waiting).hasSize(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.ttl("a")).contains(HARD);
  }

  @Test
  void anotherTtlLeavesTheRefreshTime() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    assertThat(cache.expireAfter("a", Duration.ofDays(1))).isTrue();
    pass(SOFT.minusMillis(1));
    cache.get("a");
    assertThat(waiting).isEmpty();
    clock.advanceMillis(1);
    cache.get("a");
    assertThat(waiting).hasSize(1);
  }

  @Test
  void aCreationExpiryStaysThroughRefreshes() {
    PersistentCache<String, Integer> cache = cache(CacheExpiry.afterCreation(HARD), soft());
    cache.put("a", 1);
    pass(SOFT);
    cache.get("a");
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.ttl("a")).contains(HARD.minus(SOFT));
  }

  @Test
  void anEntryWrittenWithoutRefreshIsDueAtOnceAndTheOtherWayRoundIsRead() {
    CacheOptions<String, Integer> plain = setup.options();
    PersistentCache<String, Integer> before =
        pool.cache("numbers", String.class, Integer.class, plain);
    before.put("a", 1);
    before.close();
    PersistentCache<String, Integer> cache = cache(soft());
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(waiting).isEmpty();
    cache.close();
    PersistentCache<String, Integer> after =
        pool.cache("numbers", String.class, Integer.class, plain);
    assertThat(after.get("a")).isEqualTo(2);
    assertThat(after.ttl("a")).contains(HARD);
  }

  @Test
  void anEntryThatWasChangedBeforeItsRefreshBeganIsLeftAlone() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.putAll(Map.of("put", 1, "removed", 1, "expired", 1));
    cache.expireAfter("expired", SOFT.plusMillis(1));
    pass(SOFT);
    cache.getAll(List.of("put", "removed", "expired"));
    cache.put("put", 7);
    cache.remove("removed");
    clock.advanceMillis(1);
    assertThat(waiting).hasSize(3);
    runWaiting();
    assertThat(cache.getAll(List.of("put", "removed", "expired"))).isEqualTo(Map.of("put", 7));
    assertThat(source.get()).isEqualTo(1);
  }

  @Test
  void anEntryThatExpiresWhileItIsRefreshedIsThereAgain() {
    PersistentCache<String, Integer> cache =
        cache(
            options()
                .softTtl(SOFT)
                .refreshLoader(
                    key -> {
                      pass(HARD);
                      return 2;
                    }));
    cache.put("a", 1);
    pass(SOFT);
    cache.get("a");
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.ttl("a")).contains(HARD);
  }

  @Test
  void whoListensDecides() {
    PersistentCache<String, Integer> cache = cache(soft());
    List<String> heard = new ArrayList<>();
    Internals.cache(cache)
        .onRefreshed(
            (key, before, after, change) ->
                heard.add(key + before + after + ("a".equals(key) && change.getAsBoolean())));
    cache.putAll(Map.of("a", 1, "b", 1));
    pass(SOFT);
    cache.get("a");
    cache.get("b");
    runWaiting();
    assertThat(heard).containsExactly("a12true", "b13false");
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.get("b")).isEqualTo(1);
    Internals.cache(cache).onRefreshed(null);
    runWaiting();
    assertThat(cache.get("b")).isEqualTo(4);
  }

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
          pool.cache("other" + loaderless.refreshes(), String.class, Integer.class, loaderless);
      assertThatThrownBy(() -> other.refresh("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("set CacheOptions.refreshLoader");
    }
  }

  @Test
  void listenersHearOfWhatWasStored() {
    PersistentCache<String, Integer> cache = cache(soft());
    List<String> heard = new ArrayList<>();
    Registration registration = cache.onRefreshed((key, value) -> heard.add(key + value));
    cache.onRefreshed(
        (key, value) -> {
          throw new IllegalStateException("as told");
        });
    Internals.cache(cache)
        .onRefreshed(
            (key, before, after, change) -> {
              assertThat("b".equals(key) || change.getAsBoolean()).isTrue();
            });
    cache.putAll(Map.of("a", 1, "b", 1, "c", 1));
    pass(SOFT);
    cache.get("a");
    cache.get("b");
    Internals.cache(cache).getOrRefresh("c", key -> null);
    runWaiting();
    assertThat(heard).containsExactlyInAnyOrder("a2", "cnull");
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.containsKey("c")).isFalse();
    registration.close();
    pass(SOFT);
    cache.get("a");
    runWaiting();
    assertThat(heard).hasSize(2);
  }

  @Test
  void aTransactionIsServedWithoutARefresh() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    pass(SOFT);
    assertThat(pool.<Integer>atomically(tx -> Objects.requireNonNull(cache.get("a")))).isEqualTo(1);
    assertThat(waiting).isEmpty();
  }

  @Test
  void aCacheThatWasClosedMeanwhileStaysAsItIs() {
    PersistentCache<String, Integer> cache = cache(soft());
    cache.put("a", 1);
    pass(SOFT);
    Internals.cache(cache)
        .getOrRefresh(
            "a",
            key -> {
              cache.close();
              return 2;
            });
    runWaiting();
    CacheOptions<String, Integer> plain = setup.options();
    assertThat(pool.cache("numbers", String.class, Integer.class, plain).get("a")).isEqualTo(1);
    assertThat(cache.statistics().refreshFailures()).isZero();
  }

  @Test
  void theKeyIsTheRefreshsOwn() {
    List<Byte> asked = new ArrayList<>();
    CacheOptions<byte[], Integer> options = setup.options();
    PersistentCache<byte[], Integer> cache =
        pool.cache(
            "bytes",
            byte[].class,
            Integer.class,
            options
                .softTtl(SOFT)
                .refreshExecutor(waiting::add)
                .refreshLoader(
                    key -> {
                      asked.add(key[0]);
                      return 2;
                    }));
    byte[] key = {1};
    cache.put(key, 1);
    pass(SOFT);
    cache.get(key);
    key[0] = 9;
    runWaiting();
    assertThat(asked).containsExactly((byte) 1);
    assertThat(cache.get(new byte[] {1})).isEqualTo(2);
  }

  @Test
  void mistakesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options().softTtl(Duration.ZERO))
        .withMessageContaining("softTtl is PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options().refreshAheadFactor(1))
        .withMessageContaining("refreshAheadFactor is 1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options().refreshRetryPause(Duration.ofSeconds(-1)))
        .withMessageContaining("refreshRetryPause is PT-1S");
  }
}
