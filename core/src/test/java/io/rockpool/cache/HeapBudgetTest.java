package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches without a bound of their own keep no more in memory than their budget, divided by use. */
@Slow
@Timeout(120)
final class HeapBudgetTest {
  private static final long BUDGET = 4 << 20;
  private static final int VALUE_BYTES = 1_000;

  /** What threads that are just putting may have beside the budget. */
  private static final long SLACK = 64 << 10;

  private static final TypeRef<Integer> KEY = TypeRef.of(Integer.class);
  private static final TypeRef<byte[]> VALUE = TypeRef.of(byte[].class);
  private static final String FIRST = "cache-0";

  private final HeapBudget budget = new HeapBudget(BUDGET);
  private final List<Caches> stores = new ArrayList<>();
  private final Caches caches = store();
  private final List<PersistentCache<Integer, byte[]>> opened = new ArrayList<>();

  /**
   * Ahead of the clock: the stores' own threads also divide, by the clock, and what they would
   * measure depends on the speed of the machine. A look at an earlier instant counts nothing.
   */
  private long nanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

  private Caches store() {
    MemoryEngine engine = MemoryEngine.open();
    stores.add(new Caches(engine, new Catalog(engine), Codecs.defaults(), budget));
    return stores.get(stores.size() - 1);
  }

  @AfterEach
  void close() {
    stores.forEach(Caches::close);
    assertThat(budget.takenBytes()).as("bytes that closed caches have").isZero();
  }

  private PersistentCache<Integer, byte[]> open(String name) {
    PersistentCache<Integer, byte[]> cache = caches.open(name, KEY, VALUE, CacheOptions.defaults());
    opened.add(cache);
    return cache;
  }

  private void open(int number) {
    for (int i = 0; i < number; i++) {
      open("cache-" + i);
    }
  }

  private static void fill(PersistentCache<Integer, byte[]> cache, long bytes) {
    for (int key = 0; (long) key * VALUE_BYTES < bytes; key++) {
      cache.put(key, new byte[VALUE_BYTES]);
    }
  }

  private static long bytes(PersistentCache<?, ?> cache) {
    return cache.hotMemory().bytes();
  }

  private long allBytes() {
    return opened.stream().mapToLong(HeapBudgetTest::bytes).sum();
  }

  /** As if the caches were used so for some seconds. */
  private void use(int seconds, Runnable use) {
    for (int i = 0; i < seconds; i++) {
      synchronized (budget) { // keeps the stores' threads from dividing in the middle of a second
        use.run();
        nanos += TimeUnit.SECONDS.toNanos(1);
        budget.divide(nanos);
      }
    }
  }

  private static void use(PersistentCache<Integer, byte[]> cache) {
    fill(cache, BUDGET);
  }

  @Test
  void manyCachesHaveNoMoreTogetherThanTheBudget() {
    open(45);
    for (PersistentCache<Integer, byte[]> cache : opened) {
      fill(cache, BUDGET / 4);
      assertThat(allBytes()).isLessThanOrEqualTo(BUDGET);
    }
    use(12, () -> opened.forEach(cache -> fill(cache, BUDGET / 16)));
    assertThat(allBytes()).isBetween(BUDGET / 2, BUDGET);
    assertThat(budget.takenBytes()).isLessThanOrEqualTo(BUDGET);
    for (PersistentCache<Integer, byte[]> cache : opened) {
      assertThat(bytes(cache)).isBetween(BUDGET / 45 / 2, BUDGET / 45 * 2);
    }
  }

  @Test
  void aCacheAloneHasNearlyAllOfIt() {
    open(10);
    fill(opened.get(3), 2 * BUDGET);
    assertThat(bytes(opened.get(3))).isBetween(BUDGET * 95 / 100, BUDGET);
    assertThat(opened.get(3).hotMemory().maxBytes()).isLessThanOrEqualTo(BUDGET);
  }

  @Test
  void nothingIsEvictedAsLongAsTheBudgetHasRoom() {
    PersistentCache<Integer, byte[]> cache = open("cache");
    int entries = (int) (BUDGET * 9 / 10 / (VALUE_BYTES + HotEntry.OVERHEAD_BYTES + 10));
    for (int key = 0; key < entries; key++) {
      cache.put(key, new byte[VALUE_BYTES]);
      assertThat(cache.hotSize()).isEqualTo(key + 1);
    }
  }

