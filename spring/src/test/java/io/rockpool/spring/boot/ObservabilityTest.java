package io.rockpool.spring.boot;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.spring.SuiteStores;
import io.rockpool.spring.metrics.RockpoolStoreMetrics;
import io.rockpool.testing.ToReclaim;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Metrics, as an application gets them. */
final class ObservabilityTest {
  @Configuration
  @EnableCaching
  static class CachingApplication {}

  @Configuration
  @EnableCaching
  @ImportAutoConfiguration({
    RockpoolAutoConfiguration.class,
    RockpoolCacheAutoConfiguration.class,
    RockpoolCacheMetricsAutoConfiguration.class,
    RockpoolEndpointAutoConfiguration.class,
    RockpoolHealthAutoConfiguration.class,
    RockpoolMetricsAutoConfiguration.class,
    CacheAutoConfiguration.class
  })
  static class WholeApplication {}

  @Configuration
  static class TransactionAware {
    @Bean
    CacheManagerCustomizer<RockpoolCacheManager> transactionAware() {
      return manager -> manager.setTransactionAware(true);
    }
  }

  @TempDir private Path directory;

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                RockpoolCacheMetricsAutoConfiguration.class,
                RockpoolMetricsAutoConfiguration.class,
                CacheAutoConfiguration.class,
                CacheMetricsAutoConfiguration.class))
        .withPropertyValues(SuiteStores.property(directory.resolve("store")));
  }

  @Test
  void cachesAreMeasured() {
    runner()
        .withUserConfiguration(CachingApplication.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues("spring.cache.cache-names=orders")
        .run(
            context -> {
              Cache cache = context.getBean(CacheManager.class).getCache("orders");
              cache.put(1, "v");
              cache.get(1);
              cache.get(2);
              cache.get(3, () -> "loaded");
              cache.evictIfPresent(1);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(count(registry, "cache.gets", "result", "hit")).isEqualTo(1);
              assertThat(count(registry, "cache.gets", "result", "miss")).isEqualTo(2);
              assertThat(count(registry, "cache.puts", "cache", "orders")).isEqualTo(2);
              assertThat(count(registry, "cache.removals", "cache", "orders")).isEqualTo(1);
              assertThat(count(registry, "cache.evictions", "cache", "orders")).isZero();
              assertThat(count(registry, "cache.load", "result", "success")).isEqualTo(1);
              assertThat(count(registry, "cache.load", "result", "failure")).isZero();
              assertThat(
                      count(registry, "cache.hits", "tier", "memory")
                          + count(registry, "cache.hits", "tier", "disk"))
                  .isEqualTo(1);
              assertThat(count(registry, "cache.refresh", "result", "success")).isZero();
              assertThat(count(registry, "cache.refresh", "result", "failure")).isZero();
              assertThat(count(registry, "cache.refresh", "result", "rejected")).isZero();
              assertThat(count(registry, "cache.hits.stale", "cache", "orders")).isZero();
              assertThat(registry.get("cache.load.duration").timeGauge().value()).isPositive();
              assertThat(registry.get("cache.memory.entries").gauge().value()).isEqualTo(1);
              assertThat(registry.get("cache.undecodable").functionCounter().count()).isZero();
            });
  }

  @Test
  void cachesThatAreMadeOnDemandAreMeasured() {
    runner()
        .withUserConfiguration(CachingApplication.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.find("cache.gets").functionCounters()).isEmpty();
              for (String name : List.of("orders", "prices")) {
                Cache cache = context.getBean(CacheManager.class).getCache(name);
                cache.put(1, "v");
                cache.get(1);
                assertThat(count(registry, "cache.puts", "cache", name)).isEqualTo(1);
                assertThat(
                        registry
                            .get("cache.gets")
                            .tags("cache", name, "result", "hit")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
              }
            });
  }

  @Test
  void aCacheThatWaitsForCommitsIsMeasuredOnce() {
    runner()
        .withUserConfiguration(CachingApplication.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withUserConfiguration(TransactionAware.class)
        .withPropertyValues("spring.cache.cache-names=orders")
        .run(
            context -> {
              context.getBean(CacheManager.class).getCache("orders").put(1, "v");
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.find("cache.puts").functionCounters()).hasSize(1);
              assertThat(count(registry, "cache.puts", "cache", "orders")).isEqualTo(1);
            });
  }

  @Test
  void theStoreIsMeasuredOnceItIsOpen() {
    runner()
        .run(
            context -> {
              MeterRegistry registry = new SimpleMeterRegistry();
              context.getBean(MeterBinder.class).bindTo(registry);
              assertThat(gauge(registry, "rockpool.memtables")).isNaN();
              assertThat(registry.get("rockpool.write.stops").functionCounter().count()).isZero();
              assertThat(directory.resolve("store")).doesNotExist();

              Rockpool pool = context.getBean(Rockpool.class);
              byte[] value = new byte[100_000];
              new Random(1).nextBytes(value); // encryption would compress zeros
              pool.map("stock", String.class, byte[].class).put("a", value);
              assertThat(gauge(registry, "rockpool.memtables")).isGreaterThan(100_000);
              assertThat(gauge(registry, "rockpool.log.size")).isGreaterThan(100_000);
              assertThat(gauge(registry, "rockpool.disk.used")).isGreaterThan(100_000);
              assertThat(gauge(registry, "rockpool.block.cache.capacity"))
                  .isEqualTo((double) pool.state().statistics().orElseThrow().cacheCapacityBytes());
              assertThat(gauge(registry, "rockpool.write.stopped")).isZero();
              assertThat(gauge(registry, "rockpool.reclaim.pending")).isNotNaN();
              assertThat(registry.get("rockpool.reclaim.overdue").timeGauge().value()).isZero();
              for (Meter meter : registry.getMeters()) {
                assertThat(meter.getId().getTag("store")).isEqualTo("rockpool");
                assertThat(meter.measure()).allMatch(each -> !Double.isNaN(each.getValue()));
              }

              pool.close();
              assertThat(gauge(registry, "rockpool.memtables")).isNaN();
              assertThat(gauge(registry, "rockpool.reclaim.pending")).isNaN();
            });
  }

  @Test
  void whatIsToBeGivenBackIsMeasured() {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (ToReclaim store = new ToReclaim(directory)) {
      new RockpoolStoreMetrics(store::pool, Tags.empty()).bindTo(registry);
      assertThat(gauge(registry, "rockpool.reclaim.clears.pending")).isEqualTo(ToReclaim.CLEARS);
      assertThat(gauge(registry, "rockpool.reclaim.clears.held")).isEqualTo(1);
      assertThat(gauge(registry, "rockpool.reclaim.pending"))
          .isGreaterThan(2 * ToReclaim.MAP_BYTES);
      assertThat(registry.get("rockpool.reclaim.overdue").timeGauge().value(MILLISECONDS))
          .isEqualTo((double) ToReclaim.OVERDUE.toMillis());
      assertThat(count(registry, "rockpool.reclaim.clears")).isZero();

      store.release();
      store.pool().reclaim();
      assertThat(gauge(registry, "rockpool.reclaim.clears.pending")).isZero();
      assertThat(gauge(registry, "rockpool.reclaim.clears.held")).isZero();
      assertThat(gauge(registry, "rockpool.reclaim.pending")).isZero();
      assertThat(registry.get("rockpool.reclaim.overdue").timeGauge().value()).isZero();
      assertThat(count(registry, "rockpool.reclaim.clears")).isEqualTo(ToReclaim.CLEARS);
      assertThat(count(registry, "rockpool.reclaim.bytes")).isGreaterThan(2 * ToReclaim.MAP_BYTES);
      assertThat(count(registry, "rockpool.reclaim.records")).isEqualTo(ToReclaim.EXPIRED);
    }
  }

  @Test
  void failuresOfTheStoresOwnWorkAreMeasured() {
    MeterRegistry registry = new SimpleMeterRegistry();
    MemoryEngine engine = MemoryEngine.builder().build();
    try (Rockpool pool = Rockpool.at(o -> engine).open()) {
      new RockpoolStoreMetrics(() -> pool, Tags.empty()).bindTo(registry);
      assertThat(count(registry, "rockpool.upkeep.failures")).isZero();
      assertThat(gauge(registry, "rockpool.upkeep.failing")).isZero();

      engine.upkeep().failed("rockpool-watch", new IllegalStateException("no"));
      engine.upkeep().failed("rockpool-sync", new IllegalStateException("no"));
      engine.upkeep().succeeded("rockpool-sync");
      assertThat(count(registry, "rockpool.upkeep.failures")).isEqualTo(2);
      assertThat(gauge(registry, "rockpool.upkeep.failing")).isEqualTo(1);
    }
  }

  @Test
  void whatGivesWayIsCounted() {
    int entries = 400;
    int valueBytes = 10_000;
    long budgetBytes = 2_000_000;
    runner()
        .withUserConfiguration(CachingApplication.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues(
            "spring.cache.cache-names=orders",
            "rockpool.caches.orders.disk-budget=" + budgetBytes + "B")
        .run(
            context -> {
              Cache cache = context.getBean(CacheManager.class).getCache("orders");
              Random random = new Random(1);
              for (int key = 0; key < entries; key++) {
                byte[] value = new byte[valueBytes];
                random.nextBytes(value);
                cache.put(key, value);
              }
              context.getBean(Rockpool.class).reclaim();
              int left = 0;
              for (int key = 0; key < entries; key++) {
                left += cache.get(key) == null ? 0 : 1;
              }
              assertThat((long) left * valueBytes).isLessThan(budgetBytes);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(count(registry, "cache.evictions", "cache", "orders"))
                  .isEqualTo(entries - left);
            });
  }

  @Test
  void entriesAreCountedAndBounded() {
    runner()
        .withUserConfiguration(CachingApplication.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues(
            "spring.cache.cache-names=orders,prices",
            "rockpool.heap-budget=2MB",
            "rockpool.caches.orders.maximum-size=100",
            "rockpool.caches.prices.hot-size=1MB")
        .run(
            context -> {
              for (String name : List.of("orders", "prices")) {
                Cache cache = context.getBean(CacheManager.class).getCache(name);
                for (int key = 0; key < 300; key++) {
                  cache.put(key, "v");
                }
              }
              Rockpool pool = context.getBean(Rockpool.class);
              pool.reclaim();
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              new RockpoolStoreMetrics(() -> pool, Tags.empty()).bindTo(registry);
              assertThat(cacheGauge(registry, "cache.size", "orders")).isEqualTo(100);
              assertThat(count(registry, "cache.evictions", "cache", "orders")).isEqualTo(200);
              assertThat(cacheGauge(registry, "cache.size", "prices")).isEqualTo(300);
              assertThat(cacheGauge(registry, "cache.memory.entries", "prices")).isEqualTo(300);
              assertThat(cacheGauge(registry, "cache.memory.size", "prices"))
                  .isBetween(300.0 * 168, 300.0 * 200);
              assertThat(registry.get("cache.memory.max").tag("shared", "false").gauge().value())
                  .isEqualTo(1 << 20);
              assertThat(registry.get("cache.memory.max").tag("shared", "true").gauge().value())
                  .isEqualTo((double) pool.state().heap().takenBytes())
                  .isEqualTo(gauge(registry, "rockpool.heap.used"))
                  .isPositive();
              assertThat(gauge(registry, "rockpool.heap.budget")).isEqualTo(2 << 20);
            });
  }

  private static double cacheGauge(MeterRegistry registry, String name, String cache) {
    return registry.get(name).tag("cache", cache).gauge().value();
  }

  private static double count(MeterRegistry registry, String name) {
    return registry.get(name).functionCounter().count();
  }

  private static double gauge(MeterRegistry registry, String name) {
    return registry.get(name).gauge().value();
  }

  private static double count(MeterRegistry registry, String name, String tag, String value) {
    return registry
        .get(name)
        .tag(tag, value)
        .tag("cache.manager", "cacheManager")
        .functionCounter()
        .count();
  }

  @Test
  void withoutMetricsAndHealthThereIsStillACache() {
    new ApplicationContextRunner()
        .withPropertyValues(SuiteStores.property(directory.resolve("store")))
        .withUserConfiguration(WholeApplication.class)
        .withClassLoader(
            new FilteredClassLoader(
                "io.micrometer",
                "org.springframework.boot.actuate",
                "org.springframework.boot.health"))
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasSingleBean(RockpoolCacheManager.class);
              assertThat(context).doesNotHaveBean(RockpoolHealthIndicator.class);
            });
  }
}
