package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.internal.access.Internals;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Loaders that ask, without waiting, for a key whose load waits for them. */
class RecursiveLoadTest {
  private Rockpool pool;
  private PersistentCache<String, Integer> cache;
  private PersistentCache<String, Integer> other;

  @BeforeEach
  void open() {
    pool = Rockpool.temporary().open();
    cache = pool.cache("one", String.class, Integer.class);
    other = pool.cache("other", String.class, Integer.class);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private static CompletableFuture<@Nullable Integer> load(
      PersistentCache<String, Integer> from,
      String key,
      Function<String, CompletionStage<@Nullable Integer>> loader) {
    return Internals.cache(from).loadAsync(key, loader, Runnable::run);
  }

  private CompletableFuture<@Nullable Integer> inner() {
    return load(cache, "a", key -> CompletableFuture.completedFuture(1));
  }

  private void assertRecursive(CompletableFuture<@Nullable Integer> load) {
    assertThatThrownBy(() -> load.get(10, SECONDS))
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Recursive load");
    CompletableFuture<@Nullable Integer> reader =
        CompletableFuture.supplyAsync(() -> cache.get("a", key -> 2));
    assertThat(reader).as("another reader").succeedsWithin(10, SECONDS).isEqualTo(2);
  }

  @Test
  void aLoaderThatAsksForItsOwnKeyIsRefused() {
    assertRecursive(load(cache, "a", key -> inner()));
  }

  @Test
  void loadersOfOneThreadThatAskForEachOthersKeysAreRefused() {
    assertRecursive(load(cache, "a", key -> load(other, "b", next -> inner())));
    assertThat(other.get("b", key -> 3)).isEqualTo(3);
  }

  @Test
  void aLoaderThatBlocksIsRefusedTheLoadOfItsOwnKey() {
    assertThatThrownBy(() -> cache.get("a", key -> inner().join()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Recursive load");
    assertThat(cache.get("a", key -> 2)).isEqualTo(2);
  }

  @Test
  void aLoaderMayAskForAnotherKey() {
    assertThat(load(cache, "b", key -> inner())).succeedsWithin(10, SECONDS).isEqualTo(1);
    assertThat(cache.getAll(Set.of("a", "b"))).hasSize(2);
  }
}
