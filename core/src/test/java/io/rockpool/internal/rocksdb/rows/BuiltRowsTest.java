package io.rockpool.internal.rocksdb.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.store.VerifyOptions;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.StoreExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is known of rows that are being built, and that counts and reads are true all the same. */
@Timeout(60)
final class BuiltRowsTest {
  private static final byte[] ROW = {1};
  private static final byte[] OTHER_ROW = {2};
  private static final int STEPS = 300;
  private static final int KEYS = 2_000;
  private static final int LARGE = 100;

  @RegisterExtension final StoreExtension<RocksDbEngine> store = StoreExtension.ofEngine();

  private RocksDbEngine engine;
  private Space space;

  @BeforeEach
  void open() {
    engine = store.get();
    space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(StandardCharsets.US_ASCII);
  }

  private void build(byte[] row, int from, int to) {
    space.transact(
        row,
        transaction -> {
          IntStream.range(from, to)
              .forEach(i -> transaction.putCounted(key(i), key(i), Expiry.NEVER));
          return null;
        });
  }

  private boolean isKnown(byte[] row) {
    long generation = ((RocksDbSpace) space).generation();
    return EngineInternals.of(engine).builtRows().of(generation, row) != null;
  }

  @Test
  void anEmptyRowIsKnownWhileLargeBatchesAloneAreWrittenToIt() {
    build(ROW, 0, LARGE);
    assertThat(isKnown(ROW)).isTrue();
    assertThat(isKnown(OTHER_ROW)).isFalse();
    build(ROW, LARGE / 2, 2 * LARGE);
    assertThat(isKnown(ROW)).isTrue();
    assertThat(space.count(ROW)).isEqualTo(2 * LARGE);
    build(ROW, 0, 1);
    assertThat(isKnown(ROW)).isFalse();
    build(ROW, 0, LARGE);
    assertThat(isKnown(ROW)).as("a row with more in it than was built").isFalse();
  }

  @Test
  void whatIsPutBlindlyEndsIt() {
    List<Runnable> blind =
        List.of(
            () -> space.put(ROW, key(-1), key(1), Expiry.NEVER),
            () -> space.put(ROW, key(-1), key(1), Long.MAX_VALUE - 1),
            () -> space.putAll(List.of(new RowRecord(ROW, key(-1), key(1), Expiry.NEVER))));
    for (Runnable put : blind) {
      space.clear();
      build(ROW, 0, LARGE);
      assertThat(isKnown(ROW)).isTrue();
      put.run();
      assertThat(isKnown(ROW)).isFalse();
    }
  }

  @Test
  void aRowWithAnythingInItIsNotKnown() {
    space.put(ROW, key(0), key(0), Expiry.NEVER);
    build(ROW, KEYS, KEYS + LARGE);
    assertThat(isKnown(ROW)).isFalse();
  }

  @Test
  void theFiltersOfAllRowsHaveAnEnd() {
    BuiltRows rows = new BuiltRows();
    int row = 0;
    do {
      rows.begin(1, key(row++), 1, Stream.of(key(0)));
    } while (rows.of(1, key(0)) != null);
    long each = rowFilter(1).bytes();
    assertThat(row * each).isBetween(BuiltRows.MAX_BYTES, BuiltRows.MAX_BYTES + each);
  }

  private static RowFilter rowFilter(int keys) {
    RowFilter filter = new RowFilter(1);
    IntStream.range(0, keys).forEach(i -> filter.add(key(i)));
    return filter;
  }

  @Test
  void aFilterHasRoomForWhatIsExpected() {
    RowFilter filter = new RowFilter(50_000);
    IntStream.range(0, 50_000).forEach(i -> filter.add(key(i)));
    long bytes = filter.bytes();
    IntStream.range(50_000, 65_000).forEach(i -> filter.add(key(i)));
    assertThat(filter.bytes()).isEqualTo(bytes).isLessThan(50_000 * 3);
  }

  @Test
  void aFilterNeverMissesWhatWasAddedAndSeldomSeesWhatWasNot() {
    for (int keys : new int[] {1, 4_096, 4_097, 100_000}) {
      RowFilter filter = rowFilter(keys);
      assertThat(IntStream.range(0, keys).allMatch(i -> filter.mayHave(key(i)))).isTrue();
      long seen = IntStream.range(keys, keys + 100_000).filter(i -> filter.mayHave(key(i))).count();
      assertThat(seen).as("of 100,000 beside %d", keys).isLessThan(4_000);
      assertThat(filter.bytes()).isLessThanOrEqualTo(Math.max(4_096, keys) * 5L);
    }
  }

  /** Batches of any size, blind puts, removals and clears, in two rows beside a model of each. */
  @Test
  void countsAndReadsAreThoseOfAModel() {
    for (long seed : Seeds.all().toArray()) {
      space.clear();
      Random random = new Random(seed);
      List<Map<String, Boolean>> models = List.of(new HashMap<>(), new HashMap<>());
      int known = 0;
      for (int step = 0; step < STEPS; step++) {
        int which = random.nextInt(2);
        change(random, which == 0 ? ROW : OTHER_ROW, models.get(which));
        if (random.nextInt(20) == 0) {
          space.clear();
          models.forEach(Map::clear);
        }
        for (int i = 0; i < 2; i++) {
          byte[] row = i == 0 ? ROW : OTHER_ROW;
          known += isKnown(row) ? 1 : 0;
          assertThat(space.count(row))
              .as("seed %d, step %d", seed, step)
              .isEqualTo(models.get(i).values().stream().filter(counted -> counted).count());
        }
      }
      assertThat(known).as("seed %d", seed).isPositive();
      assertThat(engine.verify(VerifyOptions.defaults(), RecordChecks.NONE).isClean()).isTrue();
    }
  }

  /** Changes a row and its model, which says of each key that is there whether it is counted. */
  private void change(Random random, byte[] row, Map<String, Boolean> model) {
    int size = random.nextInt(10) == 0 ? random.nextInt(1, 64) : random.nextInt(64, 200);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      keys.add(key(random.nextInt(KEYS)));
    }
    if (random.nextInt(30) == 0) {
      byte[] key = keys.get(0);
      if (model.putIfAbsent(new String(key, StandardCharsets.US_ASCII), false) == null) {
        space.put(row, key, key, Expiry.NEVER);
      }
      return;
    }
    boolean reading = random.nextBoolean();
    boolean removing = random.nextInt(4) == 0;
    space.transact(
        row,
        transaction -> {
          if (reading) {
            List<RowRecord> found = transaction.getAll(keys);
            for (int i = 0; i < size; i++) {
              boolean there = model.containsKey(new String(keys.get(i), StandardCharsets.US_ASCII));
              assertThat(found.get(i) != null).isEqualTo(there);
            }
          }
          for (byte[] key : keys) {
            if (removing) {
              transaction.delete(key);
            } else {
              transaction.putCounted(key, key, Expiry.NEVER);
            }
          }
          return null;
        });
    for (byte[] key : keys) {
      String name = new String(key, StandardCharsets.US_ASCII);
      if (removing) {
        model.remove(name);
      } else {
        model.put(name, true);
      }
    }
  }
}
