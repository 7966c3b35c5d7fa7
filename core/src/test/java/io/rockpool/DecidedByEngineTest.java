package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.testing.FakeClock;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes that the engine decides on, beside another store whose reports wait. */
@Timeout(60)
final class DecidedByEngineTest extends TwoHandles {
  private static final String KEY = "k";

  private final FakeClock clock = (FakeClock) here.engine().clock();

  DecidedByEngineTest() {
    super(MemoryEngine.builder().clock(new FakeClock()));
  }

  private static PersistentCache<String, Long> cache(Rockpool pool) {
    return pool.cache("cache", String.class, Long.class);
  }

  private Long stored() {
    return theirs.<Long>withLatestReads(() -> cache(theirs).get(KEY));
  }

  /** A cache with an entry in memory, which the other store has changed since. */
  private PersistentCache<String, Long> stale(Long theirValue) {
    PersistentCache<String, Long> cache = cache(mine);
    cache.put(KEY, 1L);
    assertThat(cache.get(KEY)).isEqualTo(1);
    here.delay();
    if (theirValue == null) {
      cache(theirs).invalidate(KEY);
    } else {
      cache(theirs).put(KEY, theirValue);
    }
    assertThat(cache.get(KEY)).isEqualTo(1);
    return cache;
  }

  @Test
  void whatMemoryHasIsNoReasonToReplaceOrRemove() {
    PersistentCache<String, Long> cache = stale(2L);
    assertThat(cache.replace(KEY, 1L, 3L)).isFalse();
    assertThat(cache.get(KEY)).isEqualTo(2);
    assertThat(cache.remove(KEY, 1L)).isFalse();
    assertThat(cache.replace(KEY, 2L, 3L)).isTrue();
    assertThat(cache(theirs).replace(KEY, 4L)).isEqualTo(3);
    assertThat(cache.replace(KEY, 5L)).isEqualTo(4);
    assertThat(cache.remove(KEY, 5L)).isTrue();
    assertThat(cache.replace(KEY, 6L)).isNull();
    assertThat(stored()).isNull();
  }

  @Test
  void viewsRemoveWhatTheyHaveTestedOnly() {
    PersistentCache<String, Long> cache = stale(2L);
    assertThat(cache.asMap().values().removeIf(value -> value == 1)).isFalse();
    assertThat(stored()).isEqualTo(2);
    here.deliver();
    cache = stale(2L);
    assertThat(cache.asMap().values().remove(1L)).isFalse();
    assertThat(cache.asMap().entrySet().retainAll(Set.of())).isTrue();
    assertThat(stored()).isNull();
    here.deliver();
    cache = stale(null);
    assertThat(cache.asMap().values().removeAll(Set.of(1L))).isFalse();
    assertThat(cache.statistics().removals()).isEqualTo(1);
  }

  @Test
  void viewsRemoveHotValuesWithoutEquals() {
    for (CacheExpiry<Object, Object> expiry :
        List.of(CacheExpiry.never(), CacheExpiry.afterAccess(Duration.ofMinutes(1)))) {
      PersistentCache<String, Token> cache =
          mine.cache("tokens" + expiry, String.class, Token.class, o -> o.expiry(expiry));
      cache.put(KEY, new Token(1), Set.of("tag"));
      cache.put("other", new Token(2));
      for (int i = 0; i < 2; i++) {
        assertThat(cache.get(KEY).number + cache.get("other").number).isEqualTo(3);
        clock.advanceMillis(40_000); // a read moves the deadline
      }
      assertThat(cache.asMap().values().removeIf(token -> token.number > 0)).isTrue();
      assertThat(cache.get(KEY)).isNull();
      assertThat(cache.get("other")).isNull();
    }
  }

  @Test
  void whatMemoryHasIsReplacedByWhatIsThere() {
    assertThat(stale(2L).getAndPut(KEY, 3L)).isEqualTo(2);
    assertThat(cache(theirs).getAndRemove(KEY)).isEqualTo(3);
    assertThat(cache(mine).remove(KEY)).isFalse();
    assertThat(cache(mine).putIfAbsent(KEY, 4L)).isNull();
    assertThat(cache(theirs).putIfAbsent(KEY, 5L)).isEqualTo(4);
    assertThat(cache(theirs).remove(KEY)).isTrue();
    assertThat(cache(mine).getAndPut(KEY, 6L)).isNull();
  }

  @Test
  void aRemovedEntryInMemoryIsNotReplaced() {
    PersistentCache<String, Long> cache = stale(null);
    assertThat(cache.replace(KEY, 3L)).isNull();
    assertThat(cache.get(KEY)).isNull();
    assertThat(cache.statistics().puts()).isEqualTo(1);
    assertThat(cache.putIfAbsent(KEY, 3L)).isNull();
    assertThat(stored()).isEqualTo(3);
  }

  @Test
  void statisticsCountWhatWasDone() {
    PersistentCache<String, Long> cache = cache(mine);
    assertThat(cache.getAndPut(KEY, 1L)).isNull();
    assertThat(cache.putIfAbsent(KEY, 2L)).isEqualTo(1);
    assertThat(cache.replace(KEY, 1L, 3L)).isTrue();
    assertThat(cache.statistics().puts()).isEqualTo(2);
    assertThat(cache.remove(KEY, 4L)).isFalse();
    assertThat(cache.getAndRemove(KEY)).isEqualTo(3);
    assertThat(cache.remove(KEY)).isFalse();
    assertThat(cache.statistics().removals()).isEqualTo(1);
  }

