package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A key that is put while it is loaded: what was put is returned and stays. */
final class PutMeanwhileTest extends OnEverySetup {
  private static final String PUT = "put";

  /** Options of a cache in which values that end with "!" do not live. */
  private CacheOptions<String, String> options() {
    return setup
        .<String, String>options()
        .expiry(
            CacheExpiry.creating(
                (key, value) -> value.endsWith("!") ? Duration.ZERO : Duration.ofHours(1)));
  }

  @Test
  void whatWasPutIsReturned() {
    PersistentCache<String, String> cache =
        pool.cache("cache", String.class, String.class, o -> options());
    for (String loaded : List.of("loaded", "loaded!")) {
      cache.clear();
      ValueLoader<String, String> loader =
          key -> {
            cache.put(key, PUT);
            return loaded;
          };
      assertThat(cache.get("a", loader)).isEqualTo(PUT);
      assertThat(cache.get("b", loader, (key, value) -> Set.of())).isEqualTo(PUT);
      assertThat(
              cache.getAsync(
                  "c",
                  key -> {
                    cache.put(key, PUT);
                    return CompletableFuture.completedFuture(loaded);
                  },
                  Runnable::run))
          .isCompletedWithValue(PUT);
      assertThat(
              cache.getAll(
                  List.of("d", "e", "f"),
                  keys -> {
                    cache.put("d", PUT);
                    return Map.of("d", loaded, "e", loaded);
                  }))
          .isEqualTo(Map.of("d", PUT, "e", loaded));
      assertThat(cache.getAll(List.of("a", "b", "c", "d")))
          .hasSize(4)
          .allSatisfy((key, value) -> assertThat(value).isEqualTo(PUT));
      assertThat(cache.get("e")).isEqualTo(loaded.equals("loaded") ? loaded : null);
    }
  }

  @Test
  void whatIsThereAfterARefreshIsItsResult() {
    AtomicReference<PersistentCache<String, String>> opened = new AtomicReference<>();
    ValueLoader<String, String> loader =
        key -> {
          opened.get().put(key, PUT);
          return "loaded!";
        };
    PersistentCache<String, String> cache =
        pool.cache("refreshed", String.class, String.class, o -> options().refreshLoader(loader));
    opened.set(cache);
    assertThat(cache.refresh("a").join()).isEqualTo(PUT);
    cache.put("b", "old");
    assertThat(cache.refresh("b").join()).isEqualTo(PUT);
  }
}
