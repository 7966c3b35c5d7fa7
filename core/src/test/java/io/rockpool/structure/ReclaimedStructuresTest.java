package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After what has expired was reclaimed, sizes are exact, and every structure goes on as before. */
final class ReclaimedStructuresTest {
  private static final int ELEMENTS = 600;

  /** Every third element lives longer than this. */
  private static final Duration TTL = Duration.ofMillis(100);

  @TempDir Path directory;

  private static boolean stays(int element) {
    return element % 3 == 0;
  }

  private static Duration ttl(int element) {
    return stays(element) ? TTL.multipliedBy(3) : TTL;
  }

  private static int[] elements() {
    return IntStream.range(0, ELEMENTS).toArray();
  }

  private static Integer[] staying() {
    return IntStream.range(0, ELEMENTS)
        .filter(ReclaimedStructuresTest::stays)
        .boxed()
        .toArray(Integer[]::new);
  }

  private static void reclaimAfter(StoreUnderTest store, Duration time) {
    store.clock.advanceMillis(time.toMillis());
    store.pool().reclaim();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void mapsAndSets(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentMap<Integer, Integer> map = pool.map("map", Integer.class, Integer.class);
      PersistentSortedMap<Integer, Integer> sortedMap =
          pool.sortedMap("sorted map", Integer.class, Integer.class);
      PersistentSet<Integer> set = pool.set("set", Integer.class);
      PersistentSortedSet<Integer> sortedSet = pool.sortedSet("sorted set", Integer.class);
      for (int element : elements()) {
        map.put(element, element, ttl(element));
        sortedMap.put(element, element, ttl(element));
        set.add(element, ttl(element));
        sortedSet.add(element, ttl(element));
      }
      reclaimAfter(store, TTL);
      int left = staying().length;
      assertThat(map).hasSize(left).containsOnlyKeys(staying());
      assertThat(sortedMap).hasSize(left).containsOnlyKeys(staying());
      assertThat(set).hasSize(left).containsExactlyInAnyOrder(staying());
      assertThat(sortedSet).hasSize(left).containsExactly(staying());
      map.put(1, 1);
      set.add(1);
      reclaimAfter(store, TTL.multipliedBy(2));
      assertThat(map).hasSize(1).containsOnlyKeys(1);
      assertThat(set).hasSize(1).containsOnly(1);
      assertThat(sortedMap).isEmpty();
      assertThat(sortedMap.size()).isZero();
      assertThat(sortedSet.size()).isZero();
      assertThat(pool.state().reclaim().overdueMillis()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void deques(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentDeque<Integer> deque =
          store.pool().deque("deque", TypeRef.of(Integer.class), o -> o.capacity(ELEMENTS));
      for (int element : elements()) {
        deque.offerLastExpiring(element, ttl(element));
      }
      reclaimAfter(store, TTL);
      int left = staying().length;
      assertThat(deque).hasSize(left).containsExactly(staying());
      assertThat(deque.remainingCapacity()).isEqualTo(ELEMENTS - left);
      for (int i = 0; i < left; i++) {
        assertThat(deque.get(i)).isEqualTo(staying()[i]);
      }
      assertThat(deque.pollFirst()).isEqualTo(0);
      assertThat(deque.pollLast()).isEqualTo(ELEMENTS - 3);
      deque.addFirst(-1);
      deque.addLast(-2);
      assertThat(deque).hasSize(left);
      reclaimAfter(store, TTL.multipliedBy(2));
      assertThat(deque).hasSize(2).containsExactly(-1, -2);
      assertThat(deque.get(1)).isEqualTo(-2);
      assertThat(deque.pollFirst()).isEqualTo(-1);
      assertThat(deque.pollFirst()).isEqualTo(-2);
      assertThat(deque.pollFirst()).isNull();
      assertThat(deque.size()).isZero();
      assertThat(deque.remainingCapacity()).isEqualTo(ELEMENTS);
    }
  }

  /** How many members lie in the store, without asking the set, which would sweep. */
  private static long stored(StoreUnderTest store, PersistentScoredSet<?> set) {
    return Objects.requireNonNull(store.engine().open(set.name())).count(new byte[] {0});
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void scoredSets(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentScoredSet<Integer> set = store.pool().scoredSet("scored", Integer.class);
      for (int element : elements()) {
        set.add(element, element, ttl(element));
      }
      reclaimAfter(store, TTL);
      ScoredSetRecords.check(store.engine(), set);
      assertThat(stored(store, set)).isEqualTo(staying().length);
      assertThat(set).hasSize(staying().length).containsExactly(staying());
      assertThat(set.rank(staying()[5])).hasValue(5);
      reclaimAfter(store, TTL.multipliedBy(2));
      assertThat(stored(store, set)).isZero();
      assertThat(set).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void tablesValuesAndCounters(Kind kind) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentTable<String, Integer, Integer> table =
          pool.table("table", String.class, Integer.class, Integer.class);
      PersistentValue<Integer> value = pool.value("value", Integer.class);
      PersistentCounter counter = pool.counter("counter");
      for (int element : elements()) {
        table.put("row", element, element, ttl(element));
      }
      value.set(1, TTL);
      counter.set(5, TTL);
      reclaimAfter(store, TTL);
      assertThat(table.count("row")).isEqualTo(staying().length);
      assertThat(table.row("row")).containsOnlyKeys(staying());
      assertThat(value.get()).isNull();
      assertThat(counter.get()).isZero();
      counter.set(2);
      value.set(3);
      reclaimAfter(store, TTL.multipliedBy(2));
      assertThat(table.count("row")).isZero();
      assertThat(value.get()).isEqualTo(3);
      assertThat(counter.get()).isEqualTo(2);
    }
  }
}