  /** Two instances with the same bytes that are not equal. */
  private static final class Token implements Serializable {
    private static final long serialVersionUID = 1;

    final int number;

    Token(int number) {
      this.number = number;
    }
  }

  @Test
  void theSameBytesAreNotEqualIfTheirValuesAreNot() {
    PersistentCache<String, Token> cache = mine.cache("tokens", String.class, Token.class);
    Token token = new Token(1);
    cache.put(KEY, token);
    assertThat(cache.replace(KEY, token, new Token(2))).isFalse();
    assertThat(cache.remove(KEY, token)).isFalse();
    assertThat(cache.get(KEY).number).isEqualTo(1);
  }

  @Test
  void anEntryWhoseTagWasInvalidatedIsAbsent() {
    PersistentCache<String, Long> cache = cache(mine);
    for (boolean reported : new boolean[] {false, true}) {
      for (int call = 0; call < 5; call++) {
        cache.put(KEY, 1L, Set.of("tag"));
        assertThat(cache.get(KEY)).isEqualTo(1);
        if (!reported) {
          here.delay();
        }
        cache(theirs).invalidateTag("tag");
        here.settle();
        Object found =
            switch (call) {
              case 0 -> cache.getAndPut(KEY, 2L);
              case 1 -> cache.putIfAbsent(KEY, 2L);
              case 2 -> cache.getAndRemove(KEY);
              case 3 -> cache.replace(KEY, 2L);
              default -> cache.replace(KEY, 1L, 2L) ? 1 : null;
            };
        assertThat(found).as("call " + call).isNull();
        assertThat(stored()).isEqualTo(call < 2 ? 2L : null);
        here.deliver();
      }
    }
  }

  @Test
  void expiredEntriesAreAbsentAndDeadlinesNew() {
    CacheOptions<String, Long> options =
        CacheOptions.<String, Long>defaults()
            .expiry(CacheExpiry.afterAccess(Duration.ofMinutes(1)));
    PersistentCache<String, Long> cache =
        mine.cache("idle", String.class, Long.class, o -> options);
    cache.put(KEY, 1L);
    clock.advanceMillis(30_000);
    assertThat(cache.get(KEY)).isEqualTo(1);
    clock.advanceMillis(40_000);
    assertThat(cache.getAndPut(KEY, 2L)).as("a read has moved its deadline").isEqualTo(1);
    clock.advanceMillis(40_000);
    assertThat(cache.replace(KEY, 2L, 3L)).isTrue();
    clock.advanceMillis(61_000);
    assertThat(cache.getAndPut(KEY, 4L)).isNull();
    clock.advanceMillis(61_000);
    assertThat(cache.putIfAbsent(KEY, 5L)).isNull();
    clock.advanceMillis(61_000);
    assertThat(cache.remove(KEY)).isFalse();
    cache.put(KEY, 6L, Duration.ofHours(1));
    assertThat(cache.replace(KEY, 6L, 7L)).isTrue();
    assertThat(cache.ttl(KEY)).contains(Duration.ofMinutes(1));
  }

  /** A load that began before is not stored. */
  @Test
  void whatTheEngineDecidesEndsLoads() {
    PersistentCache<String, Long> cache = cache(mine);
    List<Runnable> changes =
        List.of(
            () -> cache.getAndPut(KEY, 2L),
            () -> cache.putIfAbsent(KEY, 2L),
            () -> cache.remove(KEY),
            () -> cache.getAndRemove(KEY));
    for (Runnable change : changes) {
      cache.invalidate(KEY);
      AtomicReference<Long> after = new AtomicReference<>();
      Long loaded =
          cache.get(
              KEY,
              key -> {
                Thread changing = new Thread(change);
                changing.start();
                changing.join();
                after.set(stored());
                return 1L;
              });
      assertThat(loaded).isNotNull();
      assertThat(stored()).isEqualTo(after.get());
      assertThat(cache.get(KEY)).isEqualTo(after.get());
    }
  }

  @Test
  void whatMustReadFirstDoes() {
    List<Long> expired = new ArrayList<>();
    PersistentCache<String, Long> cache = cache(mine);
    cache.onExpired((key, value) -> expired.add(value));
    cache.put(KEY, 1L, Duration.ofMinutes(1));
    clock.advanceMillis(61_000);
    assertThat(cache.getAndPut(KEY, 2L)).isNull();
    assertThat(expired).containsExactly(1L);
    mine.atomically(
        transaction -> {
          assertThat(cache.getAndPut(KEY, 3L)).isEqualTo(2);
          assertThat(cache.replace(KEY, 3L, 4L)).isTrue();
          assertThat(cache.putIfAbsent(KEY, 5L)).isEqualTo(4);
          return cache.getAndRemove(KEY);
        });
    assertThat(cache.get(KEY)).isNull();
  }

  @Test
  void anOutcomeThatIsUnknownLeavesNothingInMemory() {
    PersistentCache<String, Long> cache = cache(mine);
    cache.put(KEY, 1L);
    here.after(
        "transact",
        () -> {
          throw new OutcomeUnknownException("of the test", null);
        });
    assertThatThrownBy(() -> cache.getAndPut(KEY, 2L)).hasMessage("of the test");
    assertThat(cache.get(KEY)).isEqualTo(2);
  }
}
