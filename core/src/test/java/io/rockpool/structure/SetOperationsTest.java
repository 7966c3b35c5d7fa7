package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random elements, moves between sets and combinations of many sets. */
class SetOperationsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentSet<Integer> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().set("numbers", Integer.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Set<Integer> upTo(int end) {
    return IntStream.range(0, end).boxed().collect(Collectors.toSet());
  }

  /** Arrays have no equality of their own. */
  @ParameterizedTest
  @EnumSource
  void retainAllComparesArraysByTheirBytes(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    PersistentSet<byte[]> set = store.pool().set("set", byte[].class);
    PersistentSortedSet<byte[]> sorted = store.pool().sortedSet("sorted", byte[].class);
    PersistentScoredSet<byte[]> scored = store.pool().scoredSet("scored", byte[].class);
    PersistentMap<byte[], byte[]> map = store.pool().map("map", byte[].class, byte[].class);
    PersistentMap<byte[], byte[]> other = store.pool().map("other", byte[].class, byte[].class);
    for (byte i = 1; i <= 3; i++) {
      set.add(new byte[] {i});
      sorted.add(new byte[] {i});
      scored.add(new byte[] {i}, i);
      map.put(new byte[] {i}, new byte[] {i});
      other.put(new byte[] {i}, new byte[] {i});
    }
    List<byte[]> kept = Arrays.asList(new byte[] {2}, null, new byte[] {9});
    assertThat(set.retainAll(kept)).isTrue();
    assertThat(set).containsExactly(new byte[] {2});
    assertThat(set.retainAll(kept)).isFalse();
    assertThat(sorted.retainAll(kept)).isTrue();
    assertThat(sorted).containsExactly(new byte[] {2});
    assertThat(scored.retainAll(kept)).isTrue();
    assertThat(scored).containsExactly(new byte[] {2});
    assertThat(map.keySet().retainAll(kept)).isTrue();
    assertThat(map.keySet()).containsExactly(new byte[] {2});
    assertThat(other.entrySet().retainAll(List.of(Map.entry(new byte[] {2}, new byte[] {2}))))
        .isTrue();
    assertThat(other.keySet()).containsExactly(new byte[] {2});
    PersistentDeque<byte[]> deque = store.pool().deque("deque", byte[].class);
    deque.addAll(List.of(new byte[] {1}, new byte[] {2}, new byte[] {3}));
    assertThat(deque.removeAll(List.of(new byte[] {1}))).isTrue();
    assertThat(deque.retainAll(kept)).isTrue();
    assertThat(deque).containsExactly(new byte[] {2});
    map.put(new byte[] {3}, new byte[] {3});
    map.put(new byte[] {4}, new byte[] {4});
    assertThat(map.values().removeAll(List.of(new byte[] {3}))).isTrue();
    assertThat(map.values().retainAll(kept)).isTrue();
    assertThat(map.values()).containsExactly(new byte[] {2});
  }

  @ParameterizedTest
  @EnumSource
  void picksDifferentElements(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    assertThat(set.randomElements(3)).isEmpty();
    set.addAll(upTo(50));
    set.add(99, SECOND);
    store.clock.advanceMillis(1_000);
    for (int count : new int[] {0, 1, 2, 49, 50, 200}) {
      assertThat(set.randomElements(count))
          .hasSize(Math.min(50, count))
          .doesNotHaveDuplicates()
          .doesNotContain(99);
    }
    assertThat(set.randomElements(50)).isNotEqualTo(set.randomElements(50));
    assertThat(set.stream()).hasSize(50);
    assertThatThrownBy(() -> set.randomElements(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void picksFewOfMany(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(4 * Sampler.MAX_STEPS));
    assertThat(set.randomElements(3)).hasSize(3).doesNotHaveDuplicates();
    assertThat(set).containsAll(set.randomElements(2));
  }

  @ParameterizedTest
  @EnumSource
  void samplesAreUniform(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(20));
    int[] drawn = new int[20];
    int rounds = kind == Kind.ROCKSDB ? 2_000 : 1_000;
    for (int i = 0; i < rounds; i++) {
      set.randomElements(5).forEach(element -> drawn[element]++);
    }
    // Expected: a quarter of the rounds; ten standard deviations are far beyond chance.
    double deviation = Math.sqrt(rounds * 0.25 * 0.75);
    for (int count : drawn) {
      assertThat(Math.abs(count - rounds / 4.0)).isLessThan(10 * deviation);
    }
  }

  @ParameterizedTest
  @EnumSource
  void drawsWithRepeats(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    assertThat(set.randomElementsWithRepeats(3)).isEmpty();
    set.addAll(upTo(2));
    List<Integer> drawn = set.randomElementsWithRepeats(60);
    assertThat(drawn).hasSize(60);
    assertThat(new HashSet<>(drawn)).isEqualTo(upTo(2));
    assertThatThrownBy(() -> set.randomElementsWithRepeats(-1)).hasMessageContaining("-1");
  }

  @ParameterizedTest
  @EnumSource
  void popsSeveral(Kind kind) throws Exception {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(300));
    List<Integer> first = set.removeRandom(10);
    assertThat(first).hasSize(10).doesNotHaveDuplicates();
    assertThat(set).hasSize(290).doesNotContainAnyElementsOf(first);
    Queue<Integer> popped = new ConcurrentLinkedQueue<>(first);
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (List<Integer> some = set.removeRandom(7);
              !some.isEmpty();
              some = set.removeRandom(7)) {
            popped.addAll(some);
          }
        });
    assertThat(popped).containsExactlyInAnyOrderElementsOf(upTo(300));
    assertThat(set.removeRandom(7)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void popsJoinTransactions(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(30));
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          set.remove(0);
                          assertThat(set.removeRandom(100)).hasSize(29).doesNotContain(0);
                          assertThat(set.randomElements(3)).isEmpty();
                          throw new IllegalStateException("undone");
                        }))
        .hasMessage("undone");
    assertThat(set).hasSize(30);
    store.pool().atomically(transaction -> set.removeRandom(29));
    assertThat(store.reopen().set("numbers", Integer.class)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void movesAnElementWithItsExpiry(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    PersistentSortedSet<Integer> target = store.pool().sortedSet("target", Integer.class);
    set.add(1, SECOND);
    set.add(2);
    target.add(2, SECOND);
    List<String> told = new ArrayList<>();
    set.addListener((element, added) -> told.add("from " + element + " " + added));
    target.addListener((element, added) -> told.add("to " + element + " " + added));
    assertThat(set.moveTo(target, 1)).isTrue();
    assertThat(set.moveTo(target, 2)).isTrue();
    assertThat(set.moveTo(target, 3)).isFalse();
    assertThat(set).isEmpty();
    assertThat(told).containsExactly("from 1 false", "to 1 true", "from 2 false");
    assertThat(target.ttl(1)).contains(SECOND);
    assertThat(target.ttl(2)).contains(SECOND);
    store.clock.advanceMillis(1_000);
    assertThat(target.moveTo(set, 1)).isFalse();
    assertThat(set).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMoveIsAtomicAndJoins(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    PersistentSet<Integer> target = store.pool().set("target", Integer.class);
    set.add(1);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          assertThat(set.moveTo(target, 1)).isTrue();
                          assertThat(target.contains(1)).isTrue();
                          throw new IllegalStateException("undone");
                        }))
        .hasMessage("undone");
    assertThat(set).containsExactly(1);
    assertThat(target).isEmpty();
    PersistentSortedSet<Integer> sorted = store.pool().sortedSet("sorted", Integer.class);
    assertThatThrownBy(() -> set.moveTo(sorted.tailSet(5), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(set).containsExactly(1);
    assertThat(set.moveTo(set, 1)).isTrue();
    assertThat(set.moveTo(set, 2)).isFalse();
    assertThatThrownBy(() -> set.moveTo(new HashSet<>(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("numbers");
    assertThat(set).containsExactly(1);
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("CollectionIncompatibleType") // on purpose
  void containsAllReadsPages(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(2_500));
    assertThat(set.containsAll(upTo(2_500))).isTrue();
    assertThat(set.containsAll(List.of())).isTrue();
    assertThat(set.containsAll(IntStream.rangeClosed(0, 2_500).boxed().toList())).isFalse();
    assertThat(set.containsAll(List.of(-1, 2))).isFalse();
    assertThat(set.containsAll(List.of(1, "one"))).isFalse();
    set.add(3_000, SECOND);
    assertThat(set.containsAll(List.of(1, 3_000))).isTrue();
    store.clock.advanceMillis(1_000);
    assertThat(set.containsAll(List.of(1, 3_000))).isFalse();
    PersistentSortedSet<Integer> sorted = store.pool().sortedSet("sorted", Integer.class);
    sorted.addAll(upTo(10));
    assertThat(sorted.containsAll(upTo(10))).isTrue();
    assertThat(sorted.headSet(5).containsAll(upTo(5))).isTrue();
    assertThat(sorted.headSet(5).containsAll(upTo(6))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void combinesManySets(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(20));
    set.add(50, SECOND);
    PersistentSortedSet<Integer> two = store.pool().sortedSet("two", Integer.class);
    two.addAll(List.of(2, 4, 6, 50, 100));
    Set<Integer> three = Set.of(4, 6, 7, 100, 200);
    List<Set<Integer>> others = List.of(two, three);
    store.clock.advanceMillis(1_000);
    assertThat(set.intersection(others)).containsExactlyInAnyOrder(4, 6);
    assertThat(set.intersection(List.of())).hasSize(20);
    assertThat(set.intersectionSize(others, 10)).isEqualTo(2);
    assertThat(set.intersectionSize(others, 1)).isEqualTo(1);
    assertThat(set.union(others)).hasSize(23).doesNotHaveDuplicates().contains(50, 100, 200);
    assertThat(set.difference(others)).hasSize(16).doesNotContain(2, 4, 6, 7);
    PersistentSet<Integer> target = store.pool().set("target", Integer.class);
    assertThat(set.storeUnionInto(target, others)).isEqualTo(23);
    assertThat(target).isEqualTo(set.union(others).collect(Collectors.toSet()));
    assertThat(set.storeIntersectionInto(target, others)).isEqualTo(2);
    assertThat(target).containsExactlyInAnyOrder(4, 6);
    assertThat(set.storeDifferenceInto(target, others)).isEqualTo(16);
    assertThat(target).contains(0, 19).doesNotContain(4);
    assertThatThrownBy(() -> set.storeUnionInto(target, List.of(two, target)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(target).hasSize(16);
    assertThatThrownBy(() -> set.intersectionSize(others, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void combinationsSeeTheTransaction(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    PersistentSet<Integer> other = store.pool().set("other", Integer.class);
    set.addAll(upTo(5));
    store
        .pool()
        .atomically(
            transaction -> {
              other.addAll(List.of(3, 4, 9));
              assertThat(set.containsAll(other)).isFalse();
              assertThat(set.intersection(List.of(other))).containsExactlyInAnyOrder(3, 4);
              assertThat(set.union(List.of(other))).hasSize(6);
              assertThat(set.difference(List.of(other))).containsExactlyInAnyOrder(0, 1, 2);
              return set.intersectionSize(List.of(other), 1);
            });
  }
}
