package io.rockpool.internal.rocksdb.rows;

import static io.rockpool.testing.NumberedRow.ROW;
import static io.rockpool.testing.NumberedRow.key;
import static io.rockpool.testing.NumberedRow.number;
import static io.rockpool.testing.NumberedRow.poll;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.SpaceView;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.StoreExtension;
import io.rockpool.testing.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;

/** What reads outside of transactions learn of where a row is empty. */
@Timeout(60)
final class FirstLookTest {
  private static final byte[] OTHER_ROW = {2};
  private static final int KEYS = 64;

  /** So many that to pass them takes long on any machine. */
  private static final int MANY = 10_000;

  private final FakeClock clock = new FakeClock();

  @RegisterExtension
  final StoreExtension<RocksDbEngine> store =
      StoreExtension.ofEngine(options -> options.clock(clock).reclaimPeriod(Duration.ofDays(1)));

  private RocksDbEngine engine;
  private Space space;

  @BeforeEach
  void open() {
    engine = store.get();
    space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
  }

  private static RowRecord record(int number) {
    return new RowRecord(ROW, key(number), key(number), Expiry.NEVER);
  }

  /** From {@code low} to below {@code high}. */
  private static SortRange range(int low, int high) {
    return SortRange.all().from(key(low), true).to(key(high), false);
  }

  private void fill(int records) {
    space.putAll(IntStream.range(0, records).mapToObj(FirstLookTest::record).toList());
  }

  private void delete(int from, int to) {
    space.deleteAll(
        IntStream.range(from, to).mapToObj(number -> new RecordKey(ROW, key(number))).toList());
  }

  private void transactPut(int number, long expiryMillis) {
    space.transact(
        ROW,
        row -> {
          row.putCounted(key(number), key(number), expiryMillis);
          return null;
        });
  }

  private void remove(int number) {
    space.transact(
        ROW,
        row -> {
          row.delete(key(number));
          return null;
        });
  }

  private static List<Integer> read(
      SpaceView view, SortRange range, Direction direction, int limit) {
    List<Integer> found = new ArrayList<>();
    try (Cursor cursor = view.scan(ROW, range, direction, limit)) {
      while (cursor.next()) {
        found.add(number(cursor.sortKey()));
      }
    }
    return found;
  }

  private @Nullable Integer first(SortRange range, Direction direction) {
    List<Integer> found = read(space, range, direction, 1);
    return found.isEmpty() ? null : found.get(0);
  }

  private EmptyStretches.@Nullable Stretches stretches() {
    long generation = ((RocksDbSpace) space).generation();
    return EngineInternals.of(engine).emptyStretches().of(generation, ROW);
  }

