package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.EntriesLayout;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/**
 * Entries that have expired leave the disk, and nothing else changes by a byte: by the machine's
 * clock in RocksDB's compactions, by another in a sweep.
 */
@Timeout(60)
final class EntryPurgeTest {
  private static final int PUTS = 8_000;
  private static final int KEYS = 3_000;
  private static final int MAX_VALUE_BYTES = 300;

  /** So far from now that it does not matter how long the test takes. */
  private static final long AWAY_MILLIS = Duration.ofHours(1).toMillis();

  @TempDir Path directory;

  static LongStream seeds() {
    return Seeds.all();
  }

  private RocksDbEngine open(InstantSource clock, Duration reclaimPeriod) {
    return RocksDbEngine.open(
        directory,
        RocksDbOptions.builder()
            .clock(clock)
            .reclaimPeriod(reclaimPeriod)
            .entryPurgePeriod(Duration.ofSeconds(1))
            .build());
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static Space create(RocksDbEngine engine, String name) {
    return engine.create(new SpaceSpec(name, Layout.ENTRIES, Map.of()));
  }

  private static void flush(RocksDbEngine engine) throws RocksDBException {
    Database database = engine.internals().database();
    try (FlushOptions wait = new FlushOptions()) {
      database.nativeDatabase().flush(wait, database.handle(ColumnFamily.ENTRIES));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void expiredEntriesLeaveTheDiskByTheMachinesClock(long seed) throws RocksDBException {
    purge(seed, InstantSource.system());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void expiredEntriesLeaveTheDiskByAnotherClock(long seed) throws RocksDBException {
    FakeClock clock = new FakeClock();
    clock.setMillis(System.currentTimeMillis() - 10 * AWAY_MILLIS);
    purge(seed, clock);
  }

  private void purge(long seed, InstantSource clock) throws RocksDBException {
    Random random = new Random(seed);
    try (RocksDbEngine engine = open(clock, Duration.ofDays(1))) {
      Space space = create(engine, "space");
      Space cleared = create(engine, "cleared");
      Map<ByteBuffer, ByteBuffer> live = new TreeMap<>();
      for (int i = 0; i < PUTS; i++) {
        byte[] hashKey = key(random.nextInt(KEYS));
        byte[] value = new byte[random.nextInt(MAX_VALUE_BYTES)];
        random.nextBytes(value);
        long expiryMillis = expiry(random, clock.millis());
        space.put(hashKey, Space.NO_SORT_KEY, value, expiryMillis);
        cleared.put(hashKey, Space.NO_SORT_KEY, value, expiryMillis);
        if (expiryMillis > clock.millis()) {
          live.put(
              ByteBuffer.wrap(EntriesLayout.INSTANCE.key(1, hashKey, Space.NO_SORT_KEY)),
              ByteBuffer.wrap(EntryFormat.encode(value, expiryMillis)));
        } else {
          live.remove(ByteBuffer.wrap(EntriesLayout.INSTANCE.key(1, hashKey, Space.NO_SORT_KEY)));
        }
        if (i % (PUTS / 3) == 0) {
          flush(engine);
        }
      }
      cleared.clear();
      engine.reclaim();
      assertThat(contents(engine)).as("seed " + seed).isEqualTo(live);
    }
  }

  private static long expiry(Random random, long nowMillis) {
    return switch (random.nextInt(5)) {
      case 0 -> Expiry.NEVER;
      case 1 -> nowMillis - AWAY_MILLIS - random.nextInt(Integer.MAX_VALUE);
      case 2 -> 0;
      case 3 -> nowMillis + AWAY_MILLIS + random.nextInt(Integer.MAX_VALUE);
      default ->
          Math.min(
              EntryFormat.LAST_NATIVE_EXPIRY_MILLIS + random.nextInt(3) - 1, Expiry.MAX_MILLIS);
    };
  }

  private static Map<ByteBuffer, ByteBuffer> contents(RocksDbEngine engine) {
    Database database = engine.internals().database();
    Map<ByteBuffer, ByteBuffer> contents = new TreeMap<>();
    for (byte[] key : RawRecords.keys(engine, ColumnFamily.ENTRIES)) {
      contents.put(ByteBuffer.wrap(key), ByteBuffer.wrap(database.get(ColumnFamily.ENTRIES, key)));
    }
    return contents;
  }

  @Test
  void byAnotherClockTheyAreSweptOnceInAPeriod() throws Exception {
    FakeClock clock = new FakeClock();
    try (RocksDbEngine engine = open(clock, Duration.ofMillis(1))) {
      Space space = create(engine, "space");
      for (int i = 0; i < KEYS; i++) {
        long expiryMillis = clock.millis() + 1 + i % 2 * AWAY_MILLIS;
        space.put(key(i), Space.NO_SORT_KEY, key(i), expiryMillis);
      }
      clock.advanceMillis(1_000);
      while (engine.reclaimState().total().expiredRecords() < KEYS / 2) {
        Thread.sleep(5);
      }
      assertThat(RawRecords.count(engine, ColumnFamily.ENTRIES)).isEqualTo(KEYS / 2);
      assertThat(space.get(key(1), Space.NO_SORT_KEY)).isNotNull();
    }
  }

  /** Nobody asks for it, and nothing is written meanwhile. */
  @Test
  void byTheMachinesClockTheyAreWrittenAwayOnceInAPeriod() throws Exception {
    try (RocksDbEngine engine = open(InstantSource.system(), Duration.ofMillis(10))) {
      Space space = create(engine, "space");
      long expiryMillis = System.currentTimeMillis() + 1;
      for (int i = 0; i < KEYS; i++) {
        space.put(key(i), Space.NO_SORT_KEY, key(i), i % 2 == 0 ? expiryMillis : Expiry.NEVER);
      }
      flush(engine);
      while (RawRecords.count(engine, ColumnFamily.ENTRIES) > KEYS / 2) {
        Thread.sleep(5);
      }
      assertThat(space.get(key(1), Space.NO_SORT_KEY)).isNotNull();
    }
  }

  @Test
  void thePeriodIsAtLeastASecond() {
    RocksDbOptions.Builder builder = RocksDbOptions.builder();
    assertThatThrownBy(() -> builder.entryPurgePeriod(Duration.ofMillis(999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entryPurgePeriod");
    assertThat(builder.build().entryPurgePeriod()).isEqualTo(Duration.ofHours(6));
    assertThat(builder.build().reclaimPeriod()).isEqualTo(Duration.ofSeconds(1));
  }
}
