package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Limits;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentDequeTest {
  private static final StructureOptions OF_THREE = StructureOptions.defaults().capacity(3);

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentDeque<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().deque("shop/jobs", String.class);
  }

  private PersistentDeque<String> openOfThree(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().deque("shop/jobs", TypeRef.of(String.class), o -> OF_THREE);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsElementsInOrder(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addLast("b");
    deque.addFirst("a");
    deque.addLast("c");
    PersistentDeque<String> again = store.reopen().deque("shop/jobs", String.class);
    assertThat(again).containsExactly("a", "b", "c").hasSize(3);
    assertThat(again.peekFirst()).isEqualTo("a");
    assertThat(again.peekLast()).isEqualTo("c");
    assertThat(again.pollLast()).isEqualTo("c");
    assertThat(again.pollFirst()).isEqualTo("a");
    assertThat(again.pop()).isEqualTo("b");
    assertThat(again.pollFirst()).isNull();
    assertThat(again.pollLast()).isNull();
    assertThat(again.peekFirst()).isNull();
    assertThat(again).isEmpty();
    assertThatThrownBy(again::getFirst)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("shop/jobs");
    assertThatIllegalStateException()
        .isThrownBy(deque::pollFirst)
        .withMessageContaining("shop/jobs");
  }

  @ParameterizedTest
  @EnumSource
  void holdsNoMoreThanItsCapacity(Kind kind) {
    PersistentDeque<String> deque = openOfThree(kind);
    assertThat(deque.remainingCapacity()).isEqualTo(3);
    assertThatIllegalStateException()
        .isThrownBy(() -> deque.addAll(List.of("a", "b", "c", "d")))
        .withMessageContaining("full");
    assertThat(deque).containsExactly("a", "b", "c");
    assertThat(deque.offerFirst("z")).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> deque.addLast("d"));
    assertThatIllegalStateException().isThrownBy(() -> deque.insert(1, "d"));
    assertThatIllegalStateException().isThrownBy(() -> deque.insertAfter("b", "d"));
    assertThat(deque.remainingCapacity()).isZero();
    deque.removeLast();
    assertThat(deque.offerFirst("z")).isTrue();
    assertThat(deque).containsExactly("z", "a", "b");
    PersistentDeque<String> reopened = store.reopen().deque("shop/jobs", String.class);
    assertThat(reopened.offerLast("c")).isFalse();
    PersistentDeque<String> wider =
        store.reopen().deque("shop/jobs", String.class, o -> o.capacity(4));
    assertThat(wider.offerLast("c")).isTrue();
    assertThat(wider.offerLast("d")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aDequeAboveItsNewCapacityTakesNoMore(Kind kind) {
    open(kind).addAll(List.of("a", "b", "c"));
    PersistentDeque<String> bounded =
        store.reopen().deque("shop/jobs", TypeRef.of(String.class), o -> o.capacity(1));
    assertThat(bounded.pollFirst(2)).containsExactly("a", "b");
    assertThat(bounded.offerLast("d")).isFalse();
    bounded.clear();
    assertThat(bounded.offerLast("d")).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void capacityIsForDequesAlone(Kind kind) {
    open(kind);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                store
                    .pool()
                    .map("m", TypeRef.of(String.class), TypeRef.of(String.class), o -> OF_THREE))
        .withMessageContaining("capacity");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StructureOptions.defaults().capacity(0))
        .withMessageContaining("capacity");
  }

  @ParameterizedTest
  @EnumSource
  void expiredElementsAreNeitherSeenNorInTheWay(Kind kind) {
    PersistentDeque<String> deque = openOfThree(kind);
    deque.offerLastExpiring("a", Duration.ofSeconds(1));
    deque.offerLastExpiring("b", Duration.ofSeconds(3));
    deque.offerFirstExpiring("z", Duration.ofSeconds(1));
    assertThat(deque.offerLastExpiring("c", Duration.ZERO)).isTrue();
    assertThat(deque.offerLast("c")).isFalse();
    assertThat(deque.get(1)).isEqualTo("a");
    store.clock.advanceMillis(1_000);
    assertThat(deque).containsExactly("b");
    assertThat(deque.peekFirst()).isEqualTo("b");
    assertThat(deque.get(0)).isEqualTo("b");
    assertThat(deque.remainingCapacity()).isEqualTo(2);
    assertThat(deque.offerLast("c")).isTrue();
    assertThat(deque.offerLast("d")).isTrue();
    assertThat(deque.offerLast("e")).isFalse();
    assertThatThrownBy(() -> deque.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    store.clock.advanceMillis(2_000);
    assertThat(deque.pollFirst()).isEqualTo("c");
    assertThat(deque.pollLast()).isEqualTo("d");
    assertThat(deque.isEmpty()).isTrue();
    assertThat(deque.pollLast()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void aDequeCanExpireAsAWhole(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b"));
    deque.clearAfter(Duration.ofSeconds(1));
    assertThat(deque.clearsIn()).contains(Duration.ofSeconds(1));
    store.clock.advanceMillis(1_000);
    assertThat(deque.isEmpty()).isTrue();
    deque.addLast("c");
    store.clock.advanceMillis(1_000);
    assertThat(deque).containsExactly("c").hasSize(1);
    assertThat(deque.count()).isEqualTo(1);
    assertThat(deque.clearsIn()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void worksInTheMiddle(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b", "c", "d"));
    assertThat(deque.set(1, "B")).isEqualTo("b");
    deque.insert(1, "a2");
    deque.insert(0, "_");
    deque.insert(6, "e");
    assertThat(deque.insertBefore("c", "b2")).isTrue();
    assertThat(deque.insertAfter("e", "f")).isTrue();
    assertThat(deque.insertBefore("_", "!")).isTrue();
    assertThat(deque.insertAfter("none", "f")).isFalse();
    List<String> expected = List.of("!", "_", "a", "a2", "B", "b2", "c", "d", "e", "f");
    assertThat(deque).containsExactlyElementsOf(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(deque.get(i)).isEqualTo(expected.get(i));
    }
    for (long index : new long[] {-11, 10}) {
      assertThatThrownBy(() -> deque.get(index))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("shop/jobs");
    }
    for (long index : new long[] {11, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> deque.insert(index, "x"))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("shop/jobs")
          .hasMessageContaining("index " + index + ";");
    }
    assertThat(deque.trim(2, 5)).isEqualTo(7);
    assertThat(deque).containsExactly("a", "a2", "B").hasSize(3);
    assertThat(deque.trim(1, 100)).isEqualTo(1);
    assertThat(deque.trim(2, 2)).isEqualTo(2);
    assertThat(deque).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void findsEqualElementsFromBothEnds(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b", "a", "c", "a"));
    assertThat(deque.contains("c")).isTrue();
    Object other = 1L;
    assertThat(deque.contains(other)).isFalse();
    assertThat(deque.removeFirstOccurrence("x")).isFalse();
    assertThat(deque.removeLastOccurrence("a")).isTrue();
    assertThat(deque).containsExactly("a", "b", "a", "c");
    assertThat(deque.removeFirstOccurrence("a")).isTrue();
    assertThat(deque).containsExactly("b", "a", "c");
    assertThat(deque.remove("a")).isTrue();
    assertThat(deque.get(1)).isEqualTo("c");
    assertThat(deque).containsExactly("b", "c").hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void walksBothWaysOverManyPagesWhileItChanges(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    PersistentDeque<Integer> deque = store.pool().deque("numbers", Integer.class);
    assertThat(deque.addAllFrom(IntStream.range(0, 2_000).boxed())).isTrue();
    Iterator<Integer> forward = deque.iterator();
    int expected = 0;
    while (forward.hasNext()) {
      int number = forward.next();
      assertThat(number).isEqualTo(expected++);
      if (number % 2 == 0) {
        forward.remove();
      }
      if (number == 1_000) {
        assertThat(deque.pollFirst(3)).containsExactly(1, 3, 5);
        deque.removeFirstOccurrence(1_999);
        deque.addFirst(-1);
      }
      if (number == 1_995) {
        break;
      }
    }
    assertThat(deque).hasSize(1_000 - 3 + 1 - 1 + 2);
    Iterator<Integer> backward = deque.descendingIterator();
    List<Integer> seen = new ArrayList<>();
    backward.forEachRemaining(seen::add);
    assertThat(seen).startsWith(1_998, 1_997, 1_996, 1_995, 1_993).endsWith(9, 7, -1);
    assertThatIllegalStateException().isThrownBy(deque.iterator()::remove);
    assertThat(deque.stream().filter(number -> number % 2 == 0).toList())
        .containsExactly(1_996, 1_998);
  }

  @ParameterizedTest
  @EnumSource
  void anIteratorRemovesNothingElse(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b"));
    Iterator<String> iterator = deque.descendingIterator();
    iterator.next();
    deque.removeLast();
    deque.addLast("c");
    iterator.remove();
    assertThat(deque).containsExactly("a", "c");
    deque.clear();
    assertThat(iterator.next()).isEqualTo("a");
    iterator.remove();
    assertThat(iterator.hasNext()).isFalse();
    Iterator<String> ofDropped = deque.iterator();
    store.pool().names().drop("shop/jobs");
    assertThatIllegalStateException()
        .isThrownBy(ofDropped::hasNext)
        .withMessageContaining("dropped");
  }

  @ParameterizedTest
  @EnumSource
  void batchesAreLargerThanOneTransaction(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    String large = "x".repeat(Limits.MAX_BATCH_BYTES / 5);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      all.add(i + large);
    }
    assertThat(deque.addAll(all)).isTrue();
    assertThat(deque.addAll(List.of())).isFalse();
    assertThat(deque.addAllFrom(Stream.empty())).isFalse();
    List<String> drained = new ArrayList<>();
    assertThat(deque.drainTo(drained, 10)).isEqualTo(10);
    drained.addAll(deque.pollFirst(3));
    assertThat(deque.pollLast(2)).containsExactly(all.get(22), all.get(21));
    assertThat(deque.drainTo(drained)).isEqualTo(8);
    assertThat(drained).isEqualTo(all.subList(0, 21));
    assertThat(deque).isEmpty();
    assertThat(deque.drainTo(drained)).isZero();
    Collection<String> itself = deque;
    assertThatIllegalArgumentException().isThrownBy(() -> deque.drainTo(itself));
    assertThatIllegalArgumentException().isThrownBy(() -> deque.addAll(itself));
    assertThatIllegalArgumentException().isThrownBy(() -> deque.pollFirst(-1));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotDrainedIsBackInFront(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b", "c", "d"));
    List<String> target =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(String element) {
            if (element.equals("c")) {
              throw new IllegalArgumentException("thrown on purpose");
            }
            return super.add(element);
          }
        };
    assertThatIllegalArgumentException().isThrownBy(() -> deque.drainTo(target));
    assertThat(target).containsExactly("a", "b");
    assertThat(deque).containsExactly("c", "d");
  }

  @ParameterizedTest
  @EnumSource
  void movesBetweenDeques(Kind kind) {
    PersistentDeque<String> todo = open(kind);
    PersistentDeque<String> doing =
        store.pool().deque("shop/doing", TypeRef.of(String.class), o -> OF_THREE);
    todo.addAll(List.of("a", "b", "c", "d"));
    assertThat(todo.moveFirstTo(doing, LAST)).isEqualTo("a");
    assertThat(todo.moveLastTo(doing, FIRST)).isEqualTo("d");
    assertThat(todo.moveLastTo(todo, FIRST)).isEqualTo("c");
    todo.offerFirstExpiring("e", Duration.ofSeconds(1));
    assertThat(todo.moveFirstTo(doing, FIRST)).isEqualTo("e");
    assertThat(todo).containsExactly("c", "b");
    assertThat(doing).containsExactly("e", "d", "a");
    assertThatIllegalStateException()
        .isThrownBy(() -> todo.moveFirstTo(doing, FIRST))
        .withMessageContaining("full");
    assertThat(todo).containsExactly("c", "b");
    store.clock.advanceMillis(1_000);
    assertThat(doing).containsExactly("d", "a");
    doing.clear();
    assertThat(doing.moveFirstTo(todo, FIRST)).isNull();
    try (StoreUnderTest other = new StoreUnderTest(Kind.MEMORY, directory)) {
      PersistentDeque<String> far = other.pool().deque("shop/jobs", String.class);
      assertThatIllegalArgumentException().isThrownBy(() -> todo.moveFirstTo(far, LAST));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotStaysAsItWas(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b", "c", "d", "e"));
    deque.offerFirstExpiring("short", Duration.ofSeconds(1));
    deque.remove("c");
    store.clock.advanceMillis(1_000);
    try (Snapshot<List<String>> snapshot = deque.snapshot()) {
      deque.clear();
      store.clock.advanceMillis(1_000);
      List<String> view = snapshot.view();
      assertThat(view).isEqualTo(List.of("a", "b", "d", "e")).hasSize(4);
      assertThat(view.get(0)).isEqualTo("a");
      assertThat(view.get(3)).isEqualTo("e");
      assertThatThrownBy(() -> view.get(4)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> view.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(deque).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tellsListenersAfterTheChange(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    List<String> told = new ArrayList<>();
    Registration registration =
        deque.addListener((element, added) -> told.add((added ? "+" : "-") + element));
    deque.addAll(List.of("a", "b"));
    deque.pollLast();
    deque.set(0, "c");
    deque.insert(0, "d");
    deque.moveFirstTo(deque, LAST);
    registration.close();
    deque.pollFirst(2);
    assertThat(told).containsExactly("+a", "+b", "-b", "-a", "+c", "+d", "-d", "+d");
  }

  @ParameterizedTest
  @EnumSource
  void changesInATransactionAreOneOrNone(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b"));
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        tx -> {
                          deque.addFirst("z");
                          deque.removeLast();
                          assertThat(deque).containsExactly("z", "a");
                          assertThat(deque.get(1)).isEqualTo("a");
                          throw new IllegalStateException("thrown on purpose");
                        }))
        .withMessageContaining("on purpose");
    assertThat(deque).containsExactly("a", "b").hasSize(2);
    assertThat(
            store
                .pool()
                .<List<String>>atomically(
                    tx -> {
                      deque.addFirst("z");
                      return deque.pollLast(2);
                    }))
        .containsExactly("b", "a");
    assertThat(deque).containsExactly("z");
  }

  /** An expired element beyond the ends and a hole between them make up for each other. */
  @ParameterizedTest
  @EnumSource
  void expiredElementsTakeNoRoomWhereverTheyLie(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    PersistentDeque<String> deque =
        store.pool().deque("shop/jobs", TypeRef.of(String.class), o -> o.capacity(4));
    deque.offerLastExpiring("a", Duration.ofMillis(10));
    deque.addAll(List.of("b", "c", "d"));
    deque.remove("c");
    store.clock.advanceMillis(10);
    assertThat(deque.pollFirst()).isEqualTo("b");
    deque.addAll(List.of("e", "f", "g"));
    assertThat(deque.offerLast("h")).isFalse();
    assertThat(deque.pollFirst()).isEqualTo("d");
    assertThat(deque.offerLast("h")).isTrue();
    assertThat(deque.get(3)).isEqualTo("h");
    assertThat(deque).containsExactly("e", "f", "g", "h");
  }
}
