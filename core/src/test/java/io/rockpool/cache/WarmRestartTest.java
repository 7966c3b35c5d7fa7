package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.StoreFullException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Slow;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was in memory is there again after a restart. */
@Slow
final class WarmRestartTest {
  private static final long SEED = 1;

  @TempDir Path directory;
  private Rockpool pool;

  @BeforeEach
  void open() {
    pool = Rockpool.open(directory);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private void reopen() {
    pool.close();
    pool = Rockpool.open(directory);
  }

  private static void awaitWarmth(PersistentCache<?, ?> cache) {
    warmRestart(cache).broughtBack.orTimeout(30, SECONDS).join();
  }

  private static WarmRestart<?, ?> warmRestart(PersistentCache<?, ?> cache) {
    return Objects.requireNonNull(cache.warmRestart);
  }

  private PersistentCache<Integer, String> numbers() {
    return numbers(CacheOptions.<Integer, String>defaults().hotEntries(10_000));
  }

  private PersistentCache<Integer, String> numbers(CacheOptions<Integer, String> options) {
    PersistentCache<Integer, String> cache =
        pool.cache("shop/numbers", Integer.class, String.class, o -> options);
    if (cache.warmRestart != null) {
      awaitWarmth(cache);
    }
    return cache;
  }

  @Test
  void theHitRatioIsWhatItWasBefore() {
    double before = WarmedReader.fillAndWarm(WarmedReader.open(pool), SEED);
    reopen();
    PersistentCache<String, String> cache = WarmedReader.open(pool);
    awaitWarmth(cache);
    assertThat(cache.statistics().warmed()).isGreaterThan(1_500);
    assertThat(hotRatio(cache)).isCloseTo(before, within(before / 10));
    assertThat(cache.statistics().misses()).isZero();
  }

  private static double hotRatio(PersistentCache<String, String> cache) {
    return new ZipfReads(WarmedReader.ENTRIES, SEED + 1).hotRatio(cache, WarmedReader.READS);
  }

  @Test
  void withoutItTheHitRatioBeginsLow() {
    double before = WarmedReader.fillAndWarm(WarmedReader.open(pool), SEED);
    reopen();
    PersistentCache<String, String> cold =
        pool.cache(
            "users",
            String.class,
            String.class,
            o -> o.hotEntries(WarmedReader.HOT_ENTRIES).warmRestart(false));
    assertThat(cold.warmRestart).isNull();
    ZipfReads reads = new ZipfReads(WarmedReader.ENTRIES, SEED + 1);
    assertThat(reads.hotRatio(cold, 2_000)).isLessThan(before * 0.8);
  }

  @Test
  void afterAKillTheCopyOfTheTimerServes() throws Exception {
    Path store = directory.resolve("killed");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    WarmedReader.class.getName(),
                    store.toString(),
                    Long.toString(SEED)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    double before;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      before = Double.parseDouble(Objects.requireNonNull(out.readLine()));
    } finally {
      process.toHandle().destroyForcibly();
      assertThat(process.waitFor(10, SECONDS)).isTrue();
    }
    try (Rockpool killed = Rockpool.open(store)) {
      PersistentCache<String, String> cache = WarmedReader.open(killed);
      awaitWarmth(cache);
      assertThat(hotRatio(cache)).isCloseTo(before, within(before / 10));
      assertThat(killed.verify().isClean()).isTrue();
    }
  }

  @Test
  void entriesComeBackAsTheyAreNow() {
    PersistentCache<Integer, String> cache = numbers();
    for (int i = 0; i < 10; i++) {
      cache.put(i, "old");
    }
    cache.close();
    PersistentCache<Integer, String> other =
        numbers(CacheOptions.<Integer, String>defaults().warmRestart(false));
    other.put(1, "new");
    other.remove(2);
    other.close();
    reopen();
    cache = numbers();
    assertThat(cache.statistics().warmed()).isEqualTo(9);
    assertThat(cache.hotSize()).isEqualTo(9);
    assertThat(cache.get(0)).isEqualTo("old");
    assertThat(cache.get(1)).isEqualTo("new");
    assertThat(cache.get(2)).isNull();
    assertThat(cache.statistics().hotHits()).isEqualTo(2);
  }

