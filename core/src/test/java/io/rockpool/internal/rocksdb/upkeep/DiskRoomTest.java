package io.rockpool.internal.rocksdb.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.store.DiskState;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store takes no more than it may, and leaves free what it is to leave. */
@Slow
@Timeout(60)
final class DiskRoomTest {
  private static final int VALUE_BYTES = 4_000;
  private static final long BUDGET = 16L << 20;

  /** What alone is within the budget, and twice is beyond it. */
  private static final int MANY = 2_500;

  private static final Duration NEVER = Duration.ofDays(1);
  private static final Duration SOON = Duration.ofMillis(20);

  @TempDir Path directory;
  private final Random random = new Random(Seeds.all().findFirst().orElse(1));

  private static Rockpool open(Path where, long budget, long floor, Duration period) {
    return Rockpool.at(
            o ->
                RocksDbEngine.open(
                    where,
                    RocksDbOptions.builder()
                        .memoryBudgetBytes(8 << 20)
                        .diskBudgetBytes(budget)
                        .freeSpaceFloorBytes(floor)
                        .reclaimPeriod(period)
                        .build()))
        .open();
  }

  private byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private Map<Integer, byte[]> values(int from, int to) {
    Map<Integer, byte[]> values = new HashMap<>();
    for (int key = from; key < to; key++) {
      values.put(key, value());
    }
    return values;
  }

  private static PersistentCache<Integer, byte[]> cache(Rockpool pool, String name) {
    return pool.cache(name, Integer.class, byte[].class, o -> o.hotEntries(0));
  }

  private static PersistentMap<Integer, byte[]> map(Rockpool pool) {
    return pool.map("map", Integer.class, byte[].class);
  }

  /** Writes in one transaction, so that the store measures neither before nor in the middle. */
  private static void atOnce(Rockpool pool, Runnable writes) {
    pool.atomically(
        transaction -> {
          writes.run();
          return transaction;
        });
  }

