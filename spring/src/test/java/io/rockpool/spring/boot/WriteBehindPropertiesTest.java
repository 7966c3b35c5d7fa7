package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.cache.WriteBehindOptions.WhenFull;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.spring.SuiteStores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Caches that properties write behind. */
@Timeout(60)
final class WriteBehindPropertiesTest {
  /** The database, which outlives the application, and may be down. */
  private static final class Database implements BatchWriter<String, Integer> {
    final Map<String, Integer> rows = new ConcurrentHashMap<>();
    volatile boolean isDown;

    @Override
    public void writeAll(Map<String, Integer> entries) {
      check();
      rows.putAll(entries);
    }

    @Override
    public void deleteAll(Set<String> keys) {
      check();
      rows.keySet().removeAll(keys);
    }

    private void check() {
      if (isDown) {
        throw new IllegalStateException("down");
      }
    }
  }

  static class Stock {
    @CachePut(cacheNames = "stock", key = "#item")
    public int set(String item, int number) {
      return number;
    }

    @CacheEvict("stock")
    public void remove(String item) {}
  }

  @Configuration
  @EnableCaching
  static class Application {
    @Bean
    Stock stock() {
      return new Stock();
    }
  }

  @TempDir private Path directory;
  private final Database database = new Database();

  private void run(Consumer<AssertableApplicationContext> test, String... properties) {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                RockpoolMetricsAutoConfiguration.class,
                RockpoolCacheMetricsAutoConfiguration.class,
                CacheAutoConfiguration.class,
                CacheMetricsAutoConfiguration.class))
        .withUserConfiguration(Application.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withBean("stockWriter", Database.class, () -> database)
        .withPropertyValues(SuiteStores.property(directory.resolve("store")))
        .withPropertyValues(properties)
        .run(test::accept);
  }

  private static double gauge(AssertableApplicationContext context, String name) {
    return context.getBean(MeterRegistry.class).get(name).tag("cache", "stock").gauge().value();
  }

  @Test
  void whatIsPendingIsWrittenAfterTheNextStart() {
    database.isDown = true;
    database.rows.put("pear", 1);
    run(
        context -> {
          Stock stock = context.getBean(Stock.class);
          stock.set("apple", 3);
          stock.set("apple", 4);
          stock.remove("pear");
          assertThat(gauge(context, "cache.pending")).isEqualTo(2);
          assertThat(gauge(context, "cache.pending.size")).isPositive();
        },
        "rockpool.caches.stock.write-behind.writer=stockWriter",
        "rockpool.caches.stock.write-behind.close-timeout=0");
    assertThat(database.rows).isEqualTo(Map.of("pear", 1));
    database.isDown = false;
    run(
        context -> {
          while (!database.rows.equals(Map.of("apple", 4))) {
            sleep(); // nothing has used the cache
          }
          while (gauge(context, "cache.pending") > 0) {
            sleep(); // the change is acknowledged after it was written
          }
        },
        "rockpool.caches.stock.write-behind.writer=stockWriter",
        "rockpool.caches.stock.write-behind.delay=0");
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(5);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aChangeThatFailsTooOftenIsADeadLetter() {
    database.isDown = true;
    run(
        context -> {
          context.getBean(Stock.class).set("apple", 3);
          while (gauge(context, "cache.pending.dead") == 0) {
            sleep();
          }
          assertThat(gauge(context, "cache.pending")).isZero();
        },
        "rockpool.caches.stock.write-behind.writer=stockWriter",
        "rockpool.defaults.write-behind.delay=0",
        "rockpool.defaults.write-behind.backoff=1ms",
        "rockpool.defaults.write-behind.maximum-attempts=2");
  }

  @Test
  void aCachesOptionsReplaceTheDefaults() {
    run(
        context -> {
          RockpoolCacheManager manager = context.getBean(RockpoolCacheManager.class);
          assertThat(manager.configurationOf("stock").writeBehind())
              .contains(
                  WriteBehindOptions.defaults()
                      .batchSize(7)
                      .maximumPendingBytes(1 << 20)
                      .maximumWait(Duration.ofSeconds(2))
                      .whenFull(WhenFull.WRITE_THROUGH));
          assertThat(manager.configurationOf("other").writeBehind()).isEmpty();
        },
        "rockpool.caches.stock.write-behind.writer=stockWriter",
        "rockpool.caches.stock.write-behind.when-full=write-through",
        "rockpool.caches.stock.write-behind.maximum-pending-bytes=1MB",
        "rockpool.caches.stock.write-behind.batch-size=7",
        "rockpool.defaults.write-behind.batch-size=8",
        "rockpool.defaults.write-behind.maximum-wait=2s");
  }

  private void assertRefused(String message, String... properties) {
    run(
        context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message),
        properties);
  }

  @Test
  void aWriterIsABeanOfOneCache() {
    assertRefused(
        "The application has [stockWriter]",
        "rockpool.caches.stock.write-behind.writer=stockwriter");
    assertRefused("Name the BatchWriter bean", "rockpool.caches.stock.write-behind.batch-size=5");
    assertRefused(
        "Name the writer of each single cache",
        "rockpool.defaults.write-behind.writer=stockWriter");
    assertRefused(
        "Name the writer of each single cache",
        "rockpool.caches.[sto*].write-behind.writer=stockWriter");
    assertRefused(
        "rockpool.caches.stock.write-behind.batch-size",
        "rockpool.caches.stock.write-behind.writer=stockWriter",
        "rockpool.caches.stock.write-behind.batch-size=0");
  }
}