  @Test
  void keysThatCanBeChangedComeBack() {
    CacheOptions<byte[], byte[]> options =
        CacheOptions.<byte[], byte[]>defaults().hotBytes(1 << 20);
    PersistentCache<byte[], byte[]> cache =
        pool.cache("bytes", byte[].class, byte[].class, o -> options);
    awaitWarmth(cache);
    cache.put(new byte[] {1, 2}, new byte[] {3});
    reopen();
    cache = pool.cache("bytes", byte[].class, byte[].class, o -> options);
    awaitWarmth(cache);
    assertThat(cache.get(new byte[] {1, 2})).containsExactly(3);
    assertThat(cache.statistics().hotHits()).isEqualTo(1);
  }

  @Test
  void itIsSeenInNoList() {
    numbers().put(1, "v");
    reopen();
    numbers();
    assertThat(pool.names().list("")).singleElement().extracting("name").isEqualTo("shop/numbers");
    assertThat(pool.names().list("rockpool:hot")).isEmpty();
    assertThat(pool.names().find("rockpool:hot/shop/numbers")).isEmpty();
    assertThat(pool.names().drop("rockpool:hot/shop/numbers")).isFalse();
    assertThat(pool.names().dropLevel("rockpool:hot")).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.cache("rockpool:hot/x", String.class, String.class))
        .withMessageContaining("the library's own");
    assertThat(pool.names().dropAll()).isEqualTo(1);
    assertThat(pool.names().list("")).isEmpty();
  }

  @Test
  void whatIsDroppedIsForgotten() {
    Runnable[] drops = {
      () -> pool.names().drop("shop/numbers"),
      () -> pool.names().dropLevel("shop"),
      () -> pool.names().dropAll()
    };
    for (Runnable drop : drops) {
      numbers().put(1, "v");
      reopen();
      assertThat(numbers().statistics().warmed()).isEqualTo(1);
      drop.run();
      assertThat(numbers().statistics().warmed()).isZero();
      drop.run();
    }
  }

  @Test
  void aResetForgets() {
    numbers().put(1, "v");
    reopen();
    PersistentCache<Integer, Long> others =
        pool.cache(
            "shop/numbers",
            Integer.class,
            Long.class,
            o -> o.onConflict(CacheOptions.OnConflict.RESET));
    awaitWarmth(others);
    assertThat(others.statistics().warmed()).isZero();
  }

  @Test
  @Timeout(120)
  void afterAFullStoreTheCacheBeginsCold() {
    pool.close();
    pool = Rockpool.at(directory).diskBudgetBytes(16 << 20).open();
    PersistentCache<Integer, String> cache = numbers();
    cache.put(1, "one");
    PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
    Random random = new Random(SEED);
    assertThatThrownBy(
            () -> {
              while (true) {
                byte[] value = new byte[1 << 20];
                random.nextBytes(value);
                map.put(random.nextInt(), value);
              }
            })
        .isInstanceOf(StoreFullException.class);
    cache.remove(1); // a use, so that there is something to keep
    warmRestart(cache).keep();
    assertThat(pool.state().upkeep().failing()).isEmpty();
    assertThat(pool.state().upkeep().failures()).isZero();
  }

  /**
   * What was hot cannot be read back, as a class of the keys is missing: the cache works without.
   */
  @Test
  void whatCannotBeBroughtBackIsCounted() {
    Codec<Integer> numbers = Codecs.defaults().keyCodec(TypeRef.of(Integer.class));
    AtomicBoolean failing = new AtomicBoolean();
    Codec<Integer> keys =
        new Codec<>() {
          @Override
          public String id() {
            return numbers.id();
          }

          @Override
          public byte[] encode(Integer value) {
            return numbers.encode(value);
          }

          @Override
          public Integer decode(byte[] bytes, int offset, int length) {
            if (failing.get()) {
              throw new NoClassDefFoundError("a class of the key");
            }
            return numbers.decode(bytes, offset, length);
          }

          @Override
          public boolean immutable() {
            return true;
          }
        };
    CacheOptions<Integer, String> options =
        CacheOptions.<Integer, String>defaults().hotEntries(10_000).keyCodec(keys);
    numbers(options).put(1, "one");
    reopen();
    failing.set(true);
    PersistentCache<Integer, String> cache = numbers(options);
    assertThat(pool.state().upkeep().failures()).isOne();
    assertThat(pool.state().upkeep().failing().keySet())
        .singleElement()
        .asString()
        .contains("shop/numbers");
    assertThat(cache.statistics().warmed()).isZero();
    failing.set(false);
    assertThat(cache.get(1)).isEqualTo("one");
  }
}
