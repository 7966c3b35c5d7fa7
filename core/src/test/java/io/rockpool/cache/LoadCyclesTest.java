package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads and functions that ask for their own key, or wait for each other. */
@Timeout(60)
final class LoadCyclesTest extends LoadThreads {
  @Test
  void loadersThatWaitForEachOtherAreRefused() {
    for (int many = 2; many <= 4; many++) {
      int size = many;
      CyclicBarrier all = new CyclicBarrier(size);
      List<Future<Throwable>> failures = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int number = i;
        Function<String, Integer> loader =
            key -> {
              await(all);
              return cacheOf(number + 1, size).get("k" + (number + 1) % size, next -> -1);
            };
        failures.add(
            start(
                () ->
                    catchThrowable(() -> cacheOf(number, size).get("k" + number, loader::apply))));
      }
      for (Future<Throwable> failure : failures) {
        assertThat(get(failure))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Recursive load");
      }
      assertThat(cache.get("k0", key -> 5)).as("nothing is left of it").isEqualTo(5);
      cache.clear();
    }
  }

  private PersistentCache<String, Integer> cacheOf(int number, int size) {
    return number % size % 2 == 0 ? cache : other;
  }

  @Test
  void loadersThatWaitInALineAreNotRefused() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Integer> last =
        start(
            () ->
                other.get(
                    "b",
                    key -> {
                      begun.countDown();
                      await(goOn);
                      return 1;
                    }));
    await(begun);
    Future<Integer> first = start(() -> cache.get("a", key -> other.get("b", missed -> -1) + 1));
    awaitThatTheLastThreadWaits();
    goOn.countDown();
    assertThat(get(last)).isEqualTo(1);
    assertThat(get(first)).isEqualTo(2);
  }

  @Test
  void aLoaderThatAsksForItsOwnKeyIsRefusedInATransactionToo() {
    Function<String, Integer> recursive = key -> cache.get(key, again -> 1);
    assertThatThrownBy(() -> cache.get("a", recursive::apply))
        .hasMessageContaining("Recursive load");
    assertThatThrownBy(() -> pool.atomically(tx -> cache.get("a", recursive::apply)))
        .hasMessageContaining("Recursive load");
    assertThatThrownBy(
            () -> cache.get("a", key -> pool.atomically(tx -> cache.get(key, again -> 1))))
        .hasMessageContaining("Recursive load");
    assertThat(cache.get("a")).isNull();
    pool.<@Nullable Object>atomically(
        tx -> {
          assertThat(cache.get("a", key -> null)).isNull();
          return cache.get("a", key -> 1);
        });
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void aFunctionThatWritesItsOwnKeyIsRefused() {
    int[] writes = new int[1];
    Function<PersistentCache<String, Integer>, Integer> write =
        handle -> {
          handle.put("a", writes[0]++);
          return 0;
        };
    PersistentCache<String, Integer> own =
        Internals.store(pool)
            .caches()
            .openOwn(
                "one",
                TypeRef.of(String.class),
                TypeRef.of(Integer.class),
                CacheOptions.defaults());
    List<Runnable> recursive =
        List.of(
            () -> cache.compute("a", (key, there) -> write.apply(cache)),
            () -> cache.compute("a", (key, there) -> write.apply(own)),
            () -> cache.merge("a", 1, (one, two) -> write.apply(cache)),
            () -> cache.asMap().replaceAll((key, there) -> write.apply(cache)),
            () -> Internals.cache(cache).decide("a", there -> Decision.put(write.apply(cache))),
            () ->
                Internals.cache(cache)
                    .decideAll(List.of("b", "a"), (key, there) -> Decision.put(write.apply(cache))),
            () ->
                cache.compute(
                    "a", (key, there) -> cache.compute(key, (k, it) -> write.apply(cache))),
            () ->
                cache.compute(
                    "a",
                    (key, there) -> {
                      cache.put(key, writes[0]++);
                      cache.invalidate(key);
                      Internals.cache(cache)
                          .decideAll(List.of(key, "c"), (k, it) -> Decision.put(writes[0]++));
                      return 0;
                    }),
            () -> pool.atomically(tx -> cache.compute("a", (key, there) -> write.apply(cache))));
    for (Runnable each : recursive) {
      cache.put("a", -1);
      assertThatThrownBy(each::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Recursive update");
      assertThat(cache.compute("a", (key, there) -> 5)).as("nothing is left of it").isEqualTo(5);
    }
  }

  @Test
  void aFunctionMayWriteOtherKeysAndReadItsOwn() {
    assertThat(
            cache.compute(
                "a",
                (key, there) -> {
                  other.put(key, 1);
                  cache.put("b", 2);
                  return cache.get(key) == null ? other.get(key) : -1;
                }))
        .isEqualTo(1);
    assertThat(cache.compute("a", (key, there) -> there == 1 ? putAndGet(key) : there + 10))
        .as("a function that writes its key once is asked again")
        .isEqualTo(17);
  }

  @Test
  void replaceAllReplacesEachValue() {
    cache.put("a", 1);
    cache.put("b", 2);
    cache.asMap().replaceAll((key, value) -> value + 10);
    assertThat(cache.asMap()).isEqualTo(Map.of("a", 11, "b", 12));
    assertThatThrownBy(() -> cache.asMap().replaceAll((key, value) -> null))
        .isInstanceOf(NullPointerException.class);
    assertThat(cache.asMap()).isEqualTo(Map.of("a", 11, "b", 12));
  }

  private int putAndGet(String key) {
    cache.put(key, 7);
    return 0;
  }
}
