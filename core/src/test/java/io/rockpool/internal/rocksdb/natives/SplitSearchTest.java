package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.testing.StoreExtension;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rocksdb.FlushOptions;

/** How evenly the embedded engine divides its records. */
final class SplitSearchTest {
  private static final int RECORDS = 20_000;
  private static final int PARTS = 4;

  private final Random random = new Random(7);

  @RegisterExtension final StoreExtension<RocksDbEngine> store = StoreExtension.ofEngine();

  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = store.get();
  }

  private Space spaceOf(IntFunction<RecordKey> keys) {
    // What other spaces hold must not matter.
    fill("before", i -> key("row", i));
    Space space = fill("space", keys);
    fill("later", i -> key("row", i));
    return space;
  }

  private Space fill(String name, IntFunction<RecordKey> keys) {
    Space space = engine.create(new SpaceSpec(name, Layout.ROWS, Map.of()));
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      RecordKey key = keys.apply(i);
      byte[] value = new byte[100];
      random.nextBytes(value);
      records.add(new RowRecord(key.hashKey(), key.sortKey(), value, Expiry.NEVER));
    }
    space.putAll(records);
    return space;
  }

  private static RecordKey key(String row, int sortKey) {
    return new RecordKey(
        row.getBytes(StandardCharsets.UTF_8),
        ByteBuffer.allocate(Integer.BYTES).putInt(sortKey).array());
  }

  private static void assertDivided(Space space) {
    List<Integer> parts = parts(space);
    assertThat(parts).hasSize(PARTS);
    assertThat(parts)
        .allSatisfy(part -> assertThat(part).isBetween(RECORDS / PARTS / 2, RECORDS / PARTS * 2));
  }

  /** How many records each part has. */
  private static List<Integer> parts(Space space) {
    List<Integer> parts = new ArrayList<>();
    RecordKey after = null;
    for (RecordKey split : space.splits(PARTS)) {
      parts.add(count(space, after, split));
      after = split;
    }
    parts.add(count(space, after, null));
    return parts;
  }

  private static int count(Space space, RecordKey after, RecordKey upTo) {
    int count = 0;
    try (Cursor cursor = space.scanAll(after, upTo)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  private void flush() throws Exception {
    Database database = EngineInternals.of(engine).database();
    try (FlushOptions options = new FlushOptions()) {
      database.nativeDatabase().flush(options, database.handle(ColumnFamily.ROWS));
    }
  }

  @Test
  void dividesOneLongRow() throws Exception {
    Space space = spaceOf(i -> key("row", i));
    flush();
    assertDivided(space);
  }

  @Test
  void dividesManyShortRowsOfEveryLength() throws Exception {
    Space space = spaceOf(i -> key("x".repeat(i % 40) + i, i));
    flush();
    assertDivided(space);
  }

  @Test
  void dividesKeysThatCrowdTogether() throws Exception {
    Space space = spaceOf(i -> key("row", i == 0 ? Integer.MAX_VALUE : i));
    flush();
    assertDivided(space);
  }

  /** What lies in memory RocksDB estimates by chance: of 1,200 parts, one was half of all. */
  @Test
  void dividesWhatIsInMemory() {
    List<Integer> parts = parts(spaceOf(i -> key("row " + i % 500, i)));
    assertThat(parts).hasSizeBetween(2, PARTS);
    assertThat(parts).allSatisfy(part -> assertThat(part).isBetween(1, RECORDS * 3 / 4));
    assertThat(parts.stream().mapToInt(part -> part).sum()).isEqualTo(RECORDS);
  }
}
