package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rockpool.Rockpool;
import io.rockpool.spring.RockpoolCacheManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** Metrics and health, as an application gets them. */
final class ObservabilityTest {
  @Configuration
  @EnableCaching
  static class CachingApplication {}

  @Configuration
  @EnableCaching
  @ImportAutoConfiguration({
    RockpoolAutoConfiguration.class,
    RockpoolCacheAutoConfiguration.class,
    RockpoolHealthAutoConfiguration.class,
    RockpoolMetricsAutoConfiguration.class,
    CacheAutoConfiguration.class
  })
  static class WholeApplication {}

  @TempDir private Path directory;

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                RockpoolHealthAutoConfiguration.class,
                RockpoolMetricsAutoConfiguration.class,
                CacheAutoConfiguration.class,
                CacheMetricsAutoConfiguration.class,
                HealthContributorAutoConfiguration.class,
                HealthContributorRegistryAutoConfiguration.class))
        .withPropertyValues("rockpool.directory=" + directory.resolve("store"));
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

  private static double count(MeterRegistry registry, String name, String tag, String value) {
    return registry
        .get(name)
        .tag(tag, value)
        .tag("cache.manager", "cacheManager")
        .functionCounter()
        .count();
  }

  @Test
  void aCheckOfHealthDoesNotOpenTheStore() {
    runner()
        .run(
            context -> {
              Health before = health(context.getBean(HealthContributorRegistry.class));
              assertThat(before.getStatus()).isEqualTo(Status.UP);
              assertThat(before.getDetails()).containsEntry("store", "not opened yet");
              assertThat(directory.resolve("store")).doesNotExist();

              Rockpool pool = context.getBean(Rockpool.class);
              Health open = health(context.getBean(HealthContributorRegistry.class));
              assertThat(open.getStatus()).isEqualTo(Status.UP);
              assertThat(open.getDetails())
                  .containsEntry("store", pool.toString())
                  .containsKey("diskBytes");

              pool.close();
              Health closed = health(context.getBean(HealthContributorRegistry.class));
              assertThat(closed.getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  void aStoreThatTookTheDamagedOnesPlaceSaysSo() throws IOException {
    Path store = directory.resolve("store");
    Rockpool.open(store).close();
    Files.writeString(store.resolve("db/CURRENT"), "nonsense");
    runner()
        .withPropertyValues("rockpool.on-corruption=quarantine")
        .run(
            context -> {
              Path aside = context.getBean(Rockpool.class).quarantined().orElseThrow();
              assertThat(aside).isDirectory();
              Health health = health(context.getBean(HealthContributorRegistry.class));
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails()).containsEntry("quarantined", aside.toString());
            });
  }

  private static Health health(HealthContributorRegistry registry) {
    return ((HealthIndicator) registry.getContributor("rockpool")).health();
  }

  @Test
  void healthCanBeSwitchedOff() {
    runner()
        .withPropertyValues("management.health.rockpool.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(RockpoolHealthIndicator.class));
  }

  @Test
  void withoutMetricsAndHealthThereIsStillACache() {
    new ApplicationContextRunner()
        .withPropertyValues("rockpool.directory=" + directory.resolve("store"))
        .withUserConfiguration(WholeApplication.class)
        .withClassLoader(
            new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasSingleBean(RockpoolCacheManager.class);
              assertThat(context).doesNotHaveBean(RockpoolHealthIndicator.class);
            });
  }
}
