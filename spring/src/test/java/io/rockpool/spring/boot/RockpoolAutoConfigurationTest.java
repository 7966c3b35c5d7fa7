package io.rockpool.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.RockpoolBuilder;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codecs;
import io.rockpool.spring.RockpoolCacheConfiguration;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.spring.SuiteStores;
import io.rockpool.store.Durability;
import io.rockpool.testing.FakeClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.cache.interceptor.NamedCacheResolver;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

final class RockpoolAutoConfigurationTest {
  record Order(String id) {}

  @Configuration
  @EnableCaching
  @AutoConfigurationPackage
  static class CachingApplication {}

  @TempDir private Path directory;

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class,
                RockpoolCacheAutoConfiguration.class,
                CacheAutoConfiguration.class))
        .withPropertyValues(SuiteStores.property(directory.resolve("store")));
  }

  private ApplicationContextRunner caching() {
    return runner().withUserConfiguration(CachingApplication.class);
  }

  @Test
  void cachingIsRockpools() {
    caching()
        .run(
            context -> {
              assertThat(context).hasSingleBean(CacheManager.class);
              Cache cache = context.getBean(CacheManager.class).getCache("orders");
              cache.put(1, new Order("o-1"));
              assertThat(cache.get(1).get()).isEqualTo(new Order("o-1"));
            });
    caching()
        .run(
            context ->
                assertThat(context.getBean(CacheManager.class).getCache("orders").get(1).get())
                    .isEqualTo(new Order("o-1")));
  }

  @Test
  void aContextBesideAnotherSharesTheStore() {
    caching()
        .run(
            first ->
                caching()
                    .run(
                        second -> {
                          first.getBean(CacheManager.class).getCache("a").put(1, "v");
                          Cache cache = second.getBean(CacheManager.class).getCache("a");
                          assertThat(cache.get(1).get()).isEqualTo("v");
                        }));
  }

  @Test
  void theStoreIsThereWithoutCaching() {
    runner()
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(CacheManager.class);
              assertThat(directory.resolve("store")).doesNotExist();
              context.getBean(Rockpool.class).map("stock", String.class, Long.class).put("a", 1L);
              assertThat(directory.resolve("store")).exists();
            });
  }

  @Test
  void theStoreIsThereWithoutBootsCaching() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                RockpoolAutoConfiguration.class, RockpoolCacheAutoConfiguration.class))
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.cache"))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Rockpool.class));
  }

  @Test
  void anotherCacheManagerGoesFirst() {
    caching()
        .withBean(CacheManager.class, () -> new ConcurrentMapCacheManager("mine"))
        .run(
            context -> {
              assertThat(context).hasSingleBean(CacheManager.class);
              assertThat(context).hasSingleBean(ConcurrentMapCacheManager.class);
              assertThat(directory.resolve("store")).doesNotExist();
            });
  }

  @Test
  void aCacheResolverGoesFirst() {
    runner()
        .withUserConfiguration(ResolvingApplication.class)
        .run(
            context ->
                assertThat(context).hasNotFailed().doesNotHaveBean(RockpoolCacheManager.class));
  }

  @Configuration
  @EnableCaching
  static class ResolvingApplication implements CachingConfigurer {
    @Bean
    @Override
    public CacheResolver cacheResolver() {
      return new NamedCacheResolver(new ConcurrentMapCacheManager(), "mine");
    }
  }

  @Test
  void cachesThatAreBeansGoFirst() {
    caching()
        .withBean(Cache.class, () -> new ConcurrentMapCache("mine"))
        .run(context -> assertThat(context).hasSingleBean(SimpleCacheManager.class));
  }

  @Test
  void anotherCacheTypeGoesFirst() {
    caching()
        .withPropertyValues("spring.cache.type=simple")
        .run(context -> assertThat(context).hasSingleBean(ConcurrentMapCacheManager.class));
    caching()
        .withPropertyValues("spring.cache.type=none")
        .run(context -> assertThat(context).hasSingleBean(NoOpCacheManager.class));
    assertThat(directory.resolve("store")).doesNotExist();
  }

  @Test
  void theCacheTypeMayNameRockpool() {
    caching()
        .withPropertyValues("spring.cache.type=Rockpool")
        .run(context -> assertThat(context).hasSingleBean(RockpoolCacheManager.class));
    caching()
        .withPropertyValues("spring.cache.type=")
        .run(context -> assertThat(context).hasSingleBean(RockpoolCacheManager.class));
  }

  @Test
  void propertiesConfigureStoreAndCaches() {
    caching()
        .withPropertyValues(
            "rockpool.memory=64MB",
            "rockpool.heap-budget=5MB",
            "rockpool.durability=buffered",
            "rockpool.defaults.ttl=1h",
            "rockpool.defaults.key-prefix=app/",
            "rockpool.caches.orders.tti=10m",
            "rockpool.caches.orders.null-ttl=5s",
            "rockpool.caches.orders.hot-size=100",
            "rockpool.caches[by-*].hot-size=1MB",
            "rockpool.caches[by-*].disk-budget=1GB",
            "rockpool.caches[by-*].maximum-size=10",
            "rockpool.caches[by-*].soft-ttl=5m",
            "rockpool.caches[by-*].refresh-ahead-factor=0.8",
            "rockpool.caches[by-*].jitter=0.1",
            "rockpool.caches[by-*].warm-restart=false",
            "rockpool.caches[by-*].on-unencodable=fail",
            "rockpool.caches[by-*].version=7",
            "rockpool.caches[by-*].evolve=true",
            "rockpool.caches[by-*].durability=sync")
        .run(
            context -> {
              RockpoolCacheConfiguration unsaid =
                  RockpoolCacheConfiguration.defaults().keyPrefix("app/");
              RockpoolCacheManager manager = context.getBean(RockpoolCacheManager.class);
              assertThat(manager.configurationOf("orders"))
                  .isEqualTo(
                      unsaid
                          .tti(Duration.ofMinutes(10))
                          .nullTtl(Duration.ofSeconds(5))
                          .hotEntries(100));
              assertThat(manager.configurationOf("by-day"))
                  .isEqualTo(
                      unsaid
                          .ttl(Duration.ofHours(1))
                          .softTtl(Duration.ofMinutes(5))
                          .refreshAheadFactor(0.8)
                          .jitter(0.1)
                          .warmRestart(false)
                          .onUnencodable(OnUnencodable.FAIL)
                          .version("7")
                          .evolve(true)
                          .hotBytes(1 << 20)
                          .diskBudgetBytes(1 << 30)
                          .maximumSize(10)
                          .durability(Durability.SYNC));
              manager.getCache("orders").put(1, "v");
              assertThat(context.getBean(Rockpool.class).names().find("app/orders")).isPresent();
              assertThat(context.getBean(Rockpool.class).state().heap().bytes()).isEqualTo(5 << 20);
            });
  }

  @Test
  void cacheNamesMakeTheCachesThereAre() {
    caching()
        .withPropertyValues("spring.cache.cache-names=a,b")
        .run(
            context -> {
              CacheManager manager = context.getBean(CacheManager.class);
              assertThat(manager.getCacheNames()).containsExactly("a", "b");
              assertThat(manager.getCache("c")).isNull();
            });
  }

  @Test
  void customizersChangeStoreAndManager() {
    FakeClock clock = new FakeClock();
    AtomicInteger applied = new AtomicInteger();
    caching()
        .withPropertyValues("rockpool.defaults.null-ttl=1s")
        .withBean(RockpoolBuilderCustomizer.class, () -> builder -> builder.clock(clock))
        .withBean(EarlierCustomizer.class)
        .withBean(ManagerCustomizer.class, () -> new ManagerCustomizer(applied))
        .run(
            context -> {
              assertThat(applied).hasValue(1);
              assertThat(context.getBean(RockpoolCacheManager.class).isTransactionAware()).isTrue();
              Cache cache = context.getBean(CacheManager.class).getCache("a");
              cache.put(1, null);
              assertThat(cache.get(1)).isNotNull();
              clock.advanceMillis(1_000);
              assertThat(cache.get(1)).isNull();
            });
  }

  record ManagerCustomizer(AtomicInteger applied)
      implements CacheManagerCustomizer<RockpoolCacheManager> {
    @Override
    public void customize(RockpoolCacheManager manager) {
      applied.incrementAndGet();
      manager.setTransactionAware(true);
    }
  }

  @Test
  void packagesAndClassesMayBeAllowed() {
    ApplicationContextRunner elsewhere =
        runner()
            .withUserConfiguration(WithoutPackage.class)
            .withPropertyValues("rockpool.strict=true", "rockpool.defaults.on-unencodable=fail");
    Object value = new Order("o");
    elsewhere.run(
        context ->
            assertThat(put(context.getBean(CacheManager.class), value)).contains("rockpool.allow"));
    for (String allow : List.of("io.rockpool.spring", Order.class.getName())) {
      elsewhere
          .withPropertyValues("rockpool.allow=com.acme," + allow)
          .run(context -> assertThat(put(context.getBean(CacheManager.class), value)).isEmpty());
    }
    elsewhere
        .withBean(Codecs.class, () -> Codecs.builder().allow(Order.class).build())
        .run(context -> assertThat(put(context.getBean(CacheManager.class), value)).isEmpty());
  }

  @Configuration
  @EnableCaching
  static class WithoutPackage {}

  private static String put(CacheManager manager, Object value) {
    try {
      manager.getCache("a").put(1, value);
      return "";
    } catch (RuntimeException e) {
      return e.getMessage();
    }
  }

  /** Its threads may all wait for retrievals, as in {@code @Async} methods. */
  @Test
  void retrievalsDoNotNeedTheApplicationsExecutor() {
    List<Runnable> tasks = new ArrayList<>();
    caching()
        .withBean("applicationTaskExecutor", Executor.class, () -> tasks::add)
        .run(
            context -> {
              Cache cache = context.getBean(CacheManager.class).getCache("a");
              assertThat(cache.retrieve(1, () -> CompletableFuture.completedFuture("v")))
                  .succeedsWithin(Duration.ofSeconds(20))
                  .isEqualTo("v");
              assertThat(tasks).isEmpty();
            });
  }

  @Test
  void aStoreOfTheApplicationsOwnIsUsed() {
    Path own = directory.resolve("own");
    caching()
        .withBean(Rockpool.class, () -> Rockpool.open(own))
        .run(
            context -> {
              context.getBean(CacheManager.class).getCache("a").put(1, "v");
              assertThat(own).exists();
              assertThat(directory.resolve("store")).doesNotExist();
            });
  }

  @Test
  void cachesAndStoreOutliveAllOtherBeans() {
    List<Object> found = new ArrayList<>();
    caching()
        .withBean(LateUser.class, () -> new LateUser(found))
        .run(
            context -> {
              LateUser user = context.getBean(LateUser.class);
              user.manager = context.getBean(CacheManager.class);
              user.pool = context.getBean(Rockpool.class);
              user.manager.getCache("a").put(1, "v");
            });
    assertThat(found).containsExactly("v", true);
    assertThat(Files.exists(directory.resolve("store"))).isTrue();
    Rockpool.at(directory.resolve("store")).memoryBytes(1 << 25).open().close();
  }

  /** Uses the cache in its last act, and Spring does not know that it depends on it. */
  static final class LateUser implements DisposableBean {
    private final List<Object> found;
    private CacheManager manager;
    private Rockpool pool;

    LateUser(List<Object> found) {
      this.found = found;
    }

    @Override
    public void destroy() {
      found.add(manager.getCache("a").get(1).get());
      found.add(pool.names().find("a").isPresent());
    }
  }

  /** Is overridden by customizers without an order. */
  static final class EarlierCustomizer implements RockpoolBuilderCustomizer, Ordered {
    @Override
    public int getOrder() {
      return 0;
    }

    @Override
    public void customize(RockpoolBuilder builder) {
      builder.clock(() -> Instant.EPOCH);
    }
  }
}
