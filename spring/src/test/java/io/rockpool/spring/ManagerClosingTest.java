package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;

/** Closing a manager beside a transaction that uses it. */
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

  private static void await(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
