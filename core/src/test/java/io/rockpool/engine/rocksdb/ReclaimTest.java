package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.upkeep.DeadGenerations;
import io.rockpool.store.ReclaimState;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** What was cleared, dropped or has expired leaves the disk. */
@Slow
@Timeout(60)
final class ReclaimTest {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final int RECORDS = 4_000;
  private static final int VALUE_BYTES = 1_000;

  /** What filling a space makes up. */
  private static final long FILL_BYTES = (long) RECORDS * VALUE_BYTES;

  @TempDir Path directory;
  private final FakeClock clock = new FakeClock();
  private final Random random = new Random(1);
  private RocksDbEngine engine;

  @BeforeEach
  void open() {
    open(NEVER);
  }

  private void open(Duration reclaimPeriod) {
    engine =
        RocksDbEngine.open(
            directory, RocksDbOptions.builder().clock(clock).reclaimPeriod(reclaimPeriod).build());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Space create(String name, Layout layout) {
    return engine.create(new SpaceSpec(name, layout, Map.of()));
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /**
   * Puts as many records as make up the same number of bytes, whatever the size of their values.
   */
  private void fill(Space space, int valueBytes, long expiryMillis) {
    fill(space, valueBytes, expiryMillis, 0);
  }

  private void fill(Space space, int valueBytes, long expiryMillis, int firstKey) {
    List<RowRecord> records = new ArrayList<>();
    for (int i = 0; i < FILL_BYTES / valueBytes; i++) {
      byte[] value = new byte[valueBytes];
      random.nextBytes(value);
      records.add(new RowRecord(key(firstKey + i), Space.NO_SORT_KEY, value, expiryMillis));
    }
    space.putAll(records);
  }

  /** Makes files of what is in memory. */
  private void flush() throws RocksDBException {
    try (FlushOptions wait = new FlushOptions()) {
      for (ColumnFamily family : ColumnFamily.values()) {
        Database database = engine.internals().database();
        database.nativeDatabase().flush(wait, database.handle(family));
      }
    }
  }

  @Test
  void endsWhileOthersClearWithoutEnd() throws Exception {
    Space space = create("cleared", Layout.ROWS);
    space.clear();
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger clears = new AtomicInteger();
    Threads.Running<Boolean> clearing =
        Threads.start(
            () -> {
              while (!done.get()) {
                space.put(key(0), Space.NO_SORT_KEY, key(0), Expiry.NEVER);
                space.clear();
                clears.incrementAndGet();
              }
              return true;
            });
    try {
      while (clears.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(Threads.start(engine::reclaim).result().clears()).isPositive();
    } finally {
      done.set(true);
    }
    assertThat(clearing.result()).isTrue();
    engine.reclaim();
    assertThat(engine.reclaimState().pendingClears()).isZero();
  }

  private int records(ColumnFamily family) {
    return RawRecords.count(engine, family);
  }

  private static int records(Space space) {
    try (Cursor cursor = space.scanAll()) {
      return records(cursor);
    }
  }

  private static int records(Cursor cursor) {
    int records = 0;
    while (cursor.next()) {
      records++;
    }
    return records;
  }

  private void assertNothingPending() {
    ReclaimState state = engine.reclaimState();
    assertThat(state.pendingClears()).isZero();
    assertThat(state.heldClears()).isZero();
    assertThat(state.overdueMillis()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void whatWasClearedLeavesTheDisk(Layout layout) throws Exception {
    Space kept = create("kept", layout);
    Space cleared = create("cleared", layout);
    Space dropped = create("dropped", layout);
    for (Space space : List.of(cleared, kept, dropped)) {
      fill(space, VALUE_BYTES, Expiry.NEVER);
    }
    flush();
    ColumnFamily family = RecordLayout.of(layout).family();
    long full = tableBytes(family);
    cleared.clear();
    engine.drop("dropped");
    ReclaimState before = engine.reclaimState();
    assertThat(before.pendingClears()).isEqualTo(2);
    assertThat(before.pendingBytes()).isBetween(full / 3, full);
    assertThat(engine.reclaim().clears()).isEqualTo(2);
    assertThat(records(family)).isEqualTo(RECORDS);
    assertThat(records(kept)).isEqualTo(RECORDS);
    assertThat(tableBytes(family)).isLessThan(full / 2);
    assertNothingPending();
    assertThat(engine.reclaimState().total().clearedBytes()).isBetween(full / 3, full);
  }

  private long tableBytes(ColumnFamily family) throws RocksDBException {
    Database database = engine.internals().database();
    return database
            .nativeDatabase()
            .getLongProperty(database.handle(family), "rocksdb.total-sst-files-size")
        + database
            .nativeDatabase()
            .getLongProperty(database.handle(family), "rocksdb.total-blob-file-size");
  }

  /** Values with files of their own: the file of a dead space goes, also behind one that lives. */
  @Test
  void largeValuesLeaveTheDiskToo() throws Exception {
    int valueBytes = 64 << 10;
    Space kept = create("kept", Layout.ROWS);
    fill(kept, valueBytes, Expiry.NEVER);
    flush();
    Space cleared = create("cleared", Layout.ROWS);
    for (int i = 0; i < 3; i++) {
      fill(cleared, valueBytes, Expiry.NEVER);
      flush();
      cleared.clear();
    }
    long full = tableBytes(ColumnFamily.ROWS);
    engine.reclaim();
    assertThat(tableBytes(ColumnFamily.ROWS)).isLessThan(full / 2);
    assertThat(records(kept)).isEqualTo(records(ColumnFamily.ROWS));
    assertNothingPending();
  }

  @Test
  void theIndexOfWhatExpiresForgetsWhatWasCleared() {
    Space kept = create("kept", Layout.ROWS);
    Space cleared = create("cleared", Layout.ROWS);
    long far = clock.millis() + Duration.ofDays(3_650).toMillis();
    fill(kept, VALUE_BYTES, far);
    fill(cleared, VALUE_BYTES, far);
    cleared.clear();
    fill(cleared, VALUE_BYTES, far);
    engine.reclaim();
    assertThat(records(ColumnFamily.EXPIRIES)).isEqualTo(2 * RECORDS);
    assertThat(records(ColumnFamily.ROWS)).isEqualTo(2 * RECORDS);
  }

  @Test
  void theIndexHoldsEachRecordOfTransactionsOnce() {
    Space rows = create("rows", Layout.ROWS);
    for (int i = 1; i <= 10; i++) {
      long expiry = clock.millis() + i * 1_000L;
      rows.transact(
          key(0),
          row -> {
            row.putCounted(key(1), key(1), expiry);
            row.put(key(2), key(2), expiry);
            row.put(key(3), key(3), expiry);
            return expiry;
          });
    }
    assertThat(records(ColumnFamily.EXPIRIES)).isEqualTo(3);
    rows.transact(
        key(0),
        row -> {
          row.delete(key(1));
          row.put(key(2), key(2), Expiry.NEVER);
          return row;
        });
    assertThat(records(ColumnFamily.EXPIRIES)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatHasExpiredLeavesTheDisk(boolean reopened) throws Exception {
    Space rows = create("rows", Layout.ROWS);
    long expiry = clock.millis() + 1_000;
    fill(rows, VALUE_BYTES, expiry);
    fill(create("kept", Layout.ROWS), VALUE_BYTES, expiry + 1);
    flush();
    if (reopened) {
      close();
      open();
    }
    clock.setMillis(expiry + 500);
    engine.reclaim();
    assertThat(records(ColumnFamily.ROWS)).isZero();
    assertThat(records(ColumnFamily.EXPIRIES)).isZero();
    assertThat(engine.reclaimState().total().expiredRecords()).isEqualTo(2 * RECORDS);
    assertThat(tableBytes(ColumnFamily.ROWS)).isLessThan(FILL_BYTES / 10);
  }

  @Test
  void aSpaceThatNoOneComesBackToIsGivenBack() {
    Space rows = create("rows", Layout.ROWS);
    fill(rows, VALUE_BYTES, Expiry.NEVER);
    rows.expireAt(clock.millis() + 1_000);
    close();
    open();
    clock.advanceMillis(1_000);
    assertThat(engine.reclaim().clears()).isEqualTo(1);
    assertThat(records(ColumnFamily.ROWS)).isZero();
    assertNothingPending();
  }

  @Test
  void aSnapshotHoldsWhatItShowsAndNothingElse() throws Exception {
    Space cleared = create("cleared", Layout.ENTRIES);
    Space later = create("later", Layout.ENTRIES);
    fill(cleared, VALUE_BYTES, Expiry.NEVER);
    flush();
    try (SpaceSnapshot snapshot = cleared.snapshot()) {
      cleared.clear();
      engine.reclaim();
      assertThat(engine.reclaimState().heldClears()).isEqualTo(1);
      assertThat(records(ColumnFamily.ENTRIES)).isEqualTo(RECORDS);
      fill(later, VALUE_BYTES, Expiry.NEVER);
      assertThat(snapshot.splits(4)).isNotEmpty();
      try (Cursor cursor = snapshot.scanAll()) {
        assertThat(records(cursor)).isEqualTo(RECORDS);
      }
    }
    engine.reclaim();
    assertThat(records(ColumnFamily.ENTRIES)).isEqualTo(RECORDS);
    assertNothingPending();
  }

  /** One that was opened after the death of a generation holds its disk, until it is closed. */
  @Test
  void snapshotsThatAlwaysOverlapHoldNothingForEver() throws Exception {
    Space cleared = create("cleared", Layout.ENTRIES);
    fill(cleared, VALUE_BYTES, Expiry.NEVER);
    flush();
    SpaceSnapshot open = cleared.snapshot();
    cleared.clear();
    for (int i = 0; i < 4; i++) {
      engine.reclaim();
      SpaceSnapshot next = cleared.snapshot();
      open.close();
      open = next;
      cleared.put(key(i), Space.NO_SORT_KEY, key(i), Expiry.NEVER);
    }
    assertThat(records(ColumnFamily.ENTRIES)).isEqualTo(4);
    assertThat(tableBytes(ColumnFamily.ENTRIES)).isLessThan(FILL_BYTES / 10);
    assertNothingPending();
    open.close();
  }

  @Test
  void aCursorGoesOnWhereItWas() throws Exception {
    Space cleared = create("cleared", Layout.ROWS);
    fill(cleared, VALUE_BYTES, Expiry.NEVER);
    flush();
    try (Cursor cursor = cleared.scanAll()) {
      assertThat(cursor.next()).isTrue();
      cleared.clear();
      engine.reclaim();
      assertThat(records(ColumnFamily.ROWS)).isZero();
      assertThat(records(cursor)).isEqualTo(RECORDS - 1);
    }
  }

  @Test
  void manySmallClearsTakeLittle() {
    Space space = create("space", Layout.ENTRIES);
    for (int i = 0; i < 2_000; i++) {
      space.put(key(i), Space.NO_SORT_KEY, key(i), Expiry.NEVER);
      space.clear();
    }
    assertThat(engine.reclaim().clears()).isEqualTo(2_000);
    assertThat(records(ColumnFamily.ENTRIES)).isZero();
    assertNothingPending();
  }

  /** A transaction that began in a generation sees all of it, or runs again. */
  @Test
  void aTransactionNeverSeesHalfOfWhatIsReclaimed() throws Exception {
    Space rows = create("rows", Layout.ROWS);
    Thread reclaiming = new Thread(() -> engine.reclaim());
    boolean[] seen = new boolean[2];
    rows.put(key(0), key(0), key(0), Expiry.NEVER);
    rows.put(key(1), key(1), key(1), Expiry.NEVER);
    engine.atomically(
        () -> {
          seen[0] = rows.get(key(0), key(0)) != null;
          if (!reclaiming.isAlive() && seen[0]) {
            Thread clearing = new Thread(rows::clear);
            clearing.start();
            join(clearing);
            reclaiming.start();
            // Long enough for it to do harm, if it did not wait for this transaction.
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
          }
          seen[1] = rows.get(key(1), key(1)) != null;
          assertThat(seen[1]).isEqualTo(seen[0]);
          return seen;
        });
    join(reclaiming);
    assertThat(seen).containsExactly(false, false);
    assertThat(records(ColumnFamily.ROWS)).isZero();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void itHappensByItself() throws Exception {
    close();
    open(Duration.ofMillis(1));
    Space rows = create("rows", Layout.ROWS);
    fill(rows, VALUE_BYTES, clock.millis() + 1);
    flush();
    Space cleared = create("cleared", Layout.ROWS);
    for (int i = 0; i < 5; i++) {
      fill(cleared, VALUE_BYTES, Expiry.NEVER, i * RECORDS);
    }
    assertThat(5 * FILL_BYTES).isGreaterThan(DeadGenerations.SETTLED_BYTES);
    flush();
    cleared.clear();
    clock.advanceMillis(1);
    while (records(ColumnFamily.ROWS) > 0 || engine.reclaimState().pendingClears() > 0) {
      Thread.sleep(5);
    }
    assertThat(engine.reclaimState().total().expiredRecords()).isEqualTo(RECORDS);
    assertThat(tableBytes(ColumnFamily.ROWS)).isLessThan(2 * FILL_BYTES);
  }

  /** Many deletions are made a file of, and RocksDB merges that by itself. */
  @Test
  void whatHasExpiredLeavesTheDiskByItself() throws Exception {
    close();
    open(Duration.ofMillis(1));
    fill(create("rows", Layout.ROWS), VALUE_BYTES / 4, clock.millis() + 1);
    flush();
    long full = tableBytes(ColumnFamily.ROWS);
    assertThat(full).isGreaterThan(FILL_BYTES);
    clock.advanceMillis(1);
    while (tableBytes(ColumnFamily.ROWS) > full / 10) {
      Thread.sleep(5);
    }
    assertThat(records(ColumnFamily.ROWS)).isZero();
  }

  @Test
  void whatHasMuchToSweepKeepsNothingElseWaiting() throws Exception {
    close();
    open(Duration.ofMillis(1));
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger steps = new AtomicInteger();
    BooleanSupplier endless = () -> steps.incrementAndGet() > 0;
    engine.whenReclaiming(
        () -> {
          asked.incrementAndGet();
          return List.of(endless, endless);
        });
    nextMinute(asked);
    fill(create("rows", Layout.ROWS), VALUE_BYTES, clock.millis() + 1);
    Space expiring = create("expiring", Layout.ROWS);
    fill(expiring, VALUE_BYTES, Expiry.NEVER);
    expiring.expireAt(clock.millis() + 1);
    nextMinute(asked);
    while (records(ColumnFamily.ROWS) > 0 || engine.reclaimState().pendingClears() > 0) {
      Thread.sleep(5);
    }
    int before = steps.get();
    while (steps.get() == before) {
      Thread.sleep(5);
    }
  }

  private void nextMinute(AtomicInteger asked) throws InterruptedException {
    int before = asked.get();
    clock.advanceMillis(Duration.ofMinutes(1).toMillis());
    while (asked.get() == before) {
      Thread.sleep(5);
    }
  }

  @Test
  void aSweepThatFailsEndsAndTheOthersGoOn() {
    IllegalArgumentException failure = new IllegalArgumentException("It could not be read.");
    AtomicInteger others = new AtomicInteger();
    engine.whenReclaiming(
        () ->
            List.of(
                () -> {
                  throw failure;
                },
                () -> others.incrementAndGet() % 3 != 0));
    fill(create("rows", Layout.ROWS), VALUE_BYTES, clock.millis() + 1);
    clock.advanceMillis(1);
    assertThatThrownBy(engine::reclaim).isSameAs(failure);
    assertThat(others).hasValue(3);
    assertThat(records(ColumnFamily.ROWS)).isZero();
  }

  @Test
  void closingDoesNotWaitForIt() throws Exception {
    close();
    open(Duration.ofMillis(1));
    for (int i = 0; i < 10; i++) {
      Space space = create("space", Layout.ENTRIES);
      fill(space, VALUE_BYTES, Expiry.NEVER);
      engine.drop("space");
      engine.close();
      open(Duration.ofMillis(1));
    }
    close();
    open();
    engine.reclaim();
    assertThat(records(ColumnFamily.ENTRIES)).isZero();
    assertNothingPending();
  }
}
