package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.internal.access.Internals;
import io.rockpool.store.Registration;
import io.rockpool.testing.Slow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a refresh of a due value does, step by step. */
@Slow
class CacheRefreshTest extends RefreshSteps {
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
        pool.cache("numbers", String.class, Integer.class, o -> plain);
    before.put("a", 1);
    before.close();
    PersistentCache<String, Integer> cache = cache(soft());
    assertThat(cache.get("a")).isEqualTo(1);
    runWaiting();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(waiting).isEmpty();
    cache.close();
    PersistentCache<String, Integer> after =
        pool.cache("numbers", String.class, Integer.class, o -> plain);
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
    assertThat(pool.cache("numbers", String.class, Integer.class, o -> plain).get("a"))
        .isEqualTo(1);
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
            o ->
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
