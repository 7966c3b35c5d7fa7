package io.rockpool.spring;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;

/** Loaders that ask for a key whose load waits for them. */
class RecursiveRetrievalTest {
  private Rockpool pool;
  private RockpoolCacheManager manager;
  private Cache cache;
  private Cache other;

  @BeforeEach
  void open() {
    pool = SuiteStores.openNew();
    manager = new RockpoolCacheManager(pool);
    cache = manager.getCache("cache");
    other = manager.getCache("other");
  }

  @AfterEach
  void close() {
    manager.close();
    pool.close();
  }

  private CompletableFuture<String> inner() {
    return cache.retrieve("k", () -> CompletableFuture.completedFuture("inner"));
  }

  private void assertRecursive(Supplier<CompletableFuture<String>> load) {
    CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> load.get().join());
    assertThatThrownBy(() -> result.get(10, SECONDS))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasStackTraceContaining("Recursive load");
    assertThat(CompletableFuture.supplyAsync(() -> cache.get("k", () -> "read")))
        .as("another reader")
        .succeedsWithin(10, SECONDS)
        .isEqualTo("read");
  }

  @Test
  void aLoaderThatRetrievesItsOwnKeyIsRefused() {
    assertRecursive(() -> cache.retrieve("k", this::inner));
  }

  @Test
  void loadersThatRetrieveEachOthersKeysAreRefused() {
    assertRecursive(() -> cache.retrieve("k", () -> other.retrieve("k", this::inner)));
  }

  @Test
  void aLoaderThatWaitsForARetrievalOfItsOwnKeyIsRefused() {
    assertRecursive(() -> CompletableFuture.completedFuture(cache.get("k", () -> inner().join())));
  }

  @Test
  void aLoaderMayRetrieveAnotherKeyAndOneThatIsThere() {
    assertThat(other.retrieve("k", this::inner)).succeedsWithin(10, SECONDS).isEqualTo("inner");
    other.clear();
    assertThat(other.retrieve("k", this::inner)).succeedsWithin(10, SECONDS).isEqualTo("inner");
  }
}