  @Test
  void idleCachesShrinkAndBusyOnesGrow() {
    open(4);
    PersistentCache<Integer, byte[]> idle = opened.get(0);
    PersistentCache<Integer, byte[]> busy = opened.get(1);
    fill(idle, 2 * BUDGET);
    assertThat(bytes(idle)).isGreaterThan(BUDGET * 9 / 10);
    use(20, () -> use(busy));
    assertThat(bytes(busy)).isGreaterThan(BUDGET * 8 / 10);
    assertThat(bytes(idle)).isLessThan(BUDGET * 2 / 10);
    assertThat(allBytes()).isLessThanOrEqualTo(BUDGET);
  }

  @Test
  void theBusyOnesOfManyHaveNearlyAll() {
    open(1_000);
    opened.forEach(cache -> fill(cache, 10 * VALUE_BYTES));
    List<PersistentCache<Integer, byte[]>> busy = opened.subList(500, 510);
    use(10, () -> busy.forEach(HeapBudgetTest::use));
    long busyBytes = busy.stream().mapToLong(HeapBudgetTest::bytes).sum();
    assertThat(busyBytes).isBetween(BUDGET * 8 / 10, BUDGET);
    assertThat(allBytes()).isLessThanOrEqualTo(BUDGET);
  }

  @Test
  void whatIsReadOftenKeepsItsPlaceBesideWhatIsOnlyFilled() {
    PersistentCache<Integer, byte[]> read = open("read");
    PersistentCache<Integer, byte[]> filled = open("filled");
    fill(read, BUDGET / 2);
    long before = bytes(read);
    use(
        10,
        () -> {
          for (int round = 0; round < 20; round++) {
            for (int key = 0; (long) key * VALUE_BYTES < BUDGET / 2; key++) {
              assertThat(read.get(key)).hasSize(VALUE_BYTES);
            }
          }
          use(filled);
        });
    assertThat(bytes(read)).isGreaterThan(before * 8 / 10);
    assertThat(bytes(filled)).isGreaterThan(BUDGET * 3 / 10);
  }

  @Test
  void aCacheWithABoundOfItsOwnStandsOutside() {
    CacheOptions<Integer, byte[]> own =
        CacheOptions.<Integer, byte[]>defaults().hotBytes(BUDGET / 2);
    PersistentCache<Integer, byte[]> bytes = caches.open("bytes", KEY, VALUE, own);
    PersistentCache<Integer, byte[]> entries =
        caches.open(
            "entries", KEY, VALUE, CacheOptions.<Integer, byte[]>defaults().hotEntries(100));
    fill(bytes, BUDGET);
    fill(entries, BUDGET);
    long before = bytes(bytes);
    assertThat(budget.takenBytes()).isZero();
    open(5);
    use(5, () -> opened.forEach(HeapBudgetTest::use));
    assertThat(bytes(bytes)).isEqualTo(before).isBetween(BUDGET * 4 / 10, BUDGET / 2);
    assertThat(bytes.hotMemory().shared()).isFalse();
    assertThat(bytes.hotMemory().maxBytes()).isEqualTo(BUDGET / 2);
    assertThat(entries.hotSize()).isEqualTo(100);
    assertThat(opened.get(0).hotMemory().shared()).isTrue();
    assertThat(allBytes()).isGreaterThan(BUDGET / 2);
  }

  @Test
  void whoIsClosedClearedOrDroppedGivesBack() {
    for (Callable<?> end :
        List.<Callable<?>>of(
            () -> {
              opened.get(0).close();
              return 0;
            },
            () -> {
              opened.get(0).clear();
              return 0;
            },
            () -> {
              caches.lose(FIRST, "was dropped");
              return 0;
            })) {
      opened.clear();
      open(1);
      fill(opened.get(0), BUDGET);
      assertThat(budget.takenBytes()).isGreaterThan(BUDGET / 2);
      assertThat(call(end)).isEqualTo(0);
      assertThat(budget.takenBytes()).isZero();
      PersistentCache<Integer, byte[]> other = open("other");
      fill(other, BUDGET);
      assertThat(bytes(other)).isGreaterThan(BUDGET * 9 / 10);
      other.clear();
      opened.get(0).close();
    }
  }