  private static int size(Iterable<?> elements) {
    int size = 0;
    for (Object unused : elements) {
      size++;
    }
    return size;
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain until " + what).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Test
  void collectionsRefuseWhatAddsAndGoOnOtherwise() {
    try (Rockpool pool = open(directory, BUDGET, 0, NEVER)) {
      PersistentMap<Integer, byte[]> map = map(pool);
      PersistentDeque<String> deque = pool.deque("deque", String.class);
      PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
      PersistentCache<Integer, byte[]> cache = cache(pool, "cache");
      deque.add("a");
      deque.add("b");
      scores.add("one", 1);
      scores.add("two", 2);
      Map<Integer, byte[]> values = values(0, 2 * MANY);
      atOnce(pool, () -> map.putAll(values));
      pool.reclaim();

      DiskState state = pool.state().disk();
      assertThat(state.refusing()).isTrue();
      assertThat(state.refusingEntries()).isFalse();
      assertThat(state.takenBytes()).isGreaterThan(BUDGET);
      assertThat(state.budgetBytes()).isEqualTo(BUDGET);
      assertThatThrownBy(() -> map.put(-1, value()))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("its budget of " + BUDGET)
          .hasMessageContaining(directory.toString());
      assertThatThrownBy(() -> deque.add("c")).isInstanceOf(StoreFullException.class);
      assertThatThrownBy(
              () -> pool.atomically(tx -> map.put(-1, value()) == null && deque.add("c")))
          .isInstanceOf(StoreFullException.class);
      assertThat(map).doesNotContainKey(-1).hasSize(2 * MANY);
      assertThat(map.get(7)).isEqualTo(values.get(7));
      assertThat(map.remove(7)).isEqualTo(values.get(7));
      assertThat(deque.poll()).isEqualTo("a");
      assertThat(scores.remove("one")).isTrue();
      cache.put(1, value());
      assertThat(cache.get(1)).isNotNull();

      map.clear();
      pool.reclaim();
      assertThat(pool.state().disk().refusing()).isFalse();
      map.put(-1, value());
      deque.add("c");
      assertThat(map).hasSize(1);
      assertThat(deque).containsExactly("b", "c");
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void whatIsRemovedOneByOneMakesRoomToo() {
    try (Rockpool pool = open(directory, BUDGET, 0, NEVER)) {
      PersistentMap<Integer, byte[]> map = map(pool);
      atOnce(pool, () -> map.putAll(values(0, 2 * MANY)));
      pool.reclaim();
      assertThatThrownBy(() -> map.put(-1, value())).isInstanceOf(StoreFullException.class);
      for (int key = 0; key < 2 * MANY; key += 2) {
        assertThat(map.remove(key)).isNotNull();
      }
      pool.reclaim();
      map.put(-1, value());
      assertThat(map).hasSize(MANY + 1);
    }
  }

  /** What is added is compared with what is removed: one deletion opens no writePath. */
  @Test
  void aTransactionThatRemovesLittleAndAddsMuchIsRefused() {
    try (Rockpool pool = open(directory, BUDGET, 0, NEVER)) {
      PersistentMap<Integer, byte[]> map = map(pool);
      PersistentTable<Integer, Integer, byte[]> table =
          pool.table("table", Integer.class, Integer.class, byte[].class);
      PersistentDeque<byte[]> deque = pool.deque("deque", byte[].class);
      table.put(1, 1, new byte[10]);
      table.put(1, 2, value());
      deque.addAll(List.of(value(), new byte[10], value()));
      for (int i = 0; i < 17; i++) { // until the next one there has to move its neighbours
        deque.insertAfter(new byte[10], new byte[11]);
      }
      atOnce(pool, () -> map.putAll(values(0, 2 * MANY)));
      pool.reclaim();
      assertThat(pool.state().disk().refusing()).isTrue();
      List<Runnable> refused =
          List.of(
              () ->
                  pool.atomically(
                      tx -> {
                        map.remove(1);
                        map.putAll(values(-100, 0));
                        return tx;
                      }),
              () ->
                  pool.atomically(
                      tx -> {
                        map.remove(Integer.MAX_VALUE); // is not there
                        return map.put(-1, value()) == null;
                      }),
              () -> table.mutate(1, new Mutations<Integer, byte[]>().remove(1).put(3, value())),
              () -> deque.insertAfter(new byte[10], value()));
      for (Runnable write : refused) {
        assertThatThrownBy(write::run).isInstanceOf(StoreFullException.class);
      }
      assertThat(map).hasSize(2 * MANY);
      assertThat(deque).hasSize(20);
      // What takes less than it removes may go on.
      pool.atomically(
          tx -> {
            map.remove(1);
            return map.put(-1, new byte[100]) == null;
          });
      assertThat(table.mutate(1, new Mutations<Integer, byte[]>().remove(2).put(3, new byte[10])))
          .isEqualTo(2);
      pool.atomically(tx -> deque.pollFirst() != null && deque.removeIf(v -> v.length == 11));
      assertThat(deque).hasSize(2);
      assertThat(map).containsKey(-1).doesNotContainKey(1);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void aFloorOrBudgetAsLargeAsCanBeIsNoLess() {
    for (long bytes : List.of(Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 11 * 10 + 20)) {
      StoreDirectory home = StoreDirectory.open(directory.resolve("store"), true);
      try {
        home.database().toFile().mkdirs();
        DiskRoom room = new DiskRoom(home, bytes, bytes);
        assertThat(room.look(0, Long.MAX_VALUE).bytes()).isGreaterThan(Long.MAX_VALUE / 11 * 10);
        assertThat(room.look(Long.MAX_VALUE, Long.MAX_VALUE).refusal()).isNotNull();
      } finally {
        home.close();
      }
    }
  }

  @Test
  void cachesGiveWayFirstAndEachTheSamePart() {
    try (Rockpool pool = open(directory, BUDGET, 0, NEVER)) {
      PersistentMap<Integer, byte[]> map = map(pool);
      map.putAll(values(0, MANY));
      PersistentCache<Integer, byte[]> large = cache(pool, "large");
      PersistentCache<Integer, byte[]> small = cache(pool, "small");
      atOnce(
          pool,
          () -> {
            large.putAll(values(0, MANY));
            small.putAll(values(0, MANY / 2));
          });
      small.close(); // also of a cache that is not open
      pool.reclaim();

      map.put(-1, value());
      assertThat(pool.state().disk().refusing()).isFalse();
      assertThat(pool.state().disk().takenBytes()).isLessThan(BUDGET + BUDGET / 5);
      int inLarge = size(large);
      int inSmall = size(cache(pool, "small"));
      // What is left has about a tenth of the budget to spare: logs are no reason to evict more.
      assertThat(inLarge).isBetween(700, 900);
      assertThat((double) inSmall / inLarge).isBetween(0.3, 0.7);
      assertThat(large.statistics().evictions()).isEqualTo(MANY - inLarge);
      assertThat(map).hasSize(MANY + 1);
    }
  }

  @Test
  @Needs(Tool.MOUNTS)
  void beforeTheDiskIsFullNothingIsAddedAndThenItGoesOnByItself() throws Exception {
    long floor = 40L << 20;
    try (Tmpfs disk = Tmpfs.mount(directory.resolve("mount"), 96);
        Rockpool pool = open(disk.directory().resolve("store"), 0, floor, SOON)) {
      PersistentMap<Integer, byte[]> map = map(pool);
      PersistentCache<Integer, byte[]> cache = cache(pool, "cache");
      cache.putAll(values(0, MANY));
      map.putAll(values(0, MANY / 2));
      Path other = disk.directory().resolve("other");
      // With what the store has, less than the floor is left.
      Files.write(other, new byte[44 << 20]);
      await("caches gave way", () -> cache.statistics().evictions() > 0);
      Files.write(disk.directory().resolve("another"), new byte[16 << 20]);
      await("collections refuse", () -> pool.state().disk().refusing());
      assertThatThrownBy(() -> map.put(-1, value()))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("to leave " + floor);
      assertThat(map.get(1)).isNotNull();
      assertThat(map.remove(1)).isNotNull();
      Files.delete(other);
      await("writes go on", () -> !pool.state().disk().refusing());
      map.put(1, value());
      cache.put(1, value());
      assertThat(map).hasSize(MANY / 2);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void describeTellsWhatEachTakes() {
    try (Rockpool pool = open(directory, 0, 0, NEVER)) {
      map(pool).putAll(values(0, MANY));
      pool.cache("bounded", Integer.class, byte[].class, o -> o.diskBudgetBytes(BUDGET));
      long bytes = pool.names().find("map").orElseThrow().diskBytes().orElseThrow();
      assertThat(bytes).isBetween((long) MANY * VALUE_BYTES / 2, 2L * MANY * VALUE_BYTES);
      assertThat(pool.names().find("map").orElseThrow().diskBudgetBytes()).isEmpty();
      assertThat(pool.names().find("bounded").orElseThrow().diskBytes()).hasValue(0);
      assertThat(pool.names().find("bounded").orElseThrow().diskBudgetBytes()).hasValue(BUDGET);
    }
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> Rockpool.at(directory).diskBudgetBytes(-1))
        .hasMessageContaining("diskBudgetBytes is -1");
    assertThatThrownBy(() -> Rockpool.at(directory).freeSpaceFloorBytes(-1))
        .hasMessageContaining("freeSpaceFloorBytes is -1");
    assertThatThrownBy(() -> Rockpool.at(directory).diskBudgetBytes(1).open())
        .hasMessageContaining("below the least that works");
  }

  /** Through whoever fills the disk. */
  @Test
  @Needs(Tool.MOUNTS)
  void aStoreThatWasToldNothingLeavesSomeRoom() throws Exception {
    try (Tmpfs disk = Tmpfs.mount(directory.resolve("small"), 64);
        Rockpool pool =
            Rockpool.at(disk.directory().resolve("new").resolve("store"))
                .memoryBytes(8 << 20)
                .open()) {
      PersistentMap<Integer, byte[]> map = map(pool);
      map.put(0, value());
      DiskState before = pool.state().disk();
      assertThat(before.floorBytes()).isEqualTo((64L << 20) / 20);
      Path ballast = disk.directory().resolve("ballast");
      Files.write(ballast, new byte[(int) (before.usableBytes() - (2 << 20))]);
      await("collections refuse", () -> pool.state().disk().refusing());
      assertThatThrownBy(() -> map.put(1, value()))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("it is to leave 3355443 free");
      Files.delete(ballast);
      await("there is room", () -> !pool.state().disk().refusing());
      map.put(1, value());
      assertThat(map).hasSize(2);
    }
  }
}
