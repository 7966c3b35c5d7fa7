package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheStatistics;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that are served while they are loaded anew; the test itself is the executor. */
final class RefreshedCacheTest {
  private static final Duration SOFT = Duration.ofMinutes(1);
  private static final RockpoolCacheConfiguration CONFIGURATION =
      RockpoolCacheConfiguration.defaults().ttl(Duration.ofMinutes(10)).softTtl(SOFT);

  private final FakeClock clock = new FakeClock();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private Rockpool pool;
  private RockpoolCacheManager manager;

  @BeforeEach
  void open() {
    pool = SuiteStores.open(clock);
    manager = new RockpoolCacheManager(pool);
    manager.setRefreshExecutor(waiting::add);
    manager.setRetrievalExecutor(Runnable::run);
  }

  @AfterEach
  void close() {
    manager.close();
    pool.close();
  }

  private RockpoolCache cache(RockpoolCacheConfiguration configuration) {
    manager.setDefaults(configuration);
    return (RockpoolCache) manager.getCache("cache");
  }

  private void runWaiting() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  @Test
  void aReadWithALoaderRefreshes() {
    RockpoolCache cache = cache(CONFIGURATION);
    assertThat(cache.get(1, () -> "first")).isEqualTo("first");
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get(1, () -> "second")).isEqualTo("first");
    assertThat(cache.get(1, () -> "third")).isEqualTo("first");
    runWaiting();
    assertThat(cache.get(1, () -> "fourth")).isEqualTo("second");
    CacheStatistics statistics = cache.getNativeCache().statistics();
    assertThat(statistics.staleHits()).isEqualTo(2);
    assertThat(statistics.refreshes()).isEqualTo(1);
  }

  @Test
  void aReadWithoutALoaderDoesNot() {
    RockpoolCache cache = cache(CONFIGURATION);
    cache.put(1, "first");
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get(1).get()).isEqualTo("first");
    assertThat(cache.retrieve(1).join().get()).isEqualTo("first");
    assertThat(waiting).isEmpty();
  }

  @Test
  void aFutureRefreshes() {
    RockpoolCache cache = cache(CONFIGURATION);
    cache.put(1, "first");
    clock.advanceMillis(SOFT.toMillis());
    CompletableFuture<String> read =
        cache.retrieve(1, () -> CompletableFuture.completedFuture("second"));
    assertThat(read.join()).isEqualTo("first");
    runWaiting();
    assertThat(cache.get(1).get()).isEqualTo("second");
  }

  @Test
  void aNullIsRefreshedToo() {
    RockpoolCache cache = cache(CONFIGURATION);
    Callable<String> nothing = () -> null;
    assertThat(cache.get(1, nothing)).isNull();
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get(1, () -> "there")).isNull();
    runWaiting();
    assertThat(cache.get(1).get()).isEqualTo("there");
    clock.advanceMillis(SOFT.toMillis());
    assertThat(cache.get(1, nothing)).isEqualTo("there");
    runWaiting();
    assertThat(cache.get(1).get()).isNull();
  }

  @Test
  void aFailureServesOnAndAnEvictionWins() {
    RockpoolCache cache = cache(CONFIGURATION);
    cache.put(1, "first");
    cache.put(2, "first");
    clock.advanceMillis(SOFT.toMillis());
    Callable<String> down =
        () -> {
          throw new IllegalStateException("The source is down.");
        };
    assertThat(cache.get(1, down)).isEqualTo("first");
    assertThat(
            cache.get(
                2,
                () -> {
                  cache.evict(2);
                  return "second";
                }))
        .isEqualTo("first");
    runWaiting();
    assertThat(cache.get(1, down)).isEqualTo("first");
    assertThat(cache.get(2)).isNull();
    assertThat(cache.getNativeCache().statistics().refreshFailures()).isEqualTo(1);
  }

  @Test
  void refreshAheadIsInTheLastPartOfALife() {
    RockpoolCache cache =
        cache(
            RockpoolCacheConfiguration.defaults()
                .ttl(Duration.ofMinutes(10))
                .refreshAheadFactor(0.9));
    cache.put(1, "first");
    clock.advanceMillis(Duration.ofMinutes(9).toMillis() - 1);
    cache.get(1, () -> "second");
    assertThat(waiting).isEmpty();
    clock.advanceMillis(1);
    assertThat(cache.get(1, () -> "second")).isEqualTo("first");
    assertThat(waiting).hasSize(1);
  }

  @Test
  void jitterSpreadsTheEndsOfEntries() {
    PersistentCache<Object, Object> cache =
        cache(RockpoolCacheConfiguration.defaults().ttl(Duration.ofMinutes(10)).jitter(0.5))
            .getNativeCache();
    Set<Duration> ttls = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v");
      ttls.add(cache.ttl(i).orElseThrow());
    }
    assertThat(ttls)
        .hasSizeGreaterThan(50)
        .allMatch(it -> it.toMinutes() >= 5 && it.toMillis() <= 600_000);
  }
}
