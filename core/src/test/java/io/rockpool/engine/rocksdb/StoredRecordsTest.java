package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.DeadGeneration;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.store.Durability;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.StoreExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What lies in the store besides the records a caller sees: what reclaiming their disk will go by.
 */
final class StoredRecordsTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = bytes("key");

  private final FakeClock clock = new FakeClock();

  @RegisterExtension
  final StoreExtension<RocksDbEngine> store =
      StoreExtension.ofEngine(options -> options.clock(clock).reclaimPeriod(Duration.ofDays(1)));

  private RocksDbEngine engine;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void open() {
    engine = store.get();
  }

  private Space create(String name, Layout layout) {
    return engine.create(new SpaceSpec(name, layout, Map.of()));
  }

  private Database database() {
    return engine.internals().database();
  }

  private List<byte[]> keys(ColumnFamily family) {
    return RawRecords.keys(engine, family);
  }

  private Map<Long, DeadGeneration> deadGenerations() {
    Map<Long, DeadGeneration> dead = new HashMap<>();
    byte[] prefix = CatalogKeyFormat.deadGenerations();
    byte[] end = {(byte) (prefix[0] + 1)};
    try (NativeScan scan =
        database().scan(database().now(), ColumnFamily.CATALOG, prefix, end, false, true)) {
      while (scan.next()) {
        byte[] record = database().get(ColumnFamily.CATALOG, scan.key());
        dead.put(CatalogKeyFormat.deadGenerationOf(scan.key()), DeadGeneration.decode(record));
      }
    }
    return dead;
  }

  @Test
  void everyRowRecordThatExpiresHasAnIndexRecord() {
    Space rows = create("rows", Layout.ROWS);
    Space entries = create("entries", Layout.ENTRIES);
    long expiry = clock.millis() + 10;
    rows.put(ROW, bytes("1"), KEY, expiry);
    rows.putAll(
        List.of(
            new RowRecord(ROW, bytes("2"), KEY, expiry),
            new RowRecord(ROW, bytes("3"), KEY, Expiry.NEVER)));
    rows.transact(
        ROW,
        row -> {
          row.put(bytes("4"), KEY, expiry + 1);
          row.putCounted(bytes("5"), KEY, expiry + 1);
          row.put(bytes("6"), KEY, Expiry.NEVER);
          return null;
        });
    rows.put(ROW, bytes("7"), KEY, Expiry.NEVER);
    entries.put(KEY, Space.NO_SORT_KEY, KEY, expiry);

    List<String> index =
        keys(ColumnFamily.EXPIRIES).stream()
            .map(
                key ->
                    ExpiryIndexFormat.expiryMillis(key)
                        - expiry
                        + " "
                        + new String(
                            RowKeyFormat.sortKey(ExpiryIndexFormat.recordKey(key)),
                            StandardCharsets.UTF_8))
            .toList();
    assertThat(index).containsExactly("0 1", "0 2", "1 4", "1 5");
  }

  @Test
  void clearingResettingAndDroppingLeaveDeadGenerations() {
    Space rows = create("a/rows", Layout.ROWS);
    create("a/entries", Layout.ENTRIES);
    rows.put(ROW, KEY, KEY, Expiry.NEVER);
    rows.clear();
    long cleared = clock.millis();
    clock.advanceMillis(1_000);
    engine.reset(new SpaceSpec("a/entries", Layout.ROWS, Map.of()));
    assertThat(engine.dropAll("a")).isEqualTo(2);
    long now = clock.millis();
    assertThat(deadGenerations())
        .containsOnly(
            Map.entry(1L, new DeadGeneration(Layout.ROWS, cleared)),
            Map.entry(2L, new DeadGeneration(Layout.ENTRIES, now)),
            Map.entry(3L, new DeadGeneration(Layout.ROWS, now)),
            Map.entry(4L, new DeadGeneration(Layout.ROWS, now)));
    assertThat(keys(ColumnFamily.ROWS)).hasSize(1);
  }

  @Test
  void anUnknownFlagIsCorruptionWhereverItIsRead() {
    Space rows = create("rows", Layout.ROWS);
    byte[] key = RowKeyFormat.encode(1, ROW, KEY);
    byte[] record = {4, 'v'};
    engine
        .internals()
        .writePath()
        .put(ColumnFamily.ROWS, key, key.length, record, record.length, Durability.BUFFERED);
    for (Runnable read :
        List.<Runnable>of(
            () -> rows.get(ROW, KEY),
            () -> rows.scanAll(null).next(),
            () -> rows.getAll(List.of(new RecordKey(ROW, KEY))),
            () -> rows.transact(ROW, row -> row.get(KEY)),
            () -> rows.transact(ROW, row -> change(row)))) {
      assertThatThrownBy(read::run)
          .isInstanceOfSatisfying(
              CorruptStoreException.class,
              e -> {
                assertThat(e.directory()).isPresent();
                assertThat(e.name()).contains("rows");
                assertThat(e.key().orElseThrow()).endsWith("\\x03rowkey");
              })
          .hasMessageContaining("\"rows\"")
          .hasMessageContaining("0x04")
          .hasMessageContaining("\\x01\\x03rowkey");
    }
  }

  private static Object change(Row row) {
    row.put(KEY, KEY, Expiry.NEVER);
    return row;
  }

  @Test
  void aTransactionRefusesAllOtherWritesOfItsStore() {
    Space rows = create("rows", Layout.ROWS);
    Space other = create("other", Layout.ENTRIES);
    Map<String, Runnable> writes =
        Map.ofEntries(
            Map.entry("put", () -> other.put(KEY, Space.NO_SORT_KEY, KEY, Expiry.NEVER)),
            Map.entry("delete", () -> other.delete(KEY, Space.NO_SORT_KEY)),
            Map.entry("putAll", () -> other.putAll(List.of())),
            Map.entry("deleteAll", () -> other.deleteAll(List.of())),
            Map.entry("transact", () -> rows.transact(KEY, row -> row)),
            Map.entry("clear", rows::clear),
            Map.entry("create", () -> create("new", Layout.ROWS)),
            Map.entry("open", () -> engine.open("rows")),
            Map.entry("reset", () -> engine.reset(new SpaceSpec("other", Layout.ROWS, Map.of()))),
            Map.entry("setAttributes", () -> engine.setAttributes("rows", Map.of())),
            Map.entry("drop", () -> engine.drop("rows")),
            Map.entry("dropAll", () -> engine.dropAll("")),
            Map.entry("close", engine::close));
    writes.forEach(
        (name, write) ->
            assertThatThrownBy(
                    () ->
                        rows.transact(
                            ROW,
                            row -> {
                              row.put(KEY, KEY, Expiry.NEVER);
                              write.run();
                              return row;
                            }))
                .as(name)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Inside a row transaction"));
    assertThat(rows.get(ROW, KEY)).isNull();
    writes.get("put").run();
    assertThat(other.get(KEY, Space.NO_SORT_KEY)).isNotNull();
  }

  @Test
  void largeValuesGoThroughEveryPath() {
    for (Layout layout : Layout.values()) {
      Space space = create(layout.name(), layout);
      for (int length : new int[] {4 << 10, 16 << 10, 256 << 10, 3 << 20}) {
        byte[] value = new byte[length];
        value[length - 1] = 1;
        space.put(ROW, Space.NO_SORT_KEY, value, Expiry.NEVER);
        assertThat(space.get(ROW, Space.NO_SORT_KEY).value()).isEqualTo(value);
        space.transact(ROW, row -> change(row, value));
        assertThat(space.getAll(List.of(new RecordKey(ROW, Space.NO_SORT_KEY))).get(0).value())
            .isEqualTo(value);
        try (var all = space.scanAll(null)) {
          assertThat(all.next()).isTrue();
          assertThat(all.value()).isEqualTo(value);
        }
      }
    }
  }

  private static Object change(Row row, byte[] value) {
    assertThat(row.get(Space.NO_SORT_KEY).value()).isEqualTo(value);
    row.put(Space.NO_SORT_KEY, value, Expiry.NEVER);
    return row;
  }
}
