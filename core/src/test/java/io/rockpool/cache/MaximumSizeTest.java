package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache has no more entries than it may. */
@Slow
@Timeout(60)
final class MaximumSizeTest {
  private static final int MOST = 1_000;
  private static final Duration NEVER = Duration.ofDays(1);
  private static final TypeRef<Integer> KEY = TypeRef.of(Integer.class);
  private static final TypeRef<String> VALUE = TypeRef.of(String.class);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private RocksDbEngine engine;
  private Rockpool pool;

  @BeforeEach
  void open() {
    open(NEVER);
  }

  private void open(Duration reclaimPeriod) {
    engine =
        RocksDbEngine.open(
            directory, RocksDbOptions.builder().reclaimPeriod(reclaimPeriod).clock(clock).build());
    pool = Rockpool.at(o -> engine).open();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private static CacheOptions<Integer, String> options() {
    return unbounded().maximumSize(MOST);
  }

  private static CacheOptions<Integer, String> unbounded() {
    return CacheOptions.<Integer, String>defaults().hotEntries(0);
  }

  private PersistentCache<Integer, String> cache(CacheOptions<Integer, String> options) {
    return pool.cache("cache", KEY, VALUE, o -> options);
  }

  private static void fill(PersistentCache<Integer, String> cache, int from, int to) {
    cache.putAll(
        IntStream.range(from, to).boxed().collect(Collectors.toMap(key -> key, key -> "v" + key)));
  }

  private static int size(PersistentCache<Integer, String> cache) {
    int size = 0;
    for (var entry : cache) {
      assertThat(entry.getValue()).isEqualTo("v" + entry.getKey());
      size++;
    }
    return size;
  }

  @Test
  void whatIsTooMuchIsEvictedAndCountedAsThat() {
    PersistentCache<Integer, String> cache = cache(options());
    fill(cache, 0, 5 * MOST);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
    assertThat(cache.statistics().evictions()).isEqualTo(4 * MOST);
    assertThat(cache.statistics().removals()).isZero();
    assertThat(cache.countedSize()).hasValue(MOST);
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void nothingIsEvictedUpToTheBoundHoweverOftenItIsWritten() {
    PersistentCache<Integer, String> cache = cache(options());
    for (int round = 0; round < 5; round++) {
      fill(cache, 0, MOST);
      pool.reclaim();
    }
    fill(cache, MOST, MOST + 1);
    cache.remove(MOST);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
    assertThat(cache.statistics().evictions()).isZero();
  }

  @Test
  void whatHasExpiredDoesNotCount() {
    PersistentCache<Integer, String> cache = cache(options());
    for (int key = 0; key < MOST; key++) {
      cache.put(key, "v" + key, Duration.ofSeconds(1));
    }
    clock.advanceMillis(2_000);
    fill(cache, MOST, 2 * MOST);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
    assertThat(cache.statistics().evictions()).isZero();
  }

  @Test
  void noExpiryIsToldOfWhatIsEvicted() {
    PersistentCache<Integer, String> cache = cache(options());
    List<Integer> expired = new ArrayList<>();
    cache.onExpired((key, value) -> expired.add(key));
    fill(cache, 0, 2 * MOST);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
    assertThat(expired).isEmpty();
  }

  @Test
  void whatIsInMemoryStaysAsLongAsThereIsAnythingElse() {
    PersistentCache<Integer, String> cache = cache(options().hotEntries(0));
    fill(cache, 0, 5 * MOST);
    cache.close();
    cache = cache(options().hotEntries(MOST).warmRestart(false));
    for (int key = 2 * MOST; key < 2 * MOST + MOST / 2; key++) {
      assertThat(cache.get(key)).isEqualTo("v" + key); // these alone are in memory now
    }
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
    for (int key = 2 * MOST; key < 2 * MOST + MOST / 2; key++) {
      assertThat(cache.get(key)).isEqualTo("v" + key);
    }
  }

  @Test
  void whereAllIsInMemoryThatGoesTooAndFromMemoryAsWell() {
    PersistentCache<Integer, String> cache = cache(options().hotEntries(10 * MOST));
    fill(cache, 0, 2 * MOST);
    pool.reclaim();
    int read = 0;
    for (int key = 0; key < 2 * MOST; key++) {
      read += cache.get(key) == null ? 0 : 1;
    }
    assertThat(read).isEqualTo(size(cache)).isEqualTo(MOST);
  }

  @Test
  void aStoreThatIsOpenedAgainKeepsTheBoundThatIsSaidThen() {
    fill(cache(unbounded()), 0, 3 * MOST);
    pool.reclaim();
    close();
    open();
    PersistentCache<Integer, String> cache = cache(unbounded());
    assertThat(size(cache)).isEqualTo(3 * MOST);
    cache.close();
    cache = cache(options());
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
  }

  @Test
  void ofManyCachesOfANameTheSmallestBoundHoldsAsLongAsItsCacheIsOpen() {
    PersistentCache<Integer, String> large =
        Internals.store(pool).caches().openOwn("cache", KEY, VALUE, options());
    PersistentCache<Integer, String> small =
        Internals.store(pool)
            .caches()
            .openOwn("cache", KEY, VALUE, options().maximumSize(MOST / 10));
    fill(large, 0, MOST);
    pool.reclaim();
    assertThat(size(large)).isEqualTo(MOST / 10);
    small.close();
    fill(large, 0, 3 * MOST);
    pool.reclaim();
    assertThat(size(large)).isEqualTo(MOST);
  }

  @Test
  void aSmallerBoundEvictsNothingForWhatWasRemovedBefore() {
    PersistentCache<Integer, String> large =
        Internals.store(pool).caches().openOwn("cache", KEY, VALUE, options());
    fill(large, 0, MOST);
    pool.reclaim();
    large.invalidateAll(IntStream.range(MOST / 2, MOST).boxed().toList());
    PersistentCache<Integer, String> small =
        Internals.store(pool)
            .caches()
            .openOwn("cache", KEY, VALUE, options().maximumSize(MOST / 2));
    pool.reclaim();
    assertThat(size(small)).isEqualTo(MOST / 2);
    assertThat(small.statistics().evictions()).isZero();
  }

  @Test
  void whatATransactionPutsCountsOnceItHasCommitted() {
    PersistentCache<Integer, String> cache = cache(options());
    fill(cache, 0, MOST);
    pool.reclaim();
    assertThatThrownBy(
            () ->
                engine.atomically(
                    () -> {
                      IntStream.range(MOST, 2 * MOST).forEach(key -> cache.put(key, "v" + key));
                      throw new IllegalArgumentException("back");
                    }))
        .hasMessage("back");
    pool.reclaim();
    assertThat(cache.statistics().evictions()).isZero();
    engine.atomically(
        () -> {
          IntStream.range(MOST, 2 * MOST).forEach(key -> cache.put(key, "v" + key));
          return 0;
        });
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
  }

  @Test
  void aCacheThatIsClearedBeginsAnew() {
    PersistentCache<Integer, String> cache = cache(options());
    fill(cache, 0, MOST);
    pool.reclaim();
    cache.clear();
    pool.reclaim();
    assertThat(cache.countedSize()).hasValue(0);
    fill(cache, 0, MOST);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
    fill(cache, MOST, 2 * MOST);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MOST);
  }

  @Test
  void manyWritersInTheBackground() throws Exception {
    pool.close();
    open(Duration.ofMillis(20));
    PersistentCache<Integer, String> cache = cache(options().hotEntries(MOST / 10));
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        int first = writer * 10 * MOST;
        writers.add(
            executor.submit(
                () -> {
                  for (int key = first; key < first + 10 * MOST; key++) {
                    cache.put(key, "v" + key);
                    cache.get(key - 1);
                  }
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      executor.shutdownNow();
    }
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (size(cache) > MOST && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertThat(size(cache)).isEqualTo(MOST);
    int read = 0;
    for (int key = 0; key < 40 * MOST; key++) {
      read += cache.get(key) == null ? 0 : 1;
    }
    assertThat(read).isEqualTo(MOST);
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void entriesAreCountedWhereSomebodyAsks() {
    PersistentCache<Integer, String> cache = cache(unbounded());
    fill(cache, 0, 10 * MOST);
    pool.reclaim();
    assertThat(cache.countedSize()).isEmpty();
    pool.reclaim();
    assertThat(cache.countedSize()).hasValue(10 * MOST);
    fill(cache, 0, 11 * MOST);
    pool.reclaim();
    assertThat(cache.countedSize()).hasValue(11 * MOST);
    pool.names().drop("cache");
    pool.reclaim();
    assertThat(cache.countedSize()).isEmpty();
  }

  @Test
  void aBoundIsNotNegative() {
    assertThatThrownBy(() -> options().maximumSize(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maximumSize is -1");
  }
}
