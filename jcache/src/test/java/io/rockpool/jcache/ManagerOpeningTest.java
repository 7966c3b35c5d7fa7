package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening a manager while its store is being closed by another part of the application. */
final class ManagerOpeningTest {
  @TempDir Path directory;

  @Test
  void whoWaitsForAClosingHoldsUpNoTransactionOfTheStore() throws Exception {
    URI uri = URI.create("rockpool:" + directory);
    RockpoolCachingProvider provider = new RockpoolCachingProvider();
    Rockpool pool = Rockpool.open(directory);
    PersistentMap<String, String> map = pool.map("map", String.class, String.class);
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    Running<Boolean> transaction =
        Threads.start(
            () ->
                pool.atomically(
                    own -> {
                      map.put("key", "value");
                      holds.countDown();
                      await(waits);
                      assertThatThrownBy(() -> provider.getCacheManager(uri, null, null))
                          .isInstanceOf(IllegalStateException.class)
                          .hasMessageContaining("is being closed");
                      return true;
                    }));
    Threads.await(holds);
    Running<Boolean> close =
        Threads.start(
            () -> {
              pool.close();
              return true;
            });
    close.awaitWaiting();
    Running<CacheManager> opening = Threads.start(() -> provider.getCacheManager(uri, null, null));
    opening.awaitWaiting();
    waits.countDown();
    assertThat(transaction.result()).isTrue();
    assertThat(close.result()).isTrue();
    CacheManager manager = opening.result();
    assertThat(manager.isClosed()).isFalse();
    assertThat(provider.getCacheManager(uri, null, null)).isSameAs(manager);
    provider.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
