package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bulk operations of a map, and the sizes of its spliterators. */
class ParallelEntriesTest {
  private static final long ALONE = Long.MAX_VALUE;
  private static final int MANY = 3_000;

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentMap<String, Long> open(Kind kind, int size) {
    store = new StoreUnderTest(kind, directory);
    PersistentMap<String, Long> map = store.pool().map("numbers", String.class, Long.class);
    Map<String, Long> all = new HashMap<>();
    for (long i = 0; i < size; i++) {
      all.put("k" + i, i);
    }
    map.putAll(all);
    return map;
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void doesWhatAConcurrentHashMapDoes(Kind kind) {
    PersistentMap<String, Long> map = open(kind, MANY);
    ConcurrentHashMap<String, Long> model = new ConcurrentHashMap<>(map);
    for (long threshold : new long[] {0, 1, MANY, MANY + 1, ALONE}) {
      Map<String, Long> seen = new ConcurrentHashMap<>();
      map.forEach(threshold, (key, value) -> assertThat(seen.put(key, value)).isNull());
      assertThat(seen).isEqualTo(model);
      Set<String> keys = ConcurrentHashMap.newKeySet();
      map.forEachKey(threshold, key -> assertThat(keys.add(key)).isTrue());
      assertThat(keys).isEqualTo(model.keySet());
      assertThat(map.<String>search(threshold, (key, value) -> value == 77 ? key : null))
          .isEqualTo("k77");
      assertThat(map.<String>search(threshold, (key, value) -> value < 0 ? key : null)).isNull();
      assertThat(map.<Long>reduce(threshold, (key, value) -> value, Math::max))
          .isEqualTo(model.<Long>reduce(threshold, (key, value) -> value, Math::max));
      assertThat(map.<Long>reduce(threshold, (key, value) -> null, Math::max)).isNull();
      assertThat(map.reduceToLong(threshold, (key, value) -> value, 0, Long::sum))
          .isEqualTo(model.reduceToLong(threshold, (key, value) -> value, 0, Long::sum));
    }
    map.clear();
    assertThat(map.reduceToLong(1, (key, value) -> value, 5, Long::sum)).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void worksWithSeveralThreads(Kind kind) {
    PersistentMap<String, Long> map = open(kind, MANY);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch together = new CountDownLatch(2);
    map.forEach(
        1,
        (key, value) -> {
          if (threads.add(Thread.currentThread())) {
            together.countDown();
            await(together);
          }
        });
    assertThat(threads).hasSizeGreaterThan(1);
    threads.clear();
    map.forEach(ALONE, (key, value) -> threads.add(Thread.currentThread()));
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The pool's threads may be busy, as here with other calls. */
  @ParameterizedTest
  @EnumSource(names = "ROCKSDB")
  void needsNoFreeThread(Kind kind) {
    PersistentMap<String, Long> map = open(kind, 100);
    int busy = ForkJoinPool.getCommonPoolParallelism();
    CountDownLatch begun = new CountDownLatch(busy);
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < busy; i++) {
      ForkJoinPool.commonPool()
          .execute(
              () -> {
                begun.countDown();
                await(end);
              });
    }
    await(begun);
    try {
      assertThat(map.reduceToLong(1, (key, value) -> 1, 0, Long::sum)).isEqualTo(100);
    } finally {
      end.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void throwsWhatAnActionThrows(Kind kind) {
    PersistentMap<String, Long> map = open(kind, MANY);
    AtomicInteger running = new AtomicInteger();
    assertThatThrownBy(
            () ->
                map.forEach(
                    1,
                    (key, value) -> {
                      running.incrementAndGet();
                      try {
                        if (value == 5) {
                          throw new IllegalArgumentException("thrown on purpose");
                        }
                      } finally {
                        running.decrementAndGet();
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("thrown on purpose");
    assertThat(running).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void leavesExpiredEntriesOut(Kind kind) {
    PersistentMap<String, Long> map = open(kind, 10);
    map.putAll(Map.of("soon", 1_000L, "later", 2_000L), Duration.ofSeconds(1));
    map.expireAfter("later", Duration.ofSeconds(2));
    store.clock.advanceMillis(1_000);
    assertThat(map.reduceToLong(1, (key, value) -> value, 0, Long::sum)).isEqualTo(2_045);
  }

  @ParameterizedTest
  @EnumSource
  void joinsATransaction(Kind kind) {
    PersistentMap<String, Long> map = open(kind, 10);
    long sum =
        store
            .pool()
            .atomically(
                tx -> {
                  map.put("mine", 100L);
                  map.remove("k9");
                  return map.reduceToLong(1, (key, value) -> value, 0, Long::sum);
                });
    assertThat(sum).isEqualTo(136);
  }

  @ParameterizedTest
  @EnumSource
  void estimatesSizesWhereACountIsKnown(Kind kind) {
    PersistentMap<String, Long> map = open(kind, 100);
    for (Spliterator<?> each :
        new Spliterator<?>[] {
          map.keySet().spliterator(), map.entrySet().spliterator(), map.values().spliterator()
        }) {
      assertThat(each.estimateSize()).isEqualTo(100);
      assertThat(each.hasCharacteristics(Spliterator.SIZED)).isFalse();
      each.tryAdvance(element -> {});
      assertThat(each.estimateSize()).isEqualTo(99);
      each.forEachRemaining(element -> {});
      assertThat(each.estimateSize()).isZero();
    }
    PersistentSortedMap<Long, Long> sorted =
        store.pool().sortedMap("sorted", Long.class, Long.class);
    for (long i = 0; i < 10; i++) {
      sorted.put(i, i);
    }
    assertThat(sorted.keySet().spliterator().estimateSize()).isEqualTo(10);
    assertThat(sorted.descendingMap().values().spliterator().estimateSize()).isEqualTo(10);
    assertThat(sorted.headMap(5L).keySet().spliterator().estimateSize()).isEqualTo(Long.MAX_VALUE);
    assertThat(sorted.keySet().stream().parallel().mapToLong(key -> key).sum()).isEqualTo(45);
  }
}
