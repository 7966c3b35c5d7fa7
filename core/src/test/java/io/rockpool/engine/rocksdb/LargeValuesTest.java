package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.testing.StoreExtension;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.RocksDBException;

/**
 * Large values leave the disk where they end one by one: three in four of each file, so that none
 * goes as a whole.
 */
@Timeout(60)
final class LargeValuesTest {
  private static final int VALUE_BYTES = 64 << 10;
  private static final int VALUES = 128;
  private static final int VALUES_IN_A_FILE = 16;
  private static final long BYTES_LEFT = VALUES / 4 * VALUE_BYTES;

  /** So many new files are merged at any rate. */
  private static final int FILES_MERGED = 8;

  private static final byte[] ROW = {1};

  /** How they end. */
  private enum End {
    OVERWRITTEN,
    REMOVED,
    EXPIRED
  }

  private final Random random = new Random(1);

  @RegisterExtension
  final StoreExtension<RocksDbEngine> store =
      StoreExtension.ofEngine(options -> options.reclaimPeriod(Duration.ofDays(1)));

  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = store.get();
  }

  private static boolean ends(int number) {
    return number % 4 > 0;
  }

  /** What a record is found by: all are in one row of rows, and entries are rows of their own. */
  private static byte[] hashKey(Layout layout, int number) {
    return layout == Layout.ROWS ? ROW : key(number);
  }

  private static byte[] sortKey(Layout layout, int number) {
    return layout == Layout.ROWS ? key(number) : Space.NO_SORT_KEY;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private void put(Space space, Layout layout, int number, int valueBytes, long expiryMillis) {
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    space.put(hashKey(layout, number), sortKey(layout, number), value, expiryMillis);
  }

  private Space create(Layout layout, End end) {
    Space space = engine.create(new SpaceSpec("space", layout, Map.of()));
    long past = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    for (int i = 0; i < VALUES; i++) {
      put(space, layout, i, VALUE_BYTES, end == End.EXPIRED && ends(i) ? past : Expiry.NEVER);
      if ((i + 1) % VALUES_IN_A_FILE == 0) {
        CorruptedStore.flush(engine);
      }
    }
    for (int i = 0; i < VALUES; i++) {
      if (ends(i) && end == End.REMOVED) {
        space.delete(hashKey(layout, i), sortKey(layout, i));
      } else if (ends(i) && end == End.OVERWRITTEN) {
        put(space, layout, i, 1, Expiry.NEVER);
      }
    }
    return space;
  }

  private long bytes(Layout layout) throws RocksDBException {
    Database database = engine.internals().database();
    ColumnFamily family = RecordLayout.of(layout).family();
    return database
            .nativeDatabase()
            .getLongProperty(database.handle(family), "rocksdb.total-sst-files-size")
        + database
            .nativeDatabase()
            .getLongProperty(database.handle(family), "rocksdb.total-blob-file-size");
  }

  private static void assertOthersAreThere(Space space, Layout layout) {
    for (int i = 0; i < VALUES; i++) {
      if (!ends(i)) {
        assertThat(
                Objects.requireNonNull(space.get(hashKey(layout, i), sortKey(layout, i))).value())
            .hasSize(VALUE_BYTES);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ROWS, OVERWRITTEN",
    "ROWS, REMOVED",
    "ROWS, EXPIRED",
    "ENTRIES, OVERWRITTEN",
    "ENTRIES, REMOVED",
    "ENTRIES, EXPIRED"
  })
  void whatEndedLeavesTheDisk(Layout layout, End end) throws Exception {
    Space space = create(layout, end);
    assertThat(bytes(layout)).isGreaterThan(3 * BYTES_LEFT);
    engine.reclaim();
    assertThat(bytes(layout)).isBetween(BYTES_LEFT, BYTES_LEFT * 4 / 3);
    assertOthersAreThere(space, layout);
  }

  /** RocksDB merges the keys now and then, and then what has most to give back. */
  @Test
  void whatEndedLeavesTheDiskByItself() throws Exception {
    Space space = create(Layout.ROWS, End.REMOVED);
    for (int i = 0; i < FILES_MERGED; i++) {
      put(space, Layout.ROWS, VALUES + i, 1, Expiry.NEVER);
      CorruptedStore.flush(engine);
    }
    while (bytes(Layout.ROWS) > 2 * BYTES_LEFT) {
      Thread.sleep(5);
    }
    assertOthersAreThere(space, Layout.ROWS);
  }
}
