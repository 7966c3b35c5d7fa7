package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.Slow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions on many entries at once, and loading them. */
@Slow
class BulkDecisionTest extends OnEverySetup {
  private static final int THREADS = 4;
  private static final int ROUNDS = 20;
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final List<String> KEYS =
      IntStream.range(0, 2 * BulkUpdate.CHUNK + 1).mapToObj(i -> "k" + i).toList();

  private PersistentCache<String, Integer> cache;

  @BeforeEach
  void open() {
    CacheOptions<String, Integer> options = setup.options();
    cache =
        Internals.store(pool)
            .caches()
            .openOwn(
                "numbers",
                TypeRef.of(String.class),
                TypeRef.of(Integer.class),
                options.expiry(CacheExpiry.afterCreation(TTL)));
  }

  private static Decision<Integer> increment(String key, Integer there) {
    return Decision.put(there == null ? 1 : there + 1);
  }

  private static Map<String, Integer> each(int value) {
    return KEYS.stream().collect(Collectors.toMap(key -> key, key -> value));
  }

  @Test
  void eachEntryGetsItsDecision() {
    assertThat(Internals.cache(cache).decideAll(KEYS, BulkDecisionTest::increment))
        .containsExactlyElementsOf(KEYS);
    assertThat(Internals.cache(cache).decideAll(KEYS, BulkDecisionTest::increment))
        .containsExactlyElementsOf(KEYS);
    assertThat(cache.getAll(KEYS)).isEqualTo(each(2));
    assertThat(
            Internals.cache(cache)
                .decideAll(
                    List.of("k0", "k1", "none", "new"),
                    (key, there) ->
                        switch (key) {
                          case "k0" -> Decision.access();
                          case "new" -> Decision.put(7);
                          default -> Decision.remove();
                        }))
        .containsExactly("k1", "new");
    assertThat(cache.getAll(List.of("k0", "k1", "none", "new")))
        .isEqualTo(Map.of("k0", 2, "new", 7));
    assertThat(Internals.cache(cache).decideAll(List.of(), BulkDecisionTest::increment)).isEmpty();
  }

  @Test
  void aKeyThatComesTwiceIsDecidedOnTwice() {
    Internals.cache(cache).decideAll(List.of("a", "b", "a"), BulkDecisionTest::increment);
    assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", 2, "b", 1));
  }

  @Test
  void aDecisionThatThrowsChangesNothingOfItsChunk() {
    assertThatThrownBy(
            () ->
                Internals.cache(cache)
                    .decideAll(
                        List.of("a", "bad"),
                        (key, there) -> {
                          if (key.equals("bad")) {
                            throw new IllegalStateException("no");
                          }
                          return Decision.put(1);
                        }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void putAllLeavesTheExpiryOfWhatIsThere() {
    cache.put("a", 1);
    clock.advanceMillis(TTL.toMillis() - 1);
    cache.putAll(Map.of("a", 2, "b", 2));
    assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", 2, "b", 2));
    clock.advanceMillis(1);
    assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("b", 2));
  }

  @Test
  void incrementsOfManyThreadsAreAllCounted() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        List<String> keys = i % 2 == 0 ? KEYS : reversed();
        done.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    Internals.cache(cache).decideAll(keys, BulkDecisionTest::increment);
                  }
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cache.getAll(KEYS)).isEqualTo(each(THREADS * ROUNDS));
  }

  private static List<String> reversed() {
    List<String> keys = new ArrayList<>(KEYS);
    Collections.reverse(keys);
    return keys;
  }

  @Test
  void onlyMissingKeysAreLoaded() {
    cache.put("there", 1);
    List<Set<String>> asked = new ArrayList<>();
    Map<String, Integer> source = Map.of("there", 7, "a", 7, "unasked", 7);
    List<String> keys = List.of("none", "there", "a");
    assertThat(
            cache.getAll(
                keys,
                missing -> {
                  asked.add(Set.copyOf(missing));
                  return source;
                }))
        .containsExactly(Map.entry("there", 1), Map.entry("a", 7));
    assertThat(asked).containsExactly(Set.of("none", "a"));
    assertThat(cache.getAll(List.of("there", "a", "none", "unasked")))
        .isEqualTo(Map.of("there", 1, "a", 7));
    assertThat(cache.statistics().loads()).isEqualTo(2);
    assertThat(cache.getAll(List.of("a", "there"), missing -> failed(missing)))
        .containsExactly(Map.entry("a", 7), Map.entry("there", 1));
    assertThat(cache.getAll(List.of(), missing -> failed(missing))).isEmpty();
  }

  private static Map<String, Integer> failed(Set<String> missing) {
    throw new AssertionError("The loader was asked for " + missing);
  }

  @Test
  void aLoaderThatThrowsLeavesNothingBehind() {
    assertThatThrownBy(
            () ->
                cache.getAll(
                    List.of("a"),
                    keys -> {
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(cache.getAll(List.of("a"), keys -> Map.of("a", 1))).isEqualTo(Map.of("a", 1));
    assertThat(cache.statistics().loadFailures()).isEqualTo(1);
  }

  @Test
  void aKeyRemovedWhileItLoadsIsNotStored() {
    Map<String, Integer> loaded =
        cache.getAll(
            List.of("a", "b"),
            keys -> {
              cache.invalidate("a");
              return Map.of("a", 1, "b", 1);
            });
    assertThat(loaded).isEqualTo(Map.of("a", 1, "b", 1));
    assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("b", 1));
  }

  @Test
  void whoWantsTheSameKeysWaitsForTheirLoad() throws Exception {
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Map<String, Integer>> first =
          threads.submit(
              () ->
                  cache.getAll(
                      List.of("a", "b"),
                      keys -> {
                        loading.countDown();
                        await(released);
                        return Map.of("a", 1, "b", 1);
                      }));
      loading.await();
      Map<String, Integer> second =
          cache.getAll(
              List.of("b", "c"),
              keys -> {
                assertThat(keys).isEqualTo(Set.of("c"));
                released.countDown();
                return new HashMap<>(Map.of("c", 2));
              });
      assertThat(second).isEqualTo(Map.of("b", 1, "c", 2));
      assertThat(first.get()).isEqualTo(Map.of("a", 1, "b", 1));
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
