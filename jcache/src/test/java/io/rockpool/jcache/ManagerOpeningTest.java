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
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Opening a manager while its store is being closed by another part of the application, and its
 * caches inside a transaction.
 */
final class ManagerOpeningTest {
  private static final String CACHE = "cache";

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

  /** How a transaction may be the first that uses a cache, as a cached method does. */
  private enum FirstUse {
    CREATES_A_NEW_CACHE(false, manager -> manager.createCache(CACHE, new MutableConfiguration<>())),
    CREATES_A_STORED_CACHE(
        true, manager -> manager.createCache(CACHE, new MutableConfiguration<>())),
    GETS_A_STORED_CACHE(true, manager -> manager.getCache(CACHE));

    private final boolean isStored;

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final Function<CacheManager, Cache<String, String>> opening;

    FirstUse(boolean isStored, Function<CacheManager, Cache<String, String>> opening) {
      this.isStored = isStored;
      this.opening = opening;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionMayBeTheFirstToUseACache(FirstUse use) {
    URI uri = URI.create("rockpool:" + directory);
    if (use.isStored) {
      try (RockpoolCachingProvider before = new RockpoolCachingProvider()) {
        before
            .getCacheManager(uri, null, null)
            .createCache(CACHE, new MutableConfiguration<String, String>())
            .put("stored", "v");
      }
    }
    try (RockpoolCachingProvider provider = new RockpoolCachingProvider()) {
      CacheManager manager = provider.getCacheManager(uri, null, null);
      Rockpool pool = manager.unwrap(Rockpool.class);
      assertThatThrownBy(
              () ->
                  pool.runAtomically(
                      transaction -> {
                        use.opening.apply(manager).put("undone", "v");
                        throw new UnsupportedOperationException("undo");
                      }))
          .hasMessage("undo");
      Cache<String, String> cache = manager.getCache(CACHE);
      assertThat(cache.containsKey("undone")).isFalse();
      assertThat(cache.get("stored")).isEqualTo(use.isStored ? "v" : null);
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
