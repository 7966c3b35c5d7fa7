package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.store.Durability;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of rows that are kept on the heap are those of the store. */
@Slow
final class RowMemoryTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = bytes("key");
  private static final SortRange ALL = SortRange.all();

  /** Of all records of a row, while other threads read them. */
  private static final int CHANGES = Rounds.of(600, 10_000);

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private RocksDbEngine open(long memoryBytes) {
    return RocksDbEngine.open(
        directory,
        RocksDbOptions.builder()
            .clock(clock)
            .rowMemoryBytes(memoryBytes)
            .durability(Durability.BUFFERED)
            .build());
  }

  private static Space rows(RocksDbEngine engine) {
    return engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
  }

  /** Deletes a record behind the back of the memory. */
  private static void deleteOnDisk(RocksDbEngine engine, byte[] sortKey) {
    byte[] key = RowKeyFormat.encode(1, ROW, sortKey);
    engine.internals().writePath().delete(ColumnFamily.ROWS, key, key.length, Durability.BUFFERED);
  }

  private static List<String> values(Space rows, SortRange range, Direction way, int limit) {
    List<String> values = new ArrayList<>();
    try (Cursor cursor = rows.scan(ROW, range, way, limit)) {
      while (cursor.next()) {
        values.add(new String(cursor.value(), StandardCharsets.UTF_8));
      }
    }
    return values;
  }

  @Test
  void whatWasReadIsReadAgainWithoutTheDisk() {
    try (RocksDbEngine engine = open(1 << 20)) {
      Space rows = rows(engine);
      for (String name : List.of("a", "b", "c")) {
        rows.put(ROW, bytes(name), bytes(name), Expiry.NEVER);
      }
      assertThat(values(rows, ALL, Direction.FORWARD, 100)).containsExactly("a", "b", "c");
      assertThat(rows.get(ROW, bytes("a"))).isNotNull();
      deleteOnDisk(engine, bytes("a"));
      assertThat(rows.get(ROW, bytes("a"))).isNotNull();
      assertThat(rows.<Object>transact(ROW, row -> row.get(bytes("a")))).isNotNull();
      assertThat(values(rows, ALL, Direction.FORWARD, 2)).containsExactly("a", "b");
      assertThat(values(rows, ALL, Direction.BACKWARD, 100)).containsExactly("c", "b", "a");
      assertThat(rows.<List<RowRecord>>transact(ROW, row -> row.scan(ALL, Direction.FORWARD, 1)))
          .hasSize(1);
      rows.delete(ROW, bytes("b"));
      rows.put(ROW, bytes("aa"), bytes("aa"), Expiry.NEVER);
      rows.transact(
          ROW,
          row -> {
            row.put(bytes("d"), bytes("d"), Expiry.NEVER);
            return row;
          });
      assertThat(values(rows, ALL, Direction.FORWARD, 100)).containsExactly("a", "aa", "c", "d");
      try (Cursor unlimited = rows.scan(ROW, ALL, Direction.FORWARD, Integer.MAX_VALUE)) {
        assertThat(unlimited.next()).isTrue();
        assertThat(unlimited.sortKey()).isEqualTo(bytes("aa"));
      }
    }
  }

  @Test
  void withoutMemoryEachReadIsOfTheDisk() {
    try (RocksDbEngine engine = open(0)) {
      Space rows = rows(engine);
      rows.put(ROW, KEY, KEY, Expiry.NEVER);
      assertThat(rows.get(ROW, KEY)).isNotNull();
      assertThat(values(rows, ALL, Direction.FORWARD, 1)).hasSize(1);
      deleteOnDisk(engine, KEY);
      assertThat(rows.get(ROW, KEY)).isNull();
      assertThat(values(rows, ALL, Direction.FORWARD, 1)).isEmpty();
    }
  }

  @Test
  void aReadThatAWriteOvertookIsNotKept() {
    try (RocksDbEngine engine = open(1 << 20)) {
      Space rows = rows(engine);
      rows.put(ROW, KEY, bytes("old"), Expiry.NEVER);
      Object read =
          rows.get(
              ROW,
              KEY,
              (value, offset, length, expiryMillis) -> {
                rows.put(ROW, KEY, bytes("new"), Expiry.NEVER);
                return length;
              });
      assertThat(read).isEqualTo(3);
      assertThat(rows.get(ROW, KEY).value()).isEqualTo(bytes("new"));
      try (Cursor cursor = rows.scan(ROW, ALL, Direction.FORWARD, 10)) {
        assertThat(cursor.next()).isTrue();
        rows.put(ROW, KEY, bytes("newer"), Expiry.NEVER);
        assertThat(cursor.next()).isFalse();
      }
      assertThat(values(rows, ALL, Direction.FORWARD, 10)).containsExactly("newer");
    }
  }

  @Test
  void aFailedTransactionChangesNothing() {
    try (RocksDbEngine engine = open(1 << 20)) {
      Space rows = rows(engine);
      rows.put(ROW, KEY, bytes("old"), Expiry.NEVER);
      assertThat(values(rows, ALL, Direction.FORWARD, 10)).containsExactly("old");
      try {
        rows.transact(
            ROW,
            row -> {
              row.put(KEY, bytes("new"), Expiry.NEVER);
              throw new IllegalArgumentException("no");
            });
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessage("no");
      }
      assertThat(values(rows, ALL, Direction.FORWARD, 10)).containsExactly("old");
      assertThat(rows.get(ROW, KEY).value()).isEqualTo(bytes("old"));
    }
  }

  /** Rows whose keys follow each other, so that pages of both could touch. */
  private static final byte[][] ROWS = {bytes("a"), bytes("b"), bytes("bb")};

  private static byte[] sortKey(int number) {
    return bytes(String.format(Locale.ROOT, "%03d", number));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "4096, 2", "20000, 3", "1048576, 4", "1048576, 5"})
  void itEqualsAModel(long memoryBytes, long seed) {
    Random random = new Random(seed);
    List<NavigableMap<byte[], byte[]>> model =
        IntStream.range(0, ROWS.length)
            .<NavigableMap<byte[], byte[]>>mapToObj(i -> newRow())
            .toList();
    try (RocksDbEngine engine = open(memoryBytes)) {
      Space rows = rows(engine);
      List<Cursor> open = new ArrayList<>();
      for (int step = 0; step < 6_000; step++) {
        int number = random.nextInt(ROWS.length);
        byte[] hashKey = ROWS[number];
        NavigableMap<byte[], byte[]> row = model.get(number);
        byte[] key = sortKey(random.nextInt(400));
        byte[] value = bytes("v" + step);
        switch (random.nextInt(12)) {
          case 0 -> {
            rows.put(hashKey, key, value, Expiry.NEVER);
            row.put(key, value);
          }
          case 1 -> {
            rows.delete(hashKey, key);
            row.remove(key);
          }
          case 2 -> {
            boolean expires = random.nextInt(10) == 0;
            rows.put(hashKey, key, value, expires ? clock.millis() + 50 : Expiry.NEVER);
            row.put(key, value);
            if (expires) {
              clock.advanceMillis(50);
              row.remove(key);
            }
          }
          case 3 -> {
            List<RowRecord> some = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(60); i++) {
              byte[] one = sortKey(random.nextInt(400));
              some.add(new RowRecord(hashKey, one, value, Expiry.NEVER));
              row.put(one, value);
            }
            rows.putAll(some);
          }
          case 4 -> {
            List<RecordKey> some = new ArrayList<>();
            int from = random.nextInt(400);
            for (int i = from; i < Math.min(400, from + random.nextInt(30)); i++) {
              some.add(new RecordKey(hashKey, sortKey(i)));
              row.remove(sortKey(i));
            }
            rows.deleteAll(some);
          }
          case 5 -> transact(rows, hashKey, row, random, value);
          case 6 -> {
            List<NavigableMap<byte[], byte[]>> before =
                model.stream().map(RowMemoryTest::copyOf).toList();
            engine.atomically(
                () -> { // which may run again
                  for (int i = 0; i < ROWS.length; i++) {
                    model.get(i).clear();
                    model.get(i).putAll(before.get(i));
                    transact(rows, ROWS[i], model.get(i), random, value);
                  }
                  return null;
                });
          }
          case 7 -> {
            RowRecord found = rows.get(hashKey, key);
            assertThat(found == null ? null : found.value()).isEqualTo(row.get(key));
          }
          case 8 -> {
            open.add(rows.scan(hashKey, range(random), direction(random), 1 + random.nextInt(120)));
            if (open.size() > 3) {
              open.remove(0).close();
            }
          }
          case 9 -> open.forEach(Cursor::next);
          default -> {
            SortRange range = range(random);
            Direction direction = direction(random);
            int limit = 1 + random.nextInt(260);
            List<String> found = new ArrayList<>();
            try (Cursor cursor = rows.scan(hashKey, range, direction, limit)) {
              while (cursor.next()) {
                found.add(text(cursor.sortKey(), cursor.value()));
              }
            }
            assertThat(found).isEqualTo(expected(row, range, direction, limit));
          }
        }
        if (random.nextInt(2_000) == 0) {
          rows.clear();
          model.forEach(Map::clear);
        }
      }
      open.forEach(Cursor::close);
    }
  }

  private static NavigableMap<byte[], byte[]> newRow() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  private static NavigableMap<byte[], byte[]> copyOf(NavigableMap<byte[], byte[]> row) {
    NavigableMap<byte[], byte[]> copy = newRow();
    copy.putAll(row);
    return copy;
  }

  private static void transact(
      Space rows, byte[] hashKey, NavigableMap<byte[], byte[]> row, Random random, byte[] value) {
    rows.transact(
        hashKey,
        stored -> {
          for (int i = random.nextInt(6); i >= 0; i--) {
            byte[] key = sortKey(random.nextInt(400));
            switch (random.nextInt(4)) {
              case 0 -> {
                stored.put(key, value, Expiry.NEVER);
                row.put(key, value);
              }
              case 1 -> {
                stored.delete(key);
                row.remove(key);
              }
              case 2 -> {
                RowRecord found = stored.get(key);
                assertThat(found == null ? null : found.value()).isEqualTo(row.get(key));
              }
              default -> {
                SortRange range = range(random);
                Direction direction = direction(random);
                int limit = 1 + random.nextInt(100);
                assertThat(
                        stored.scan(range, direction, limit).stream()
                            .map(record -> text(record.sortKey(), record.value())))
                    .isEqualTo(expected(row, range, direction, limit));
              }
            }
          }
          return null;
        });
  }

  private static SortRange range(Random random) {
    SortRange range = ALL;
    if (random.nextInt(4) > 0) {
      range = range.from(sortKey(random.nextInt(400)), random.nextBoolean());
    }
    if (random.nextInt(4) == 0) {
      range = range.to(sortKey(random.nextInt(400)), random.nextBoolean());
    }
    return range;
  }

  private static Direction direction(Random random) {
    return random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
  }

  private static String text(byte[] sortKey, byte[] value) {
    return new String(sortKey, StandardCharsets.UTF_8)
        + "="
        + new String(value, StandardCharsets.UTF_8);
  }

  private static List<String> expected(
      NavigableMap<byte[], byte[]> row, SortRange range, Direction direction, int limit) {
    return (direction == Direction.FORWARD ? row : row.descendingMap())
        .entrySet().stream()
            .filter(entry -> range.contains(entry.getKey()))
            .limit(limit)
            .map(entry -> text(entry.getKey(), entry.getValue()))
            .toList();
  }

  /** Each write sets all records of a row to the next number. */
  @ParameterizedTest
  @ValueSource(longs = {6_000, 1 << 20})
  void whatThreadsReadIsWholeAndNeverGoesBack(long memoryBytes) throws Exception {
    int records = 150; // more than pages that are joined have
    try (RocksDbEngine engine = open(memoryBytes)) {
      Space rows = rows(engine);
      AtomicBoolean done = new AtomicBoolean();
      set(rows, records, 0);
      Threads.run(
          4,
          thread -> {
            Random random = new Random(thread);
            long last = 0;
            for (int i = 1; thread == 0 ? i <= CHANGES : !done.get(); i++) {
              if (thread == 0) {
                set(rows, records, i);
              } else {
                long read =
                    random.nextBoolean()
                        ? read(rows, random.nextInt(records))
                        : scan(rows, records, random);
                assertThat(read).isGreaterThanOrEqualTo(last);
                last = read;
              }
            }
            done.set(true);
          });
      assertThat(scan(rows, records, new Random())).isEqualTo(CHANGES);
    }
  }

  private static void set(Space rows, int records, long number) {
    byte[] value = new byte[Long.BYTES];
    BigEndian.putLong(value, 0, number);
    rows.transact(
        ROW,
        row -> {
          for (int i = 0; i < records; i++) {
            row.put(sortKey(i), value, Expiry.NEVER);
          }
          return null;
        });
  }

  private static long read(Space rows, int record) {
    return BigEndian.getLong(rows.get(ROW, sortKey(record)).value(), 0);
  }

  /** The number in all records that a scan finds. */
  private static long scan(Space rows, int records, Random random) {
    int from = random.nextInt(records);
    long number = -1;
    int found = 0;
    try (Cursor cursor = rows.scan(ROW, ALL.from(sortKey(from), true), Direction.FORWARD, 256)) {
      while (cursor.next()) {
        long here = BigEndian.getLong(cursor.value(), 0);
        assertThat(here).isEqualTo(found++ == 0 ? here : number);
        number = here;
      }
    }
    assertThat(found).isEqualTo(records - from);
    return number;
  }
}
