package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.access.Internals;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache takes no more disk than it may. */
@Slow
@Timeout(60)
final class DiskBudgetTest {
  private static final int VALUE_BYTES = 4_000;
  private static final long BUDGET = 4L << 20;

  /** About twice as many values as fit. */
  private static final int MANY = 2_000;

  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir Path directory;
  private final Random random = new Random(Seeds.all().findFirst().orElse(1));
  private RocksDbEngine engine;
  private Rockpool pool;

  @BeforeEach
  void open() {
    open(NEVER);
  }

  private void open(Duration reclaimPeriod) {
    engine =
        RocksDbEngine.open(
            directory, RocksDbOptions.builder().reclaimPeriod(reclaimPeriod).build());
    pool = Rockpool.at(o -> engine).open();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private static CacheOptions<Integer, byte[]> options() {
    return unbounded().diskBudgetBytes(BUDGET);
  }

  private static CacheOptions<Integer, byte[]> unbounded() {
    return CacheOptions.<Integer, byte[]>defaults().hotEntries(0);
  }

  private PersistentCache<Integer, byte[]> cache(CacheOptions<Integer, byte[]> options) {
    return pool.cache("cache", Integer.class, byte[].class, o -> options);
  }

  private byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private Map<Integer, byte[]> fill(PersistentCache<Integer, byte[]> cache, int from, int to) {
    Map<Integer, byte[]> put = new HashMap<>();
    for (int key = from; key < to; key++) {
      put.put(key, value());
    }
    cache.putAll(put);
    return put;
  }

  private static int size(PersistentCache<Integer, byte[]> cache) {
    int size = 0;
    for (Map.Entry<Integer, byte[]> unused : cache) {
      size++;
    }
    return size;
  }

  @Test
  void beyondItsBudgetACacheIsTakenDownToNineTenths() {
    PersistentCache<Integer, byte[]> cache = cache(options());
    Map<Integer, byte[]> put = fill(cache, 0, MANY);
    pool.reclaim();

    int left = size(cache);
    assertThat((long) left * VALUE_BYTES).isBetween(BUDGET * 8 / 10, BUDGET);
    assertThat(cache.statistics().evictions()).isEqualTo(MANY - left);
    assertThat(cache.statistics().removals()).isZero();
    for (Map.Entry<Integer, byte[]> entry : cache) {
      assertThat(Arrays.equals(entry.getValue(), put.get(entry.getKey()))).isTrue();
    }
    pool.flush();
    assertThat(tableBytes()).as("bytes of files").isLessThan(BUDGET + BUDGET / 10);
  }

  /** What the files of the database take, its logs aside. */
  private long tableBytes() {
    File[] files =
        Objects.requireNonNull(
            directory.resolve("db").toFile().listFiles((in, name) -> name.endsWith(".sst")));
    return Arrays.stream(files).mapToLong(File::length).sum();
  }

  @Test
  void withinItsBudgetNothingGoes() {
    PersistentCache<Integer, byte[]> cache = cache(options());
    fill(cache, 0, MANY / 4);
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MANY / 4);
    assertThat(cache.statistics().evictions()).isZero();
  }

  @Test
  void whatWasOverwrittenIsNotTakenForEntries() {
    PersistentCache<Integer, byte[]> cache = cache(options());
    for (int round = 0; round < 10; round++) {
      fill(cache, 0, MANY / 4);
    }
    pool.reclaim();
    assertThat(size(cache)).isEqualTo(MANY / 4);
    assertThat(cache.statistics().evictions()).isZero();
  }

  /** Entries that come during a compaction are in memory, where sizes are rough estimates. */
  @Test
  void evictionBesideWritesLeavesMostOfTheBudget() {
    byte[] large = new byte[10_000];
    random.nextBytes(large);
    for (int round = 0; round < 3; round++) {
      try (Rockpool own = Rockpool.open(directory.resolve("own" + round))) {
        PersistentCache<Integer, byte[]> cache =
            own.cache("own", Integer.class, byte[].class, o -> o.diskBudgetBytes(BUDGET / 2));
        for (int key = 0; key < MANY; key++) {
          cache.put(key, large);
        }
        while (cache.statistics().evictions() < MANY / 2) {
          LockSupport.parkNanos(1_000_000);
        }
        own.reclaim();
        assertThat((long) size(cache) * large.length).isGreaterThan(BUDGET / 4);
      }
    }
  }

  @Test
  void whatIsInMemoryStaysAsLongAsThereIsAnythingElse() {
    int hot = MANY / 10;
    PersistentCache<Integer, byte[]> cache = cache(unbounded().hotEntries(MANY));
    Map<Integer, byte[]> first = fill(cache, 0, MANY - hot);
    cache.close();
    cache = cache(options().hotEntries(MANY).warmRestart(false));
    for (int key = MANY - hot; key < MANY; key++) {
      first.put(key, value());
      cache.put(key, first.get(key)); // these alone are in memory now
    }
    assertThat(cache.hotSize()).isEqualTo(hot);
    pool.reclaim();
    assertThat(cache.statistics().evictions()).isPositive();
    cache.close();
    PersistentCache<Integer, byte[]> cold = cache(options());
    for (int key = MANY - hot; key < MANY; key++) {
      assertThat(Arrays.equals(cold.get(key), first.get(key))).as("hot key %d", key).isTrue();
    }
  }

