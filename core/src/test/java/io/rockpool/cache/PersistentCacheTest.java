package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.LimitExceededException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.Slow;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Slow
class PersistentCacheTest extends OnEverySetup {
  private PersistentCache<String, Integer> cache;

  @BeforeEach
  void open() {
    cache = pool.cache("numbers", String.class, Integer.class, o -> setup.options());
  }

  @Test
  void whatWasPutIsRead() {
    assertThat(cache.get("a")).isNull();
    cache.put("a", 1);
    assertThat(cache.get("a")).isEqualTo(1);
    cache.put("a", 2);
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.containsKey("a")).isTrue();
    assertThat(cache.containsKey("b")).isFalse();
  }

  @Test
  void bulkOperationsReachEveryKey() {
    Map<String, Integer> many =
        IntStream.range(0, 2_000).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i));
    cache.putAll(many);
    assertThat(cache.getAll(many.keySet())).isEqualTo(many);
    assertThat(cache.getAll(List.of("k7", "none", "k7"))).isEqualTo(Map.of("k7", 7));
    cache.invalidateAll(List.of("k7", "k8", "none"));
    assertThat(cache.getAll(List.of("k6", "k7", "k8", "k9"))).isEqualTo(Map.of("k6", 6, "k9", 9));
  }

  @Test
  void putIfAbsentPutsOnce() {
    assertThat(cache.putIfAbsent("a", 1)).isNull();
    assertThat(cache.putIfAbsent("a", 2)).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void replaceNeedsAnEntry() {
    assertThat(cache.replace("a", 1)).isNull();
    assertThat(cache.get("a")).isNull();
    cache.put("a", 1);
    assertThat(cache.replace("a", 2)).isEqualTo(1);
    assertThat(cache.replace("a", 1, 3)).isFalse();
    assertThat(cache.replace("a", 2, 3)).isTrue();
    assertThat(cache.get("a")).isEqualTo(3);
  }

  @Test
  void getAndPutAndGetAndRemoveReturnWhatWasThere() {
    assertThat(cache.getAndPut("a", 1)).isNull();
    assertThat(cache.getAndPut("a", 2)).isEqualTo(1);
    assertThat(cache.getAndRemove("a")).isEqualTo(2);
    assertThat(cache.getAndRemove("a")).isNull();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void removeSaysWhetherThereWasAnEntry() {
    cache.put("a", 1);
    assertThat(cache.remove("a", 2)).isFalse();
    assertThat(cache.remove("a", 1)).isTrue();
    assertThat(cache.remove("a")).isFalse();
    cache.put("a", 1);
    assertThat(cache.remove("a")).isTrue();
    cache.put("a", 1);
    cache.invalidate("a");
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void computeAndMergeSeeWhatIsThere() {
    assertThat(cache.compute("a", (k, v) -> v == null ? 1 : v + 1)).isEqualTo(1);
    assertThat(cache.compute("a", (k, v) -> v == null ? 1 : v + 1)).isEqualTo(2);
    assertThat(cache.merge("a", 10, Integer::sum)).isEqualTo(12);
    assertThat(cache.merge("b", 10, Integer::sum)).isEqualTo(10);
    assertThat(cache.computeIfPresent("c", (k, v) -> v + 1)).isNull();
    assertThat(cache.computeIfPresent("a", (k, v) -> null)).isNull();
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(cache.compute("a", (k, v) -> null)).isNull();
  }

  @Test
  void aComputeThatThrowsChangesNothing() {
    cache.put("a", 1);
    assertThatThrownBy(
            () ->
                cache.compute(
                    "a",
                    (k, v) -> {
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void aComputeMayUseTheCache() {
    cache.put("b", 5);
    assertThat(cache.compute("a", (k, v) -> cache.compute("b", (k2, v2) -> v2 + 1))).isEqualTo(6);
    assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", 6, "b", 6));
  }

  @Test
  void clearRemovesEverythingAtOnce() {
    cache.putAll(Map.of("a", 1, "b", 2));
    cache.get("a");
    cache.clear();
    assertThat(cache.get("a")).isNull();
    assertThat(cache).isEmpty();
    cache.put("a", 3);
    assertThat(cache.get("a")).isEqualTo(3);
  }

  @Test
  void iterationSeesEveryEntryOnceAndRemoves() {
    Map<String, Integer> many =
        IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i));
    cache.putAll(many);
    Map<String, Integer> seen = new HashMap<>();
    cache.forEach(entry -> assertThat(seen.put(entry.getKey(), entry.getValue())).isNull());
    assertThat(seen).isEqualTo(many);
    for (Iterator<Map.Entry<String, Integer>> i = cache.iterator(); i.hasNext(); ) {
      if (i.next().getValue() % 2 == 0) {
        i.remove();
        assertThatThrownBy(i::remove).isInstanceOf(IllegalStateException.class);
      }
    }
    many.values().removeIf(value -> value % 2 == 0);
    assertThat(contents(cache)).isEqualTo(new TreeMap<>(many));
  }

  @Test
  void nullsAreRefusedByName() {
    assertThatNullPointerException().isThrownBy(() -> cache.get(null)).withMessage("key");
    assertThatNullPointerException().isThrownBy(() -> cache.put(null, 1)).withMessage("key");
    assertThatNullPointerException().isThrownBy(() -> cache.put("a", null)).withMessage("value");
    assertThatNullPointerException()
        .isThrownBy(() -> cache.put("a", 1, (Duration) null))
        .withMessage("ttl");
    assertThatNullPointerException()
        .isThrownBy(() -> cache.getAll(Arrays.asList("a", null)))
        .withMessage("key");
    Map<String, Integer> map = new HashMap<>();
    map.put("a", 1);
    map.put("b", null);
    assertThatNullPointerException().isThrownBy(() -> cache.putAll(map)).withMessage("value");
    assertThatNullPointerException()
        .isThrownBy(() -> cache.replace("a", null, 1))
        .withMessage("oldValue");
    assertThatNullPointerException().isThrownBy(() -> cache.get("a", null)).withMessage("loader");
    assertThat(cache).isEmpty();
  }

  @Test
  void computeIfAbsentLoads() {
    assertThat(cache.computeIfAbsent("a", key -> null)).isNull();
    assertThat(cache.computeIfAbsent("a", String::length)).isEqualTo(1);
    assertThat(cache.computeIfAbsent("a", key -> 2)).isEqualTo(1);
    assertThat(cache.statistics().loads()).isEqualTo(2);
  }

  @Test
  void keysAreAStream() {
    assertThat(cache.keys()).isEmpty();
    cache.putAll(Map.of("a", 1, "b", 2, "c", 3));
    assertThat(cache.keys()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(cache.keys().filter("b"::equals).findFirst()).contains("b");
  }

  @Test
  void aMapIsAView() {
    ConcurrentMap<String, Integer> map = cache.asMap();
    cache.put("a", 1);
    assertThat(map).containsExactly(Map.entry("a", 1));
    assertThat(map.put("b", 2)).isNull();
    assertThat(cache.get("b")).isEqualTo(2);
    assertThat(map).hasSize(2);
    assertThat(map.merge("b", 3, Integer::sum)).isEqualTo(5);
    assertThat(map.keySet().remove("b")).isTrue();
    assertThat(cache.containsKey("b")).isFalse();
    map.entrySet().iterator().next().setValue(7);
    assertThat(cache.get("a")).isEqualTo(7);
    map.clear();
    assertThat(cache).isEmpty();
  }

  @Test
  void aLoaderFillsWhatIsMissing() {
    AtomicInteger calls = new AtomicInteger();
    assertThat(cache.get("a", key -> calls.incrementAndGet())).isEqualTo(1);
    assertThat(cache.get("a", key -> calls.incrementAndGet())).isEqualTo(1);
    assertThat(cache.get("b", key -> null)).isNull();
    assertThat(cache.containsKey("b")).isFalse();
    assertThatThrownBy(
            () ->
                cache.get(
                    "c",
                    key -> {
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(cache.get("c", key -> 3)).isEqualTo(3);
    assertThatThrownBy(() -> cache.get("d", key -> cache.get(key, k -> 1)))
        .isInstanceOf(IllegalStateException.class);
    CacheStatistics statistics = cache.statistics();
    assertThat(statistics.loads()).isEqualTo(3);
    assertThat(statistics.loadFailures()).isEqualTo(2);
  }

  @Test
  void aKeyRemovedWhileItLoadsIsNotStored() {
    assertThat(
            cache.get(
                "a",
                key -> {
                  cache.remove("a");
                  cache.invalidate("a");
                  return 1;
                }))
        .isEqualTo(1);
    assertThat(cache.get("a")).isNull();
    assertThat(
            cache.get(
                "a",
                key -> {
                  cache.clear();
                  return 1;
                }))
        .isEqualTo(1);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aKeyPutWhileItLoadsStays() {
    assertThat(
            cache.get(
                "a",
                key -> {
                  cache.put("a", 7);
                  return 1;
                }))
        .isEqualTo(7);
    assertThat(cache.get("a")).isEqualTo(7);
  }

  @Test
  void statisticsCountWhatWasDone() {
    cache.put("a", 1);
    cache.get("a");
    cache.get("none");
    cache.getAll(List.of("a", "none"));
    cache.remove("a");
    cache.remove("a");
    CacheStatistics statistics = cache.statistics();
    assertThat(statistics.hits()).isEqualTo(2);
    assertThat(statistics.hotHits()).isEqualTo(setup.isCold() ? 0 : 2);
    assertThat(statistics.misses()).isEqualTo(2);
    assertThat(statistics.hitRatio()).isEqualTo(0.5);
    assertThat(statistics.puts()).isEqualTo(1);
    assertThat(statistics.removals()).isEqualTo(1);
  }

  @Test
  void theErrorOfALongKeyHasTheLimitAndTheCache() {
    int limit = Internals.store(pool).engine().limits().maxHashKeyBytes();
    String key = "k".repeat(limit + 1);
    for (Runnable use :
        List.<Runnable>of(
            () -> cache.put(key, 1),
            () -> cache.get(key),
            () -> cache.remove(key),
            () -> cache.putAll(Map.of(key, 1)))) {
      assertThatThrownBy(use::run)
          .isInstanceOfSatisfying(
              LimitExceededException.class,
              e -> {
                assertThat(e.what()).isEqualTo("key");
                assertThat(e.limit()).isEqualTo(limit);
                assertThat(e.requested()).isGreaterThan(e.limit());
                assertThat(e.name()).contains("numbers");
              })
          .hasMessageContainingAll("numbers", "" + limit);
    }
    assertThat(cache.iterator()).isExhausted();
  }

  @Test
  void theErrorOfAnUnencodableKeyHasTheCacheAndTheClass() {
    PersistentCache<Object, Integer> any =
        pool.cache("any", Object.class, Integer.class, o -> setup.options());
    Object thread = new Thread();
    for (Runnable use :
        List.<Runnable>of(
            () -> any.put(thread, 1), () -> any.get(thread), () -> any.remove(thread))) {
      assertThatThrownBy(use::run)
          .isInstanceOfSatisfying(
              UnencodableValueException.class,
              e -> {
                assertThat(e.name()).contains("any");
                assertThat(e.className()).contains("java.lang.Thread");
              })
          .hasMessageStartingWith("Cache \"any\" cannot use a key. ");
    }
  }

  @Test
  void afterDropAndCloseEverythingThrows() {
    cache.put("a", 1);
    cache.get("a");
    assertThat(pool.names().drop("numbers")).isTrue();
    assertThatThrownBy(() -> cache.get("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dropped");
    PersistentCache<String, Integer> again =
        pool.cache("numbers", String.class, Integer.class, o -> setup.options());
    assertThat(again.get("a")).isNull();
    again.put("a", 1);
    pool.close();
    List<Runnable> uses =
        List.of(
            () -> again.get("a"),
            () -> again.get("a", k -> 1),
            () -> again.getAll(List.of("a")),
            () -> again.put("a", 1),
            () -> again.putAll(Map.of()),
            () -> again.remove("a"),
            () -> again.invalidateAll(List.of()),
            () -> again.containsKey("a"),
            () -> again.compute("a", (k, v) -> v),
            again::clear,
            () -> again.forEach(entry -> {}));
    for (Runnable use : uses) {
      assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class);
    }
  }

  static Map<String, Integer> contents(PersistentCache<String, Integer> cache) {
    return StreamSupport.stream(cache.spliterator(), false)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
