package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;

/** How evenly the embedded engine divides its records. */
final class SplitSearchTest {
  private static final int RECORDS = 20_000;
  private static final int PARTS = 4;

  @TempDir Path directory;
  private final Random random = new Random(7);
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    engine = RocksDbEngine.open(directory, RocksDbOptions.defaults());
  }

  @AfterEach
  void close() {
    engine.close();
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

  private void assertDivided(Space space) {
    List<RecordKey> splits = space.splits(PARTS);
    assertThat(splits).hasSize(PARTS - 1);
    RecordKey after = null;
    for (RecordKey split : splits) {
      assertThat(count(space, after, split)).isBetween(RECORDS / PARTS / 2, RECORDS / PARTS * 2);
      after = split;
    }
    assertThat(count(space, after, null)).isBetween(RECORDS / PARTS / 2, RECORDS / PARTS * 2);
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
    Database database = engine.internals().database();
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

  @Test
  void dividesWhatIsInMemory() {
    assertDivided(spaceOf(i -> key("row " + i % 500, i)));
  }
}
