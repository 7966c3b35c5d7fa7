package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.LeavesOpen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of deadlines that reads have moved: when the store is closed or killed, when there
 * are many, when the disk is full, and where another cache of the name has other options.
 */
@LeavesOpen("a killed process is played by a store that is never closed")
final class IdleExpiryTest {
  private static final long MINUTE = 60_000;
  private static final TypeRef<String> STRING = TypeRef.of(String.class);
  private static final TypeRef<Integer> INTEGER = TypeRef.of(Integer.class);

  private final FakeClock clock = new FakeClock();
  private final RefusingEngine refusing = new RefusingEngine();
  private MemoryEngine memory;
  private Rockpool pool;

  @BeforeEach
  void open() {
    memory = MemoryEngine.builder().clock(clock).build();
    pool = Rockpool.at(o -> refusing.over(memory)).open();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void reopen() {
    pool.close();
    restart();
  }

  /** What a process that is killed leaves. */
  private void restart() {
    memory = memory.reopen();
    pool = Rockpool.at(o -> refusing.over(memory)).open();
  }

  private PersistentCache<String, Integer> cache(CacheExpiry<String, Integer> expiry) {
    return Internals.store(pool)
        .caches()
        .openOwn("idle", STRING, INTEGER, CacheOptions.<String, Integer>defaults().expiry(expiry));
  }

  private PersistentCache<String, Integer> idle() {
    return cache(CacheExpiry.afterAccess(Duration.ofMinutes(10)));
  }

  private PersistentCache<String, Integer> lasting() {
    return cache(CacheExpiry.never());
  }

  /** Ten minutes from each read on, and code that runs in the midst of it. */
  private static CacheExpiry<String, Integer> asking(BiFunction<String, Integer, Duration> read) {
    return new CacheExpiry<>() {
      @Override
      public Duration afterCreation(String key, Integer value) {
        return Duration.ofMinutes(10);
      }

      @Override
      public Duration afterUpdate(String key, Integer value) {
        return Duration.ofMinutes(10);
      }

      @Override
      public Duration afterAccess(String key, Integer value) {
        return read.apply(key, value);
      }
    };
  }

  @Test
  void anEntryThatExpiresWhileItIsReadStaysExpired() {
    List<Integer> others = new ArrayList<>();
    Runnable expire =
        () -> {
          clock.advanceMillis(10 * MINUTE);
          others.add(CompletableFuture.supplyAsync(() -> idle().get("k")).join());
        };
    PersistentCache<String, Integer> slow =
        cache(
            asking(
                (key, value) -> {
                  if (value == 2) {
                    expire.run();
                  }
                  return Duration.ofMinutes(10);
                }));
    Map<String, Consumer<PersistentCache<String, Integer>>> reads =
        Map.of(
            "get", it -> it.get("k"),
            "getAll", it -> it.getAll(List.of("k")),
            "decide", it -> Internals.cache(it).decide("k", there -> Decision.access()),
            "decideAll",
                it ->
                    Internals.cache(it).decideAll(List.of("k"), (key, there) -> Decision.access()));
    reads.forEach(
        (name, read) -> {
          for (boolean moved : new boolean[] {false, true}) {
            slow.put("k", 2);
            if (moved) {
              clock.advanceMillis(MINUTE);
              assertThat(idle().get("k")).isEqualTo(2);
            }
            read.accept(slow);
            assertThat(others).as(name).containsExactly((Integer) null);
            assertThat(slow.get("k")).as(name).isNull();
            assertThat(idle().get("k")).as(name).isNull();
            assertThat(slow.ttl("k")).as(name).isEmpty();
            others.clear();
          }
        });
  }

  @Test
  void anEntryThatExpiresWhileADecisionReadsItStaysExpired() {
    PersistentCache<String, Integer> cache = idle();
    cache.put("k", 1);
    Internals.cache(cache)
        .decide(
            "k",
            there -> {
              clock.advanceMillis(10 * MINUTE);
              assertThat(CompletableFuture.supplyAsync(() -> cache.get("k")).join()).isNull();
              return Decision.access();
            });
    assertThat(cache.get("k")).isNull();
  }

  @Test
  void whatHasExpiredStaysSoWhenTheStoreIsClosedOrKilled() {
    PersistentCache<String, Integer> cache = idle();
    for (String key : new String[] {"closed", "killed"}) {
      cache.put(key, 1, Duration.ofHours(3));
      assertThat(cache.get(key)).isEqualTo(1);
      clock.advanceMillis(10 * MINUTE);
      assertThat(cache.get(key)).isNull();
      if (key.equals("closed")) {
        reopen();
      } else {
        restart();
      }
      cache = idle();
      assertThat(cache.get(key)).as(key).isNull();
      assertThat(lasting().get(key)).as(key).isNull();
    }
  }

  @Test
  void whatHasExpiredStaysSoWhenManyDeadlinesWereMoved() {
    PersistentCache<String, Integer> cache = idle();
    int n = IdleDeadlines.MAX_NOTES + 100;
    for (int i = 0; i < n; i++) {
      cache.put("k" + i, i, Duration.ofHours(3));
    }
    IntStream.range(0, n).forEach(i -> assertThat(cache.get("k" + i)).isEqualTo(i));
    clock.advanceMillis(10 * MINUTE);
    for (int i = 0; i < 2 * n; i++) {
      cache.put("m" + i % n, i);
      clock.advanceMillis(1);
      assertThat(cache.get("m" + i % n)).isEqualTo(i);
    }
    IntStream.range(0, n).forEach(i -> assertThat(cache.get("k" + i)).isNull());
    assertThat(cache).hasSize(n);
  }

  @Test
  void whatAReadHasEndedIsGoneForACacheWithoutIdleExpiryToo() {
    PersistentCache<String, Integer> cache = idle();
    PersistentCache<String, Integer> lasting = lasting();
    lasting.put("a", 1);
    assertThat(lasting.get("a")).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(lasting.ttl("a")).contains(Duration.ofMinutes(10));
    clock.advanceMillis(10 * MINUTE);
    assertThat(lasting.get("a")).isNull();
    assertThat(lasting).isEmpty();
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aCacheWithoutIdleExpiryWritesBackWhatItsNeighbourNoted() {
    PersistentCache<String, Integer> cache =
        cache(CacheExpiry.afterWriteOrAccess(Duration.ofHours(1), Duration.ofMinutes(10)));
    PersistentCache<String, Integer> lasting = lasting();
    cache.put("a", 1);
    clock.advanceMillis(9 * MINUTE);
    assertThat(cache.get("a")).isEqualTo(1);
    lasting.close();
    for (int minute = 18; minute < 60; minute += 9) {
      clock.advanceMillis(9 * MINUTE);
      assertThat(cache.get("a")).as("after %d minutes", minute).isEqualTo(1);
    }
    clock.advanceMillis(6 * MINUTE);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void aReadMovesNoNewerEntry() {
    PersistentCache<?, ?>[] caches = new PersistentCache<?, ?>[1];
    PersistentCache<String, Integer> cache =
        cache(
            asking(
                (key, value) -> {
                  if (value == 1) {
                    @SuppressWarnings("unchecked")
                    PersistentCache<String, Integer> same =
                        (PersistentCache<String, Integer>) caches[0];
                    same.put(key, 2, Duration.ofHours(3));
                    return Duration.ofMinutes(1);
                  }
                  return null;
                }));
    caches[0] = cache;
    cache.put("a", 1, Duration.ofHours(3));
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.ttl("a")).contains(Duration.ofHours(3));
    clock.advanceMillis(2 * 60 * MINUTE);
    assertThat(cache.get("a")).isEqualTo(2);
  }

  @Test
  void aReadCountsAlthoughItsEntryIsWrittenBackMeanwhile() {
    PersistentCache<?, ?>[] caches = new PersistentCache<?, ?>[1];
    PersistentCache<String, Integer> cache =
        cache(
            asking(
                (key, value) -> {
                  caches[0].entries.idle.writeBackAll();
                  return Duration.ofMinutes(10);
                }));
    caches[0] = cache;
    cache.put("a", 1);
    for (int minute = 4; minute < 40; minute += 4) {
      clock.advanceMillis(4 * MINUTE);
      assertThat(cache.get("a")).isEqualTo(1);
      assertThat(cache.ttl("a")).as("%d", minute).contains(Duration.ofMinutes(10));
    }
  }

  @Test
  void anIdleTimeOfWeeksHoldsWithALimitOfMonths() {
    PersistentCache<String, Integer> cache =
        cache(CacheExpiry.afterWriteOrAccess(Duration.ofDays(100), Duration.ofDays(40)));
    cache.put("a", 1);
    clock.advanceMillis(Duration.ofDays(39).toMillis());
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.ttl("a")).contains(Duration.ofDays(40));
    clock.advanceMillis(Duration.ofDays(40).toMillis() - 1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.ttl("a").orElseThrow())
        .isEqualTo(Duration.ofDays(21).plus(Duration.ofMillis(1)));
    clock.advanceMillis(Duration.ofDays(21).toMillis() + 1);
    assertThat(cache.get("a")).isNull();
  }

  @Test
  void noReadPaysForAllDeadlinesThatOthersMoved() {
    PersistentCache<String, Integer> cache = idle();
    int n = 2 * IdleDeadlines.MAX_NOTES;
    cache.putAll(IntStream.range(0, n).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i)));
    clock.advanceMillis(MINUTE);
    for (int i = 0; i < n; i++) {
      long before = refusing.transactions.get();
      assertThat(cache.get("k" + i)).isEqualTo(i);
      assertThat(refusing.transactions.get() - before).isLessThanOrEqualTo(4);
    }
    assertThat(refusing.transactions.get()).isGreaterThan(n / 4);
    clock.advanceMillis(10 * MINUTE - 1);
    IntStream.range(0, n).forEach(i -> assertThat(cache.containsKey("k" + i)).isTrue());
    clock.advanceMillis(1);
    assertThat(cache).isEmpty();
  }

  @Test
  void readsGoOnWhileTheDiskIsFull() {
    PersistentCache<String, Integer> cache = idle();
    PersistentCache<String, Integer> lasting = lasting();
    lasting.put("shortened", 1);
    cache.put("read", 2);
    int n = 2 * IdleDeadlines.MAX_NOTES;
    Map<String, Integer> many =
        IntStream.range(0, n).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i));
    cache.putAll(many);
    clock.advanceMillis(5 * MINUTE);
    refusing.full = true;
    assertThat(cache.getAll(many.keySet())).hasSize(n);
    assertThat(cache.get("shortened")).isEqualTo(1);
    for (int i = 0; i < 4; i++) { // past what the record allows
      assertThat(cache.get("read")).as("%d", i).isEqualTo(2);
      clock.advanceMillis(3 * MINUTE);
    }
    assertThatThrownBy(() -> cache.put("a", 1)).isInstanceOf(StoreFullException.class);
    assertThat(cache.get("shortened")).isNull();
    assertThat(lasting.get("shortened")).isNull();
    refusing.full = false;
    clock.advanceMillis(2_000);
    assertThat(cache.get("read")).isEqualTo(2);
    reopen();
    assertThat(lasting().get("shortened")).isNull();
    assertThat(idle().get("read")).isEqualTo(2);
  }

  @Test
  void aFullDiskKeepsNoReadFromMeetingWhatHasExpired() {
    PersistentCache<String, Integer> cache = idle();
    List<String> told = new ArrayList<>();
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              if (removal.getAsBoolean()) {
                told.add(key);
              }
            });
    cache.put("a", 1);
    clock.advanceMillis(11 * MINUTE);
    refusing.full = true;
    refusing.removalsToo = true;
    assertThat(cache.get("a")).isNull();
    assertThat(told).isEmpty();
    refusing.full = false;
    assertThat(cache.get("a")).isNull();
    assertThat(told).containsExactly("a");
  }

  @Test
  void aWriteThatIsRefusedLosesNoReads() {
    PersistentCache<String, Integer> cache = idle();
    cache.put("a", 1);
    clock.advanceMillis(9 * MINUTE);
    assertThat(cache.get("a")).isEqualTo(1);
    refusing.full = true;
    assertThatThrownBy(() -> cache.put("a", 2)).isInstanceOf(StoreFullException.class);
    refusing.full = false;
    clock.advanceMillis(9 * MINUTE);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void aReadInATransactionCountsWhateverBecomesOfIt() {
    PersistentCache<String, Integer> cache = idle();
    cache.put("a", 1);
    cache.put("b", 1, Duration.ofHours(3));
    clock.advanceMillis(9 * MINUTE);
    pool.atomically(
        transaction -> {
          cache.put("c", 1, Duration.ofHours(3));
          assertThat(cache.get("c")).isEqualTo(1);
          assertThat(cache.get("a")).isEqualTo(1);
          return assertThat(cache.get("b")).isEqualTo(1);
        });
    assertThat(cache.ttl("a")).contains(Duration.ofMinutes(10));
    assertThat(cache.ttl("b")).contains(Duration.ofMinutes(10));
    assertThat(cache.ttl("c")).contains(Duration.ofMinutes(10));
    restart();
    assertThat(idle().ttl("a")).contains(Duration.ofMinutes(1));
    assertThat(idle().ttl("b")).contains(Duration.ofMinutes(10));
    assertThat(idle().ttl("c")).contains(Duration.ofMinutes(10));
  }
}
