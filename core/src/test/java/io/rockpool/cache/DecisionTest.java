package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates by decision, and caches of one's own. */
class DecisionTest extends OnEverySetup {
  private static final Duration IDLE = Duration.ofSeconds(10);

  private PersistentCache<String, Integer> cache;

  @BeforeEach
  void open() {
    cache = own(CacheExpiry.afterAccess(IDLE));
  }

  private PersistentCache<String, Integer> own(
      CacheExpiry<? super String, ? super Integer> expiry) {
    CacheOptions<String, Integer> options = setup.options();
    return Internals.store(pool)
        .caches()
        .openOwn(
            "numbers", TypeRef.of(String.class), TypeRef.of(Integer.class), options.expiry(expiry));
  }

  @Test
  void doesWhatIsDecidedFromWhatIsThere() {
    assertThat(
            Internals.cache(cache)
                .decide("a", there -> there == null ? Decision.put(1) : Decision.keep()))
        .isTrue();
    assertThat(
            Internals.cache(cache)
                .decide("a", there -> there == null ? Decision.put(2) : Decision.keep()))
        .isFalse();
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(Internals.cache(cache).decide("a", there -> Decision.put(there + 1))).isTrue();
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(Internals.cache(cache).decide("a", there -> Decision.remove())).isTrue();
    assertThat(Internals.cache(cache).decide("a", there -> Decision.remove())).isFalse();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void anAccessMovesTheExpiryAndKeepingDoesNot() {
    cache.put("accessed", 1);
    cache.put("kept", 1);
    clock.advanceMillis(IDLE.toMillis() - 1);
    assertThat(Internals.cache(cache).decide("accessed", there -> Decision.access())).isFalse();
    assertThat(Internals.cache(cache).decide("kept", there -> Decision.keep())).isFalse();
    assertThat(Internals.cache(cache).decide("none", there -> Decision.access())).isFalse();
    clock.advanceMillis(1);
    assertThat(cache.get("kept")).isNull();
    assertThat(cache.get("accessed")).isEqualTo(1);
  }

  @Test
  void aTtlOfOnesOwnWinsOverThePolicy() {
    Internals.cache(cache).decide("a", there -> Decision.put(1, Duration.ofHours(1)));
    clock.advanceMillis(IDLE.toMillis());
    assertThat(cache.containsKey("a")).isTrue();
    assertThat(Internals.cache(cache).decide("a", there -> Decision.put(2, Duration.ZERO)))
        .isTrue();
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(Internals.cache(cache).decide("a", there -> Decision.put(2, Duration.ZERO)))
        .isFalse();
  }

  @Test
  void aDecisionThatThrowsChangesNothing() {
    cache.put("a", 1);
    assertThatThrownBy(
            () ->
                Internals.cache(cache)
                    .decide(
                        "a",
                        there -> {
                          throw new IllegalArgumentException("no");
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void cachesOfOnesOwnSeeEachOthersWritesAndCloseAlone() {
    PersistentCache<String, Integer> other = own(CacheExpiry.never());
    assertThat(other).isNotSameAs(cache);
    cache.put("a", 1);
    assertThat(other.get("a")).isEqualTo(1);
    other.put("a", 2);
    assertThat(cache.get("a")).isEqualTo(2);

    cache.close();
    cache.close();
    assertThat(cache.isClosed()).isTrue();
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
    assertThat(other.isClosed()).isFalse();
    assertThat(other.get("a")).isEqualTo(2);
    assertThat(pool.cache("numbers", String.class, Integer.class)).isSameAs(other);
  }

  @Test
  void closingWritesBackWhatReadsHaveMoved() {
    cache.put("a", 1);
    clock.advanceMillis(IDLE.toMillis() - 1);
    assertThat(cache.get("a")).isEqualTo(1);
    cache.close();
    clock.advanceMillis(IDLE.toMillis() - 1);
    assertThat(own(CacheExpiry.afterAccess(IDLE)).get("a")).isEqualTo(1);
  }

  @Test
  void puttingAllOfAMapPutsWhatItHeldAlthoughItIsChangedMeanwhile() {
    Map<String, Integer> map = new ConcurrentHashMap<>(Map.of("a", 1, "b", 2, "c", 3));
    PersistentCache<String, Integer> changing =
        own(
            new CacheExpiry<>() {
              @Override
              public Duration afterCreation(String key, Integer value) {
                map.clear();
                return IDLE;
              }

              @Override
              public @Nullable Duration afterUpdate(String key, Integer value) {
                return null;
              }
            });
    changing.putAll(map);
    assertThat(map).isEmpty();
    assertThat(changing.getAll(List.of("a", "b", "c"))).hasSize(3);
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks does
  void aFunctionThatReturnsNullForADecisionIsNamed() {
    cache.put("a", 1);
    assertThatThrownBy(() -> Internals.cache(cache).decide("a", there -> null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("The decision is null");
    assertThatThrownBy(() -> Internals.cache(cache).decideAll(List.of("a"), (key, there) -> null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("The decision is null");
    assertThatThrownBy(() -> cache.getAll(List.of("b"), keys -> null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("The loader of many keys returned null");
    assertThat(Internals.cache(cache).loadAsync("b", key -> null, Runnable::run))
        .failsWithin(IDLE)
        .withThrowableThat()
        .withMessageContaining("The loader of getAsync returned null");
    assertThat(cache.get("a")).isEqualTo(1);
  }
}
