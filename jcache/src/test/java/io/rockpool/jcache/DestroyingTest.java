package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.Rockpool;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cache that is destroyed while it is used. */
@Timeout(60)
class DestroyingTest extends JCacheTest {
  @Test
  void aTransactionThatHoldsItsRowsMayAskForTheCache() throws Exception {
    CacheManager manager = manager();
    Cache<String, String> cache =
        manager.createCache(
            "c",
            new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(Duration.ONE_HOUR)));
    cache.put("k", "v");
    assertThat(cache.get("k")).isEqualTo("v"); // its deadline has moved, which closing writes
    CountDownLatch destroyed = new CountDownLatch(1);
    Thread destroyer =
        new Thread(
            () -> {
              manager.destroyCache("c");
              destroyed.countDown();
            });
    Rockpool pool = manager.unwrap(Rockpool.class);
    Throwable ofTransaction =
        catchThrowable(
            () ->
                pool.atomically(
                    transaction -> {
                      cache.put("k", "w");
                      if (destroyer.getState() == Thread.State.NEW) {
                        destroyer.start();
                        awaitWaitingOrEnd(destroyer);
                      }
                      assertRefusedOrAbsent(manager);
                      return true;
                    }));
    // The commit is refused if the cache is gone by then.
    if (ofTransaction != null) {
      assertThat(ofTransaction)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("dropped");
    }
    assertThat(destroyed.await(30, TimeUnit.SECONDS)).isTrue();
    destroyer.join();
    assertThat(manager.getCacheNames()).isEmpty();
  }

  /** A cache that is being closed is refused without a wait; after that it is absent. */
  private static void assertRefusedOrAbsent(CacheManager manager) {
    assertThat(catchThrowable(() -> manager.getCache("c")))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isNull(),
            thrown -> assertThat(thrown).isInstanceOf(IllegalStateException.class));
  }

  private static void awaitWaitingOrEnd(Thread thread) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
