package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value that cannot be encoded, such as one that holds a thread. */
class UnencodableValueTest {
  @TempDir Path directory;

  @SuppressWarnings("UnusedVariable") // encoded
  private record Line(String text, Object more) {}

  @SuppressWarnings("UnusedVariable") // encoded
  private static final class Order {
    final List<Line> lines;

    Order(Line... lines) {
      this.lines = List.of(lines);
    }
  }

  private static final Order HOPELESS = new Order(new Line("a", 1), new Line("b", new Thread()));

  private PersistentCache<String, Object> cache(Rockpool pool, CacheOptions.OnUnencodable action) {
    return pool.cache("orders", String.class, Object.class, o -> o.onUnencodable(action));
  }

  @Test
  void isAnErrorThatNamesTheCacheTheClassAndThePath() {
    try (Rockpool pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock())) {
      PersistentCache<String, Object> cache = cache(pool, CacheOptions.OnUnencodable.FAIL);
      cache.put("k", "old");
      assertThatThrownBy(() -> cache.put("k", HOPELESS))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("\"orders\"")
          .hasMessageContaining("value.lines[1].more")
          .hasMessageContaining("java.lang.Thread");
      assertThat(cache.get("k")).isEqualTo("old");
      assertThatThrownBy(() -> cache.get("l", key -> HOPELESS))
          .isInstanceOf(UnencodableValueException.class);
      assertThat(cache.statistics().unencodable()).isEqualTo(2);
    }
  }

  @Test
  void isSkippedWithTheEntryThatItWasToReplace() {
    try (Rockpool pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock())) {
      PersistentCache<String, Object> cache = cache(pool, CacheOptions.OnUnencodable.SKIP);
      List<String> keys = List.of("put", "all", "get", "compute");
      keys.forEach(key -> cache.put(key, "old"));
      long puts = cache.statistics().puts();
      cache.put("put", HOPELESS);
      cache.putAll(Map.of("all", HOPELESS));
      assertThat(cache.getAndPut("get", HOPELESS)).isEqualTo("old");
      assertThat(cache.compute("compute", (key, there) -> HOPELESS)).isSameAs(HOPELESS);
      assertThat(cache.getAll(keys)).isEmpty();
      assertThat(cache.statistics().unencodable()).isEqualTo(4);
      assertThat(cache.statistics().puts()).isEqualTo(puts);
    }
  }

  @Test
  void isReturnedToWhoLoadsIt() throws Exception {
    try (Rockpool pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock())) {
      PersistentCache<String, Object> cache = cache(pool, CacheOptions.OnUnencodable.SKIP);
      CountDownLatch loading = new CountDownLatch(1);
      CompletableFuture<Object> loaded = new CompletableFuture<>();
      CompletableFuture<Object> first =
          CompletableFuture.supplyAsync(
              () ->
                  cache.get(
                      "k",
                      key -> {
                        loading.countDown();
                        return loaded.join();
                      }));
      loading.await();
      CompletableFuture<Object> second =
          Internals.cache(cache)
              .loadAsync("k", key -> CompletableFuture.completedFuture("other"), Runnable::run);
      loaded.complete(HOPELESS);
      assertThat(first.get()).isSameAs(HOPELESS);
      assertThat(second.get()).isSameAs(HOPELESS);
      assertThat(cache.getAll(List.of("k", "l"), keys -> Map.of("k", HOPELESS, "l", "fine")))
          .containsEntry("k", HOPELESS)
          .containsEntry("l", "fine");
      assertThat(cache).extracting(Map.Entry::getKey).containsExactly("l");
      assertThat(cache.statistics().unencodable()).isEqualTo(2);
    }
  }

  @Test
  void isNoChangeWhereThereWasNoEntry() {
    try (Rockpool pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock())) {
      PersistentCache<String, Object> cache = cache(pool, CacheOptions.OnUnencodable.SKIP);
      cache.put("there", "old");
      CacheStatistics before = cache.statistics();
      List<Object> stored = new ArrayList<>();
      assertThat(Internals.cache(cache).decide("k", there -> Decision.put(HOPELESS))).isFalse();
      assertThat(
              Internals.cache(cache)
                  .decideAll(List.of("k"), (key, there) -> Decision.put(HOPELESS)))
          .isEmpty();
      assertThat(
              Internals.cache(cache)
                  .decideAll(
                      List.of("k", "there", "l"),
                      (key, there) -> Decision.put(key.equals("l") ? "fine" : HOPELESS)))
          .containsExactly("there", "l");
      assertThat(
              Internals.cache(cache)
                  .load("k", key -> HOPELESS, (loaded, store) -> stored.addAll(store.run())))
          .isSameAs(HOPELESS);
      assertThat(
              Internals.cache(cache)
                  .loadAll(
                      List.of("k", "m"),
                      keys -> Map.of("k", HOPELESS, "m", "fine"),
                      (loaded, store) -> stored.addAll(store.run())))
          .hasSize(2);
      assertThat(stored).containsExactly("m");
      assertThat(cache.remove("there")).isFalse();
      assertThat(Internals.cache(cache).decide("l", there -> Decision.put(HOPELESS))).isTrue();
      assertThat(cache.statistics().puts()).isEqualTo(before.puts() + 2);
      assertThat(cache.statistics().removals()).isEqualTo(before.removals() + 2);
    }
  }

  @Test
  void supersedesLoadsThatBeganBeforeIt() {
    try (Rockpool pool = CacheSetup.ROCKSDB_ROOMY.open(directory, new FakeClock())) {
      PersistentCache<String, Object> cache = cache(pool, CacheOptions.OnUnencodable.SKIP);
      for (boolean blind : new boolean[] {true, false}) {
        CompletableFuture<Object> older = new CompletableFuture<>();
        CompletableFuture<Object> load =
            Internals.cache(cache).loadAsync("k", key -> older, Runnable::run);
        if (blind) {
          cache.put("k", HOPELESS);
        } else {
          assertThat(cache.getAndPut("k", HOPELESS)).isNull();
        }
        older.complete("older");
        assertThat(load.join()).isEqualTo("older");
        assertThat(cache.get("k")).isNull();
      }
    }
  }
}
