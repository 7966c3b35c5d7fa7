package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.StoreFullException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A full store takes no loaded value; its caller gets it. */
final class LoadOnFullStoreTest {
  @Test
  void loadedValuesAreReturnedAndNotStored() {
    RefusingEngine refusing = new RefusingEngine();
    try (Rockpool pool = Rockpool.at(o -> refusing.over(MemoryEngine.builder().build())).open()) {
      PersistentCache<String, Integer> cache = pool.cache("c", String.class, Integer.class);
      refusing.full = true;
      assertThat(cache.get("a", key -> 1)).isEqualTo(1);
      assertThat(cache.getAll(Set.of("a", "b"), keys -> Map.of("a", 2, "b", 3)))
          .isEqualTo(Map.of("a", 2, "b", 3));
      assertThat(
              cache
                  .getAsync("a", key -> CompletableFuture.completedFuture(4), Runnable::run)
                  .join())
          .isEqualTo(4);
      assertThat(cache.getAll(Set.of("a", "b"))).isEmpty();
      assertThatThrownBy(() -> cache.put("a", 1)).isInstanceOf(StoreFullException.class);
      refusing.full = false;
      assertThat(cache.get("a", key -> 5)).isEqualTo(5);
      assertThat(cache.get("a")).isEqualTo(5);
    }
  }
}
