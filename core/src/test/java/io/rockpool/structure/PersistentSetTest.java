package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentSetTest {
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

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("CollectionIncompatibleType") // on purpose
  void keepsItsElements(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    assertThat(set.add(1)).isTrue();
    assertThat(set.add(1)).isFalse();
    assertThat(set.addAll(upTo(2_000))).isTrue();
    assertThat(set.addAll(upTo(2_000))).isFalse();
    assertThat(set.removeAll(upTo(1_000))).isTrue();
    PersistentSet<Integer> again = store.reopen().set("numbers", Integer.class);
    assertThat(again).hasSize(1_000).contains(1_000, 1_999).doesNotContain(999, 2_000);
    assertThat(again.remove("no number")).isFalse();
    assertThat(again.contains(7L)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void elementsExpire(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    assertThat(set.add(1, Duration.ofSeconds(1))).isTrue();
    assertThat(set.add(1, Duration.ofSeconds(2))).isFalse();
    assertThat(set.add(2, Duration.ZERO)).isFalse();
    assertThat(set.add(1)).isFalse();
    assertThat(set.ttl(1)).contains(Duration.ofSeconds(2));
    store.clock.advanceMillis(2_000);
    assertThat(set).isEmpty();
    assertThat(set.randomElement()).isNull();
    assertThat(set.removeRandom()).isNull();
    assertThat(set.add(1)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void combinesWithOthers(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(20));
    Set<Integer> even = set.stream().filter(i -> i % 2 == 0).collect(Collectors.toSet());
    even.add(100);
    PersistentSet<Integer> target = store.pool().set("target", Integer.class);
    target.add(-1);
    assertThat(set.storeIntersectionInto(target, even)).isEqualTo(10);
    assertThat(target).isEqualTo(set.intersection(even).collect(Collectors.toSet())).hasSize(10);
    assertThat(set.storeUnionInto(target, even)).isEqualTo(21);
    assertThat(target).contains(100, 1, 2).hasSize(21);
    assertThat(set.count()).isEqualTo(20);
    assertThat(set.storeDifferenceInto(target, even)).isEqualTo(10);
    assertThat(target).contains(1, 19).hasSize(10);
    assertThatThrownBy(() -> set.storeUnionInto(set, even))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("numbers");
    assertThat(set).hasSize(20);
  }

  @ParameterizedTest
  @EnumSource
  void storesFewElementsInOneTransaction(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    PersistentSet<Integer> other = store.pool().set("other", Integer.class);
    PersistentSortedSet<Integer> target = store.pool().sortedSet("target", Integer.class);
    set.addAll(upTo(20));
    other.addAll(Set.of(1, 100));
    target.add(7);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          assertThat(set.storeUnionInto(target, other)).isEqualTo(21);
                          throw new IllegalStateException("undone");
                        }))
        .hasMessage("undone");
    assertThat(target).containsExactly(7);
    assertThat(set.storeDifferenceInto(target.tailSet(8), upTo(8))).isEqualTo(12);
    assertThat(target).hasSize(13).contains(7, 19);
  }

  @ParameterizedTest
  @EnumSource(names = "ROCKSDB")
  void storesManyElementsInSeveral(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    PersistentSet<Integer> target = store.pool().set("target", Integer.class);
    set.addAll(upTo((int) StructureSpace.MAX_ATOMIC_ELEMENTS));
    assertThat(set.storeUnionInto(target, Set.of(-1)))
        .isEqualTo(StructureSpace.MAX_ATOMIC_ELEMENTS + 1);
  }

  @ParameterizedTest
  @EnumSource
  void addsTheElementsOfAStream(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    assertThat(set.addAllFrom(upTo(3_000).parallelStream())).isTrue();
    assertThat(set).isEqualTo(upTo(3_000));
    assertThat(set.addAllFrom(Stream.of(1, 2, 2))).isFalse();
    assertThat(set.addAllFrom(Stream.of(1, 3_000))).isTrue();
    assertThat(set).hasSize(3_001);
    assertThat(set.addAllFrom(Stream.<Integer>empty())).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void picksEveryElementInTheEnd(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(40));
    Set<Integer> picked = new HashSet<>();
    for (int i = 0; i < 5_000 && picked.size() < 40; i++) {
      picked.add(set.randomElement());
    }
    assertThat(picked).isEqualTo(upTo(40));
    set.addAll(upTo(16 * 3 * Sampler.MAX_STEPS));
    assertThat(set).contains(set.randomElement(), set.randomElement(), set.randomElement());
  }

  @ParameterizedTest
  @EnumSource
  void popsEachElementOnce(Kind kind) throws Exception {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(400));
    Queue<Integer> popped = new ConcurrentLinkedQueue<>();
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (Integer element = set.removeRandom();
              element != null;
              element = set.removeRandom()) {
            popped.add(element);
          }
        });
    assertThat(popped).containsExactlyInAnyOrderElementsOf(upTo(400));
    assertThat(set).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tellsListeners(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    List<String> told = new ArrayList<>();
    set.addListener((element, added) -> told.add(element + " " + added));
    set.add(1);
    set.add(1);
    set.add(1, Duration.ofDays(1));
    set.removeAll(List.of(1, 2));
    assertThat(told).containsExactly("1 true", "1 false");
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotDoesNotChange(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(3));
    try (Snapshot<Set<Integer>> snapshot = set.snapshot()) {
      set.clear();
      assertThat(snapshot.view()).containsExactlyInAnyOrder(0, 1, 2).hasSize(3);
      assertThatThrownBy(() -> snapshot.view().add(4))
          .isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(set).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void combinesManyInATransaction(Kind kind) {
    PersistentSet<Integer> set = open(kind);
    set.addAll(upTo(16_400));
    PersistentSet<Integer> target = store.pool().set("target", Integer.class);
    target.add(-1);
    long stored =
        store
            .pool()
            .atomically(
                tx -> {
                  set.remove(0);
                  return set.storeUnionInto(target, Set.of(100_000));
                });
    assertThat(stored).isEqualTo(16_400);
    assertThat(target).hasSize(16_400).contains(100_000, 1).doesNotContain(0, -1);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        tx -> {
                          set.storeDifferenceInto(target, Set.of(1));
                          throw new IllegalArgumentException("as told");
                        }))
        .hasMessage("as told");
    assertThat(target).hasSize(16_400).contains(100_000, 1);
  }
}