  private static <T> T call(Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void twoStoresShareIt() {
    PersistentCache<Integer, byte[]> one = open("one");
    PersistentCache<Integer, byte[]> two = store().open("two", KEY, VALUE, CacheOptions.defaults());
    opened.add(two);
    fill(one, BUDGET);
    fill(two, BUDGET);
    assertThat(allBytes()).isLessThanOrEqualTo(BUDGET);
    use(10, () -> opened.forEach(HeapBudgetTest::use));
    assertThat(bytes(two)).isBetween(BUDGET / 4, BUDGET * 3 / 4);
    stores.get(1).close();
    assertThat(budget.takenBytes()).isBetween(1L, BUDGET * 3 / 4);
  }

  @Test
  void aThreadOfTheStoreDividesIt() {
    open(2);
    fill(opened.get(0), BUDGET);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (bytes(opened.get(1)) < BUDGET / 2 && System.nanoTime() < end) {
      use(opened.get(1));
    }
    assertThat(bytes(opened.get(1))).isGreaterThanOrEqualTo(BUDGET / 2);
  }

  @Test
  void aValueLargerThanAnyStepIsKept() {
    open(2);
    PersistentCache<Integer, byte[]> cache = opened.get(0);
    cache.put(1, new byte[(int) BUDGET / 2]);
    assertThat(cache.hotSize()).isEqualTo(1);
    cache.put(2, new byte[(int) BUDGET * 2]);
    assertThat(cache.get(2)).hasSize((int) BUDGET * 2);
    assertThat(bytes(cache)).isLessThanOrEqualTo(BUDGET);
  }

  /** Caches are filled, read, cleared, closed and divided at once. */
  @Test
  void theSumHoldsWhateverHappensAtOnce() throws Exception {
    open(12);
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService executor = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        all.add(executor.submit(() -> writeUntil(ended)));
      }
      all.add(
          executor.submit(
              () -> {
                while (!ended.get()) {
                  budget.divide();
                  assertThat(budget.takenBytes()).isBetween(0L, BUDGET);
                }
              }));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Rounds.of(2, 20));
      while (System.nanoTime() < end) {
        assertThat(allBytes()).isLessThanOrEqualTo(BUDGET + SLACK);
        PersistentCache<Integer, byte[]> reopened = opened.get(0);
        reopened.close();
        opened.set(0, caches.open("cache-0", KEY, VALUE, CacheOptions.defaults()));
      }
      ended.set(true);
      for (Future<?> one : all) {
        one.get(30, TimeUnit.SECONDS);
      }
    } finally {
      ended.set(true);
      executor.shutdownNow();
    }
    long granted = opened.stream().mapToLong(cache -> cache.hotMemory().maxBytes()).sum();
    assertThat(budget.takenBytes()).isEqualTo(granted);
  }

  private void writeUntil(AtomicBoolean ended) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    while (!ended.get()) {
      PersistentCache<Integer, byte[]> cache =
          opened.get(random.nextInt(1 + random.nextInt(opened.size()))); // the first most of all
      int key = random.nextInt(4_000);
      try {
        switch (random.nextInt(200)) {
          case 0 -> cache.clear();
          case 1 -> cache.remove(key);
          default -> {
            cache.put(key, new byte[random.nextInt(2 * VALUE_BYTES)]);
            cache.get(random.nextInt(4_000));
          }
        }
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("is closed");
      }
    }
  }

  @Test
  void aBudgetIsSetInBytesOrAsAPartOfTheHeap() {
    assertThat(HeapBudget.bytes(null, 4_000)).isEqualTo(1_000);
    assertThat(HeapBudget.bytes("700", 4_000)).isEqualTo(700);
    assertThat(HeapBudget.bytes("3k", 4_000)).isEqualTo(3 << 10);
    assertThat(HeapBudget.bytes("512M", 4_000)).isEqualTo(512 << 20);
    assertThat(HeapBudget.bytes("2g", 4_000)).isEqualTo(2L << 30);
    assertThat(HeapBudget.bytes(" 10% ", 4_000)).isEqualTo(400);
    for (String wrong : List.of("", "much", "0", "-1", "0%", "1.5g")) {
      assertThat(HeapBudget.bytes(wrong, 4_000)).as(wrong).isEqualTo(1_000);
    }
    assertThat(HeapBudget.ofProcess().bytes()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
    assertThatThrownBy(() -> new HeapBudget(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give a positive number");
  }
}