  /** How many removed records a read passes, as RocksDB counts them. */
  private long passed(Runnable read) {
    RocksDB database = EngineInternals.of(engine).database().nativeDatabase();
    database.setPerfLevel(PerfLevel.ENABLE_TIME_EXCEPT_FOR_MUTEX);
    try (PerfContext counts = database.getPerfContext()) {
      counts.reset();
      read.run();
      return counts.getInternalDeleteSkippedCount();
    } finally {
      database.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  private void readAndRemove(int number, Direction direction) {
    assertThat(first(SortRange.all(), direction)).isEqualTo(number);
    remove(number);
  }

  @Test
  void whoReadsTheFirstAndRemovesItPassesNothingTwice() {
    fill(3 * MANY);
    delete(0, MANY);
    delete(2 * MANY, 3 * MANY);
    assertThat(passed(() -> first(SortRange.all(), Direction.FORWARD)))
        .as("the first reads of all")
        .isGreaterThanOrEqualTo(MANY);
    first(SortRange.all(), Direction.BACKWARD);
    int taken = 200;
    long passed =
        passed(
            () -> {
              for (int i = 0; i < taken; i++) {
                readAndRemove(MANY + i, Direction.FORWARD);
                readAndRemove(2 * MANY - 1 - i, Direction.BACKWARD);
              }
            });
    assertThat(passed).as("removed records passed").isLessThanOrEqualTo(2L * taken);
    assertThat(stretches().count()).isEqualTo(2);
  }

  /** As by a worker that reads in one transaction and removes in another. */
  @Test
  void aTransactionThatReadsAloneLearnsFromALongLook() {
    fill(2 * MANY);
    delete(0, MANY);
    Runnable read =
        () -> space.transact(ROW, row -> row.scan(SortRange.all(), Direction.FORWARD, 1));
    assertThat(passed(read)).isGreaterThanOrEqualTo(MANY);
    assertThat(passed(read)).isZero();
  }

  @Test
  void whatHasExpiredIsThereAgainWhenTheClockIsSetBack() {
    fill(3 * MANY);
    long now = clock.millis();
    space.put(ROW, key(MANY), key(MANY), now + 1);
    delete(0, MANY);
    delete(MANY + 1, 2 * MANY);
    clock.advanceMillis(1);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(2 * MANY);
    assertThat(stretches().without(SortRange.all(), true).from()).isEqualTo(key(MANY));
    clock.setMillis(now);
    assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(MANY);
    assertThat(first(SortRange.all().to(key(2 * MANY), false), Direction.BACKWARD)).isEqualTo(MANY);
  }

  @Test
  void whatIsPutBeforeTheFirstStepIsFoundAfterIt() {
    EngineInternals.of(engine).emptyStretches().learnFromEveryLook();
    fill(3);
    readAndRemove(0, Direction.FORWARD);
    delete(1, 2);
    try (Cursor cursor = space.scan(ROW, SortRange.all(), Direction.FORWARD, 1)) {
      space.putAll(List.of(record(1)));
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.sortKey()).as("as it was when the cursor was made").isEqualTo(key(2));
    }
    readAndRemove(1, Direction.FORWARD);
    readAndRemove(2, Direction.FORWARD);
  }

  @Test
  void aSnapshotNeitherLearnsNorUses() {
    EngineInternals.of(engine).emptyStretches().learnFromEveryLook();
    fill(3);
    try (SpaceSnapshot before = space.snapshot()) {
      delete(0, 2);
      try (SpaceSnapshot after = space.snapshot()) {
        assertThat(read(after, SortRange.all(), Direction.FORWARD, 1)).containsExactly(2);
        assertThat(stretches()).isNull();
      }
      assertThat(first(SortRange.all(), Direction.FORWARD)).isEqualTo(2);
      assertThat(stretches()).isNotNull();
      assertThat(read(before, SortRange.all(), Direction.FORWARD, 9)).containsExactly(0, 1, 2);
    }
  }

  @Test
  void nobodyIsWaitedFor() {
    EngineInternals.of(engine).emptyStretches().learnFromEveryLook();
    fill(1);
    space.transact(
        ROW,
        row -> {
          CompletableFuture<@Nullable Integer> other =
              CompletableFuture.supplyAsync(() -> first(SortRange.all(), Direction.FORWARD));
          assertThat(other.join()).isZero();
          return null;
        });
    assertThat(stretches()).isNull();
  }

  @Test
  void everyReadIsThatOfAModelWhereverTheClockGoes() {
    EngineInternals.of(engine).emptyStretches().learnFromEveryLook();
    for (long seed : Seeds.all().toArray()) {
      space.clear();
      NavigableMap<Integer, Long> model = new TreeMap<>();
      Random random = new Random(seed);
      for (int step = 0; step < 2_000; step++) {
        int low = random.nextInt(3) == 0 ? random.nextInt(KEYS) : 0;
        int high = random.nextInt(3) == 0 ? low + random.nextInt(KEYS) : KEYS;
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
        Integer expected = firstLive(model.subMap(low, true, high, false), direction);
        long expiry = random.nextBoolean() ? Expiry.NEVER : clock.millis() + random.nextInt(50);
        String where = "seed %d, step %d".formatted(seed, step);
        switch (random.nextInt(10)) {
          case 0 -> {
            assertThat(poll(space, range(low, high), direction)).as(where).isEqualTo(expected);
            model.remove(expected == null ? -1 : expected);
          }
          case 1 -> {
            transactPut(low, expiry);
            model.put(low, expiry);
          }
          case 2 -> {
            space.put(ROW, key(low), key(low), expiry);
            model.put(low, expiry);
          }
          case 3 -> {
            int removed = random.nextInt(KEYS);
            remove(removed);
            model.remove(removed);
          }
          case 4 -> clock.advanceMillis(random.nextInt(30));
          case 5 -> clock.advanceMillis(-random.nextInt(30));
          default -> assertThat(first(range(low, high), direction)).as(where).isEqualTo(expected);
        }
        if (step == 1_000) {
          engine.reclaim();
          model.values().removeIf(until -> Expiry.isPast(until, clock));
        }
      }
    }
  }

  private @Nullable Integer firstLive(NavigableMap<Integer, Long> part, Direction direction) {
    return (direction == Direction.FORWARD ? part : part.descendingMap())
        .entrySet().stream()
            .filter(entry -> !Expiry.isPast(entry.getValue(), clock))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null);
  }

