package io.rockpool.internal.rocksdb.natives;

import static io.rockpool.testing.NumberedRow.ROW;
import static io.rockpool.testing.NumberedRow.key;
import static io.rockpool.testing.NumberedRow.number;
import static io.rockpool.testing.NumberedRow.poll;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.internal.rocksdb.rows.RocksDbSpace;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.StoreExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows whose first or last records are taken again and again. */
@Timeout(60)
final class EmptyStretchesTest {
  private static final int KEYS = 200;
  private static final int STEPS = 3_000;

  @RegisterExtension final StoreExtension<RocksDbEngine> store = StoreExtension.ofEngine();

  private RocksDbEngine engine;
  private Space space;

  @BeforeEach
  void open() {
    engine = store.get();
    space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
  }

  private void put(int number) {
    space.transact(
        ROW,
        row -> {
          row.putCounted(key(number), key(number), Expiry.NEVER);
          return null;
        });
  }

  private @Nullable Integer first(SortRange range, Direction direction) {
    try (Cursor cursor = space.scan(ROW, range, direction, 1)) {
      return cursor.next() ? number(cursor.sortKey()) : null;
    }
  }

  private EmptyStretches.Stretches stretches() {
    long generation = ((RocksDbSpace) space).generation();
    return EngineInternals.of(engine).emptyStretches().of(generation, ROW);
  }

  private SortRange leftToRead(boolean forward) {
    return stretches().without(SortRange.all(), forward);
  }

  @Test
  void whoTakesTheFirstAgainReadsFromThere() {
    for (int i = 0; i < KEYS; i++) {
      put(i);
    }
    for (int i = 0; i < 50; i++) {
      assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isEqualTo(i);
      assertThat(poll(space, SortRange.all(), Direction.BACKWARD)).isEqualTo(KEYS - 1 - i);
    }
    assertThat(leftToRead(true).contains(key(49))).isFalse();
    assertThat(leftToRead(true).contains(key(50))).isTrue();
    assertThat(leftToRead(false).contains(key(KEYS - 50))).isFalse();
    assertThat(leftToRead(false).contains(key(KEYS - 51))).isTrue();
    put(20);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(20);
    assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isEqualTo(20);
    assertThat(leftToRead(true).contains(key(49))).as("both halves are one again").isFalse();
  }

  @Test
  void anEmptyRowIsReadOnce() {
    assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isNull();
    assertThat(leftToRead(true).isEmpty()).isTrue();
    assertThat(leftToRead(false).isEmpty()).isTrue();
    assertThat(first(SortRange.all(), Direction.BACKWARD)).isNull();
    space.put(ROW, key(7), key(7), Expiry.NEVER);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(7);
    assertThat(poll(space, SortRange.all(), Direction.BACKWARD)).isEqualTo(7);
    space.putAll(List.of(new RowRecord(ROW, key(8), key(8), Long.MAX_VALUE - 1)));
    assertThat(poll(space, SortRange.all(), Direction.BACKWARD)).isEqualTo(8);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isNull();
  }

  @Test
  void aRowThatIsFilledAfterItWasEmptyIsNotManyStretches() {
    poll(space, SortRange.all(), Direction.FORWARD);
    for (int i = 0; i < KEYS; i++) {
      put(i);
      assertThat(stretches().count()).isLessThanOrEqualTo(EmptyStretches.MAX_STRETCHES);
    }
    for (int i = 0; i < KEYS; i++) {
      assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isEqualTo(i);
    }
    assertThat(stretches().count()).isEqualTo(1);
  }

  @Test
  void longSortKeysBoundNone() {
    byte[] longKey = Arrays.copyOf(key(5), EmptyStretches.MAX_KEY_BYTES + 1);
    poll(space, SortRange.all(), Direction.FORWARD);
    long version = stretches().version();
    space.put(ROW, longKey, longKey, Expiry.NEVER);
    assertThat(stretches().count()).isZero();
    assertThat(stretches().version()).isGreaterThan(version);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(5);
    assertThat(poll(space, SortRange.all().from(key(5), false), Direction.FORWARD)).isEqualTo(5);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isNull();
  }

