package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.LoadStoring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Loads that somebody stands around the storing of. */
class LoadStoringTest extends OnEverySetup {
  private final List<String> told = new ArrayList<>();

  private PersistentCache<String, Integer> cache;

  @BeforeEach
  void open() {
    cache = own(CacheExpiry.never());
  }

  private PersistentCache<String, Integer> own(CacheExpiry<Object, Object> expiry) {
    CacheOptions<String, Integer> options = setup.options();
    return Internals.store(pool)
        .caches()
        .openOwn(
            "numbers", TypeRef.of(String.class), TypeRef.of(Integer.class), options.expiry(expiry));
  }

  /** Tells what is there before and after. */
  private void store(Map<String, Integer> loaded, LoadStoring.Store<String> store) {
    Map<String, Integer> before = cache.getAll(loaded.keySet());
    Set<String> stored = store.run();
    told.add(loaded + ": " + before + " " + stored + " " + cache.getAll(loaded.keySet()));
  }

  private @Nullable Integer load(String key, @Nullable Integer value) {
    return Internals.cache(cache).load(key, it -> value, this::store);
  }

  @Test
  void whatWasLoadedIsStoredInside() {
    assertThat(load("a", 1)).isEqualTo(1);
    assertThat(told).containsExactly("{a=1}: {} [a] {a=1}");
    assertThat(load("a", 2)).as("is there").isEqualTo(1);
    assertThat(load("b", null)).isNull();
    assertThat(told).hasSize(1);
  }

  @Test
  void whatIsPutMeanwhileStays() {
    Integer got =
        Internals.cache(cache)
            .load(
                "a",
                key -> {
                  cache.put(key, 7);
                  return 1;
                },
                this::store);
    assertThat(got).isEqualTo(7);
    assertThat(told).containsExactly("{a=1}: {a=7} [] {a=7}");
  }

  @Test
  void whatIsRemovedMeanwhileIsNotStored() {
    Integer got =
        Internals.cache(cache)
            .load(
                "a",
                key -> {
                  cache.invalidate(key);
                  return 1;
                },
                this::store);
    assertThat(got).isEqualTo(1);
    assertThat(told).containsExactly("{a=1}: {} [] {}");
  }

  @Test
  void whatExpiresAtOnceIsNotStored() {
    cache = own(CacheExpiry.afterWrite(Duration.ZERO));
    assertThat(load("a", 1)).isEqualTo(1);
    assertThat(told).containsExactly("{a=1}: {} [] {}");
  }

  @Test
  void manyAreStoredTogether() {
    Map<String, Integer> got =
        Internals.cache(cache)
            .loadAll(
                List.of("a", "b", "c"),
                keys -> {
                  cache.put("b", 7);
                  return Map.of("a", 1, "b", 2);
                },
                this::store);
    assertThat(got).isEqualTo(Map.of("a", 1, "b", 7));
    assertThat(told).containsExactly("{a=1, b=2}: {b=7} [a] {a=1, b=7}");
    assertThat(Internals.cache(cache).loadAll(List.of("d"), keys -> Map.of(), this::store))
        .isEmpty();
    assertThat(told).hasSize(1);
  }

  @Test
  void aFailureInsideIsTheLoads() {
    assertThatThrownBy(
            () ->
                Internals.cache(cache)
                    .load(
                        "a",
                        key -> 1,
                        (loaded, store) -> {
                          throw new IllegalStateException("no");
                        }))
        .hasMessage("no");
    assertThat(cache.get("a")).isNull();
    assertThat(load("a", 2)).isEqualTo(2);
  }
}