  /** Whoever reads without the lock finds all that was there the whole time. */
  @Test
  void noReaderMissesWhatIsThere() throws Exception {
    EngineInternals.of(engine).emptyStretches().learnFromEveryLook();
    for (long seed : Seeds.all().toArray()) {
      space.clear();
      AtomicIntegerArray stamps = new AtomicIntegerArray(KEYS);
      AtomicBoolean done = new AtomicBoolean();
      Threads.run(
          3,
          thread -> {
            Random random = new Random(seed + thread);
            if (thread > 0) {
              while (!done.get()) {
                readAll(stamps, random, "seed " + seed);
              }
              return;
            }
            try {
              for (int step = 0; step < 1_000; step++) {
                change(stamps, random, "seed %d, step %d".formatted(seed, step));
              }
            } finally {
              done.set(true);
            }
          });
      assertThat(read(space, SortRange.all(), Direction.FORWARD, KEYS))
          .as("seed " + seed)
          .isEqualTo(present(stamps));
    }
  }

  /** A stamp is odd from when its key was put until just before it is removed. */
  private static boolean isThere(int stamp) {
    return stamp % 2 == 1;
  }

  private static List<Integer> present(AtomicIntegerArray stamps) {
    return IntStream.range(0, KEYS).filter(i -> isThere(stamps.get(i))).boxed().toList();
  }

  private void readAll(AtomicIntegerArray stamps, Random random, String where) {
    boolean forward = random.nextBoolean();
    int low = random.nextInt(2) * random.nextInt(KEYS);
    int high = random.nextBoolean() ? KEYS : low + random.nextInt(KEYS - low);
    int limit = 1 + random.nextInt(3);
    int[] before = IntStream.range(0, KEYS).map(stamps::get).toArray();
    Direction direction = forward ? Direction.FORWARD : Direction.BACKWARD;
    List<Integer> found = new ArrayList<>();
    try (Cursor cursor = space.scan(ROW, range(low, high), direction, limit)) {
      for (int i = random.nextInt(4); i > 0; i--) {
        space.get(OTHER_ROW, key(i)); // so that changes come between the cursor and its first step
      }
      while (cursor.next()) {
        found.add(number(cursor.sortKey()));
      }
    }
    boolean toTheEnd = found.size() < limit;
    int from = forward || toTheEnd ? low : found.get(limit - 1);
    int to = !forward || toTheEnd ? high : found.get(limit - 1);
    List<Integer> surelyThere =
        IntStream.range(from, to)
            .filter(i -> isThere(before[i]) && stamps.get(i) == before[i])
            .boxed()
            .toList();
    assertThat(found).as(where).containsAll(surelyThere);
  }

  private void change(AtomicIntegerArray stamps, Random random, String where) {
    int number = random.nextInt(KEYS);
    boolean there = isThere(stamps.get(number));
    int way = random.nextInt(5);
    if (random.nextInt(500) == 0) {
      present(stamps).forEach(stamps::incrementAndGet);
      space.clear();
    } else if (random.nextInt(3) == 0) {
      Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
      List<Integer> present = present(stamps);
      int place = direction == Direction.FORWARD ? 0 : present.size() - 1;
      Integer expected = present.isEmpty() ? null : present.get(place);
      if (expected != null) {
        stamps.incrementAndGet(expected);
      }
      assertThat(poll(space, SortRange.all(), direction)).as(where).isEqualTo(expected);
    } else if (there) {
      stamps.incrementAndGet(number);
      removeIn(way, number);
    } else {
      putIn(way, number);
      stamps.incrementAndGet(number);
    }
  }

  private void removeIn(int way, int number) {
    switch (way) {
      case 0 -> space.delete(ROW, key(number));
      case 1 -> delete(number, number + 1);
      default -> remove(number);
    }
  }

  /** Every way by which something comes into a row. */
  private void putIn(int way, int number) {
    switch (way) {
      case 0 -> space.put(ROW, key(number), key(number), Expiry.NEVER);
      case 1 -> space.put(ROW, key(number), key(number), Expiry.MAX_MILLIS);
      case 2 -> space.putAll(List.of(record(number)));
      case 3 ->
          engine.atomically(
              () -> {
                space.put(OTHER_ROW, key(number), key(number), Expiry.NEVER);
                space.put(ROW, key(number), key(number), Expiry.NEVER);
                return null;
              });
      default -> transactPut(number, Expiry.NEVER);
    }
  }
}