  @Test
  void whereAllIsInMemoryThatGoesTooAndFromMemoryAsWell() {
    PersistentCache<Integer, byte[]> cache = cache(options().hotEntries(MANY));
    fill(cache, 0, MANY);
    pool.reclaim();
    int left = size(cache);
    assertThat((long) left * VALUE_BYTES).isBetween(BUDGET * 8 / 10, BUDGET);
    int read = 0;
    for (int key = 0; key < MANY; key++) {
      read += cache.get(key) == null ? 0 : 1;
    }
    assertThat(read).isEqualTo(left);
  }

  @Test
  void anOpenSnapshotDoesNotHaveEverythingEvicted() {
    PersistentCache<Integer, byte[]> cache = cache(options());
    fill(cache, 0, MANY);
    Space space = Objects.requireNonNull(engine.open("cache"));
    try (SpaceSnapshot snapshot = space.snapshot()) {
      pool.reclaim();
      pool.reclaim();
      assertThat((long) size(cache) * VALUE_BYTES).isGreaterThan(BUDGET / 3);
    }
    pool.reclaim();
    assertThat((long) size(cache) * VALUE_BYTES).isBetween(BUDGET / 3, BUDGET);
    assertThat(tableBytes()).isLessThan(BUDGET + BUDGET / 10);
  }

  @Test
  void otherCachesAndCollectionsAreLeftAlone() {
    PersistentCache<Integer, byte[]> cache = cache(options());
    PersistentCache<Integer, byte[]> other =
        pool.cache("other", Integer.class, byte[].class, o -> unbounded());
    Map<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
    fill(other, 0, MANY);
    map.putAll(fill(cache, 0, MANY));
    pool.reclaim();
    assertThat(cache.statistics().evictions()).isPositive();
    assertThat(size(other)).isEqualTo(MANY);
    assertThat(other.statistics().evictions()).isZero();
    assertThat(map).hasSize(MANY);
  }

  @Test
  void inTheBackgroundWhileOthersWrite() throws InterruptedException {
    pool.close();
    open(Duration.ofMillis(20));
    PersistentCache<Integer, byte[]> cache = cache(options().hotEntries(20));
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    int key = 0;
    while (cache.statistics().evictions() < MANY / 4 && System.nanoTime() < end) {
      byte[] put = value();
      cache.put(key, put);
      byte[] found = cache.get(key); // it may have been evicted already
      assertThat(found == null || Arrays.equals(found, put)).isTrue();
      key++;
    }
    assertThat(cache.statistics().evictions()).as("evicted while %d were put", key).isNotZero();
    pool.reclaim();
    assertThat((long) size(cache) * VALUE_BYTES).isLessThan(BUDGET);
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void aBudgetIsNotNegative() {
    assertThatThrownBy(() -> options().diskBudgetBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("diskBudgetBytes is -1");
  }

  /** Waits in decode while it is told to. */
  private static final class WaitingCodec implements Codec<Integer> {
    private final Codec<Integer> codec = Codecs.defaults().keyCodec(TypeRef.of(Integer.class));
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch ends = new CountDownLatch(1);
    private volatile boolean waiting;

    @Override
    public String id() {
      return "waiting";
    }

    @Override
    public boolean immutable() {
      return true;
    }

    @Override
    public byte[] encode(Integer value) {
      return codec.encode(value);
    }

    @Override
    public Integer decode(byte[] bytes, int offset, int length) {
      if (waiting) {
        waits.countDown();
        try {
          ends.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return codec.decode(bytes, offset, length);
    }
  }

  @Test
  void aKeyCodecThatWaitsHoldsUpNoOtherCache() throws InterruptedException {
    WaitingCodec codec = new WaitingCodec();
    PersistentCache<Integer, byte[]> unbounded =
        pool.cache("slow", Integer.class, byte[].class, o -> unbounded().keyCodec(codec));
    fill(unbounded, 0, MANY);
    unbounded.close();
    PersistentCache<Integer, byte[]> slow =
        pool.cache(
            "slow", Integer.class, byte[].class, o -> options().keyCodec(codec).hotEntries(MANY));
    for (int key = 0; key < MANY; key++) {
      assertThat(slow.get(key)).isNotNull();
    }
    codec.waiting = true;
    Thread first = new Thread(pool::reclaim);
    first.start();
    codec.waits.await();
    PersistentCache<Integer, byte[]> cache =
        Internals.store(pool)
            .caches()
            .openOwn("cache", TypeRef.of(Integer.class), TypeRef.of(byte[].class), options());
    fill(cache, 0, MANY);
    Thread second = new Thread(pool::reclaim);
    second.start();
    while ((long) size(cache) * VALUE_BYTES > BUDGET) {
      Thread.sleep(10);
    }
    codec.waiting = false;
    codec.ends.countDown();
    first.join();
    second.join();
    assertThat((long) size(slow) * VALUE_BYTES).isLessThanOrEqualTo(BUDGET);
  }
}
