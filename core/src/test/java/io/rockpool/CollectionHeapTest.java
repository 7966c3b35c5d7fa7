package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.HeapBudget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Recently read records of collections share the heap budget with caches. */
@Slow
@Timeout(120)
final class CollectionHeapTest {
  private static final int BUDGET = 4 << 20;
  private static final int ENTRIES = 10_000;

  @TempDir Path directory;

  private static void fill(PersistentMap<Integer, byte[]> map) {
    map.putAll(
        IntStream.range(0, ENTRIES)
            .boxed()
            .collect(Collectors.toMap(key -> key, key -> bytes(key))));
  }

  /** Cannot be compressed. */
  private static byte[] bytes(int key) {
    byte[] bytes = new byte[1_000];
    new Random(key).nextBytes(bytes);
    return bytes;
  }

  private static void readAll(PersistentMap<Integer, byte[]> map) {
    for (int key = 0; key < ENTRIES; key++) {
      assertThat(map.get(key)).hasSize(1_000);
    }
  }

  private static void fill(PersistentCache<Integer, byte[]> cache) {
    for (int key = 0; key < ENTRIES; key++) {
      cache.put(key, bytes(key));
    }
  }

  private static void until(BooleanSupplier done, Runnable use) {
    long begin = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(60));
      use.run();
    }
  }

  @Test
  void useDecidesBetweenCachesAndCollections() {
    try (Rockpool pool = Rockpool.at(directory).heapBudgetBytes(BUDGET).open()) {
      HeapBudget budget = pool.state().heap();
      PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
      fill(map);
      assertThat(budget.takenBytes()).as("before a read").isZero();
      readAll(map);
      assertThat(budget.takenBytes()).isBetween(BUDGET * 9L / 10, (long) BUDGET);

      PersistentCache<Integer, byte[]> cache = pool.cache("cache", Integer.class, byte[].class);
      until(() -> cache.hotMemory().maxBytes() > BUDGET * 3 / 4, () -> fill(cache));
      assertThat(budget.takenBytes()).isLessThanOrEqualTo(BUDGET);

      until(() -> cache.hotMemory().maxBytes() < BUDGET / 4, () -> readAll(map));
      assertThat(budget.takenBytes()).isLessThanOrEqualTo(BUDGET);
    }
  }

  @Test
  void aClosedStoreGivesItsHeapBack() {
    HeapBudget budget = HeapBudget.ofProcess();
    long before = budget.takenBytes();
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
      fill(map);
      readAll(map);
      assertThat(budget.takenBytes() - before).isGreaterThan(ENTRIES * 1_000L);
    }
    assertThat(budget.takenBytes()).isEqualTo(before);
  }

  @Test
  void handlesOfAClosedStoreKeepNoRecords() throws InterruptedException {
    List<Object> handles = new ArrayList<>();
    long before = usedBytes();
    for (int i = 0; i < 3; i++) {
      try (Rockpool pool = Rockpool.open(directory.resolve("store-" + i))) {
        PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
        fill(map);
        readAll(map);
        handles.add(map);
      }
    }
    assertThat(usedBytes() - before).isLessThan(ENTRIES * 1_000L);
    assertThat(handles).hasSize(3);
  }

  private static long usedBytes() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      System.gc();
      Thread.sleep(50);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void anOwnBoundOrNoneTakesNothingFromTheBudget() {
    for (long bytes : new long[] {0, 1 << 20}) {
      try (Rockpool pool =
          Rockpool.at(directory).heapBudgetBytes(BUDGET).collectionHeapBytes(bytes).open()) {
        PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
        fill(map);
        readAll(map);
        assertThat(pool.state().heap().takenBytes()).isZero();
      }
    }
  }

  @Test
  void anEngineUnderRockpoolSharesIt() {
    try (RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults());
        Rockpool pool = Rockpool.at(o -> engine).open()) {
      long before = pool.state().heap().takenBytes();
      PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
      fill(map);
      readAll(map);
      assertThat(pool.state().heap().takenBytes() - before).isGreaterThan(ENTRIES * 1_000L);
    }
  }
}
