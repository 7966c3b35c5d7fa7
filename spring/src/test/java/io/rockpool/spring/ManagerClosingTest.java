package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.cache.Cache;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** Closing a manager beside a transaction or a method that uses it. */
final class ManagerClosingTest {
  @Test
  void aTransactionThatAsksForACacheIsToldAndHoldsUpNoClosing(@TempDir Path directory)
      throws Exception {
    try (Rockpool pool = SuiteStores.open(directory)) {
      RockpoolCacheManager manager = new RockpoolCacheManager(pool);
      manager.setDefaults(RockpoolCacheConfiguration.defaults().tti(Duration.ofHours(1)));
      manager.afterPropertiesSet();
      Cache cache = Objects.requireNonNull(manager.getCache("read"));
      cache.put("key", "1");
      assertThat(cache.get("key")).isNotNull(); // its deadline is in memory alone now
      CountDownLatch holds = new CountDownLatch(1);
      CountDownLatch closes = new CountDownLatch(1);
      Running<Boolean> transaction =
          Threads.start(
              () ->
                  pool.atomically(
                      own -> {
                        cache.put("key", "2");
                        holds.countDown();
                        await(closes);
                        assertThatThrownBy(() -> manager.getCache("another"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("is closed");
                        return true;
                      }));
      Threads.await(holds);
      Running<Boolean> close =
          Threads.start(
              () -> {
                manager.close();
                return true;
              });
      close.awaitWaiting();
      closes.countDown();
      assertThat(transaction.result()).isTrue();
      assertThat(close.result()).isTrue();
    }
  }

  static class Slow {
    private Runnable meanwhile = () -> {};

    @Cacheable(cacheNames = "read")
    public String read(String key) {
      meanwhile.run();
      return key;
    }

    @Cacheable(cacheNames = "read")
    @CacheTags("tag")
    public String readTagged(String key) {
      return read(key);
    }

    @Cacheable(cacheNames = "read", sync = true)
    public String readSynced(String key) {
      return read(key);
    }

    @CachePut(cacheNames = "read")
    public String put(String key) {
      return read(key);
    }
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  static class Config {
    @Bean
    static CacheableRefresher cacheableRefresher() {
      return new CacheableRefresher();
    }

    @Bean
    Slow slow() {
      return new Slow();
    }
  }

  @Test
  void whatAMethodLoadsWhileTheManagerClosesIsItsCallers() {
    assertAnswered(Slow::read);
    assertAnswered(Slow::readSynced);
    assertThatThrownBy(() -> callWhileClosing(false, Slow::put))
        .as("an old value would stay in the cache")
        .isInstanceOf(StoreClosedException.class);
  }

  @Test
  void whatATaggedMethodLoadsWhileTheManagerClosesIsItsCallers() {
    assertAnswered(Slow::readTagged);
  }

  private static void assertAnswered(BiFunction<Slow, String, String> method) {
    for (boolean waits : new boolean[] {false, true}) {
      assertThat(callWhileClosing(waits, method)).isEqualTo("k");
    }
  }

  /** The result of a method that runs while its cache is closed. */
  private static String callWhileClosing(boolean waits, BiFunction<Slow, String, String> method) {
    try (Rockpool pool = SuiteStores.openNew();
        RockpoolCacheManager manager = new RockpoolCacheManager(pool);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      manager.setTransactionAware(waits);
      context.registerBean(RockpoolCacheManager.class, () -> manager);
      context.register(Config.class);
      context.refresh();
      Slow slow = context.getBean(Slow.class);
      Slow target = Objects.requireNonNull((Slow) AopProxyUtils.getSingletonTarget(slow));
      target.meanwhile = manager::close;
      return Objects.requireNonNull(
          new TransactionTemplate(new ResourcelessTransactions())
              .execute(status -> method.apply(slow, "k")));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
