package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.bytes.BigEndian;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Entries of which many are in the buffer of writes, which a thread drains. */
@Timeout(120)
final class BufferedEntriesTest {
  private static final int KEYS = 5_000;
  private static final int VALUE_BYTES = 100;

  @TempDir Path directory;

  private RocksDbEngine open() {
    return RocksDbEngine.open(directory, RocksDbOptions.defaults());
  }

  private static Space create(RocksDbEngine engine) {
    return engine.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
  }

  private static byte[] key(int key) {
    byte[] bytes = new byte[Integer.BYTES];
    BigEndian.putInt(bytes, 0, key);
    return bytes;
  }

  private static byte[] value(long value) {
    byte[] bytes = new byte[VALUE_BYTES];
    BigEndian.putLong(bytes, 0, value);
    return bytes;
  }

  private static void put(Space space, int key, long value) {
    space.put(key(key), Space.NO_SORT_KEY, value(value), Expiry.NEVER);
  }

  private static Long number(RowRecord found) {
    return found == null ? null : Long.valueOf(BigEndian.getLong(found.value(), 0));
  }

  @ParameterizedTest
  @MethodSource("io.rockpool.testing.Seeds#all")
  void anyMixIsReadLikeAMap(long seed) {
    Random random = new Random(seed);
    Map<Integer, Long> model = new HashMap<>();
    try (RocksDbEngine engine = open()) {
      Space space = create(engine);
      for (int step = 0; step < 40_000; step++) {
        int key = random.nextInt(KEYS);
        int what = random.nextInt(20);
        if (what < 14) {
          put(space, key, step);
          model.put(key, (long) step);
        } else if (what < 16) {
          space.delete(key(key), Space.NO_SORT_KEY);
          model.remove(key);
        } else if (what < 19) {
          assertThat(number(space.get(key(key), Space.NO_SORT_KEY))).isEqualTo(model.get(key));
        } else {
          assertAll(space, model, random);
        }
        if (step % 10_000 == 0) {
          assertThat(size(space)).isEqualTo(model.size());
        }
      }
      assertThat(size(space)).isEqualTo(model.size());
    }
    try (RocksDbEngine engine = open()) {
      Space space = engine.open("entries");
      for (int key = 0; key < KEYS; key++) {
        assertThat(number(space.get(key(key), Space.NO_SORT_KEY))).isEqualTo(model.get(key));
      }
    }
  }

  private static void assertAll(Space space, Map<Integer, Long> model, Random random) {
    List<RecordKey> keys = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int key = random.nextInt(KEYS);
      keys.add(new RecordKey(key(key), Space.NO_SORT_KEY));
      expected.add(model.get(key));
    }
    List<Long> found = new ArrayList<>();
    space.getAll(keys).forEach(entry -> found.add(number(entry)));
    assertThat(found).isEqualTo(expected);
  }

  private static int size(Space space) {
    int size = 0;
    try (Cursor cursor = space.scanAll()) {
      while (cursor.next()) {
        size++;
      }
    }
    return size;
  }

  /** Writers fill the buffer as fast as they can; closing comes in the middle of drains. */
  @Test
  void closingDuringADrainKeepsWhatWasAcknowledged() throws Exception {
    int writers = 2;
    for (int round = 0; round < 10; round++) {
      AtomicLongArray acknowledged = new AtomicLongArray(writers);
      ExecutorService threads = Executors.newFixedThreadPool(writers);
      RocksDbEngine engine = open();
      Space space = round == 0 ? create(engine) : engine.open("entries");
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int mine = writer;
        running.add(
            threads.submit(
                () -> {
                  for (long value = 1; true; value++) {
                    put(space, mine, value);
                    acknowledged.set(mine, value);
                  }
                }));
      }
      while (acknowledged.get(0) < 3_000L * (round + 1)) {
        Thread.onSpinWait();
      }
      engine.close();
      for (Future<?> writer : running) {
        assertThatThrownBy(writer::get).hasCauseInstanceOf(StoreClosedException.class);
      }
      threads.shutdown();
      try (RocksDbEngine reopened = open()) {
        for (int writer = 0; writer < writers; writer++) {
          RowRecord found = reopened.open("entries").get(key(writer), Space.NO_SORT_KEY);
          assertThat(number(found)).isEqualTo(acknowledged.get(writer));
        }
      }
    }
  }
}