  @Test
  void aCallersArrayIsNotKept() {
    byte[] buffer = key(5);
    poll(space, SortRange.all(), Direction.FORWARD);
    space.put(ROW, buffer, key(0), Expiry.NEVER);
    System.arraycopy(key(9), 0, buffer, 0, buffer.length);
    space.put(ROW, buffer, key(0), Expiry.NEVER);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(5);
  }

  @Test
  void whatHasExpiredIsNotLearnedFrom() {
    space.put(ROW, key(1), key(1), 1);
    assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isNull();
    assertThat(
            EngineInternals.of(engine)
                .emptyStretches()
                .of(((RocksDbSpace) space).generation(), ROW))
        .isNull();
  }

  @Test
  void whatIsUndoneIsNotEmpty() {
    put(1);
    put(2);
    engine.atomically(
        () -> {
          try {
            engine.atomically(
                () -> {
                  assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isEqualTo(1);
                  assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isEqualTo(2);
                  throw new UnsupportedOperationException();
                });
          } catch (UnsupportedOperationException e) {
            // Undone.
          }
          return null;
        });
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(1);
    assertThat(poll(space, SortRange.all(), Direction.FORWARD)).isEqualTo(1);
  }

  @Test
  void everyReadIsThatOfAModel() {
    for (long seed : Seeds.all().toArray()) {
      space.clear();
      NavigableSet<Integer> model = new TreeSet<>();
      Random random = new Random(seed);
      for (int step = 0; step < STEPS; step++) {
        int low = random.nextInt(3) == 0 ? random.nextInt(KEYS) : 0;
        int high = random.nextInt(3) == 0 ? low + random.nextInt(KEYS) : KEYS;
        SortRange range = SortRange.all().from(key(low), true);
        range = high == KEYS ? range : range.to(key(high), false);
        NavigableSet<Integer> inRange = model.subSet(low, true, high, false);
        boolean forward = random.nextBoolean();
        Direction direction = forward ? Direction.FORWARD : Direction.BACKWARD;
        Integer expected = inRange.isEmpty() ? null : forward ? inRange.first() : inRange.last();
        String where = "seed %d, step %d".formatted(seed, step);
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> {
            assertThat(poll(space, range, direction)).as(where).isEqualTo(expected);
            model.remove(expected == null ? -1 : expected);
          }
          case 3, 4 -> {
            put(low);
            model.add(low);
          }
          case 5 -> {
            space.delete(ROW, key(low + KEYS)); // never there
            int removed = random.nextInt(KEYS);
            space.transact(
                ROW,
                row -> {
                  row.delete(key(removed));
                  return null;
                });
            model.remove(removed);
          }
          default -> assertThat(first(range, direction)).as(where).isEqualTo(expected);
        }
        if (random.nextInt(300) == 0) {
          space.clear();
          model.clear();
        }
      }
      List<Integer> all = new ArrayList<>();
      try (Cursor cursor = space.scan(ROW, SortRange.all(), Direction.FORWARD, KEYS)) {
        while (cursor.next()) {
          all.add(number(cursor.sortKey()));
        }
      }
      assertThat(all).containsExactlyElementsOf(model);
      assertThat(space.count(ROW)).isEqualTo(model.size());
    }
  }

  /** A reader without the lock sees what was put before it began. */
  @Test
  void aReaderBesideAWriterMissesNothing() {
    int keys = 3_000;
    for (int i = 0; i <= keys; i++) {
      put(i);
    }
    for (int i = 0; i < keys; i++) {
      poll(space, SortRange.all(), Direction.FORWARD);
    }
    AtomicInteger lowest = new AtomicInteger(keys);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = keys - 1; i >= 0; i--) {
                put(i);
                lowest.set(i);
              }
            });
    while (!writer.isDone()) {
      int before = lowest.get();
      assertThat(first(SortRange.all(), Direction.FORWARD)).isNotNull().isLessThanOrEqualTo(before);
    }
    writer.join();
    assertThat(first(SortRange.all(), Direction.FORWARD)).isZero();
  }
}
