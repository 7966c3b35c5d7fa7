package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Indices from both ends, ranges, positions of elements, and elements that are put with a TTL. */
class DequeIndexTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentDeque<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().deque("list", String.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void negativeIndicesCountFromTheEnd(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    assertThatThrownBy(() -> deque.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    deque.addAll(List.of("a", "b", "c", "d"));
    assertThat(deque.get(-1)).isEqualTo("d");
    assertThat(deque.get(-4)).isEqualTo("a");
    assertThatThrownBy(() -> deque.get(-5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> deque.get(Long.MIN_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(deque.set(-2, "C")).isEqualTo("c");
    deque.set(-1, "D", SECOND);
    store.clock.advanceMillis(1_000);
    assertThat(deque.get(-1)).isEqualTo("C");
    deque.remove("b");
    assertThat(deque.get(-2)).isEqualTo("a");
    assertThat(deque.trim(-1, Long.MAX_VALUE)).isEqualTo(1);
    assertThat(deque).containsExactly("C");
  }

  @ParameterizedTest
  @EnumSource
  void readsRanges(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    assertThat(deque.range(0, 10)).isEmpty();
    IntStream.range(0, 600).forEach(i -> deque.addLast("e" + i));
    assertThat(deque.range(0, 2)).containsExactly("e0", "e1");
    assertThat(deque.range(-2, Long.MAX_VALUE)).containsExactly("e598", "e599");
    assertThat(deque.range(-2, -1)).containsExactly("e598");
    assertThat(deque.range(598, 1_000)).containsExactly("e598", "e599");
    assertThat(deque.range(Long.MIN_VALUE, Long.MAX_VALUE)).hasSize(600);
    assertThat(deque.range(3, 3)).isEmpty();
    assertThat(deque.range(5, 3)).isEmpty();
    assertThat(deque.range(600, 601)).isEmpty();
    assertThat(deque.range(0, -600)).isEmpty();
    deque.insert(1, "between", SECOND);
    assertThat(deque.range(0, 3)).containsExactly("e0", "between", "e1");
    store.clock.advanceMillis(1_000);
    assertThat(deque.range(0, 2)).containsExactly("e0", "e1");
  }

  @ParameterizedTest
  @EnumSource
  void findsPositions(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b", "c", "1", "2", "3", "c", "c"));
    assertThat(deque.indexOf("c")).isEqualTo(2);
    assertThat(deque.lastIndexOf("c")).isEqualTo(7);
    assertThat(deque.indexOf("x")).isEqualTo(-1);
    assertThat(deque.indexOf(null)).isEqualTo(-1);
    assertThat(deque.indexOf(7)).isEqualTo(-1);
    assertThat(deque.indicesOf("c", FIRST, 1, Long.MAX_VALUE)).containsExactly(2L, 6L, 7L);
    assertThat(deque.indicesOf("c", FIRST, 2, 1)).containsExactly(6L);
    assertThat(deque.indicesOf("c", LAST, 1, 2)).containsExactly(7L, 6L);
    assertThat(deque.indicesOf("c", LAST, 3, 2)).containsExactly(2L);
    assertThat(deque.indicesOf("c", LAST, 4, 2)).isEmpty();
    assertThat(deque.indicesOf("c", FIRST, 1, 0)).isEmpty();
    deque.set(0, "a", SECOND);
    store.clock.advanceMillis(1_000);
    assertThat(deque.indicesOf("c", LAST, 1, 1)).containsExactly(6L);
    assertThat(deque.indexOf("c")).isEqualTo(1);
    assertThatThrownBy(() -> deque.indicesOf("c", FIRST, 0, 1)).hasMessageContaining("rank is 0");
    assertThatThrownBy(() -> deque.indicesOf("c", FIRST, 1, -1)).hasMessageContaining("-1");
  }

  @ParameterizedTest
  @EnumSource
  void removesSeveralOccurrences(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("x", "a", "x", "b", "x", "x"));
    assertThat(deque.removeOccurrences("x", LAST, 2)).isEqualTo(2);
    assertThat(deque).containsExactly("x", "a", "x", "b");
    assertThat(deque.removeOccurrences("x", FIRST, 1)).isEqualTo(1);
    assertThat(deque).containsExactly("a", "x", "b");
    assertThat(deque.removeOccurrences("x", FIRST, 0)).isZero();
    deque.addLast("x");
    assertThat(deque.removeOccurrences("x", FIRST, Long.MAX_VALUE)).isEqualTo(2);
    assertThat(deque.removeOccurrences(null, FIRST, 5)).isZero();
    assertThat(deque).containsExactly("a", "b");
    assertThatThrownBy(() -> deque.removeOccurrences("a", FIRST, -1)).hasMessageContaining("-1");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPutWithATtlExpires(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "b", "c"));
    assertThat(deque.set(1, "B", SECOND)).isEqualTo("b");
    deque.insert(0, "first", SECOND);
    deque.insert(4, "last", SECOND);
    assertThat(deque.insertBefore("a", "before", SECOND)).isTrue();
    assertThat(deque.insertAfter("a", "after", SECOND)).isTrue();
    assertThat(deque.insertAfter("x", "nowhere", SECOND)).isFalse();
    assertThat(deque).containsExactly("first", "before", "a", "after", "B", "c", "last");
    store.clock.advanceMillis(1_000);
    assertThat(deque).containsExactly("a", "c");
    deque.insert(1, "never", Duration.ZERO);
    assertThat(deque.insertAfter("a", "never", Duration.ofSeconds(-1))).isTrue();
    assertThat(deque.set(0, "never", Duration.ZERO)).isEqualTo("a");
    assertThat(store.reopen().deque("list", String.class)).containsExactly("c");
  }

  @ParameterizedTest
  @EnumSource
  void addsToWhatIsNotEmpty(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    assertThat(deque.offerFirstIfNotEmpty("a")).isFalse();
    assertThat(deque.offerLastIfNotEmpty("a")).isFalse();
    deque.offerLastExpiring("b", SECOND);
    assertThat(deque.offerFirstIfNotEmpty("a")).isTrue();
    assertThat(deque.offerLastIfNotEmpty("c")).isTrue();
    assertThat(deque).containsExactly("a", "b", "c");
    deque.clear();
    deque.offerLastExpiring("b", SECOND);
    store.clock.advanceMillis(1_000);
    assertThat(deque.offerLastIfNotEmpty("c")).isFalse();
    assertThat(deque).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void joinsTransactions(Kind kind) {
    PersistentDeque<String> deque = open(kind);
    deque.addAll(List.of("a", "x", "b", "x"));
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        transaction -> {
                          deque.addLast("x");
                          assertThat(deque.indicesOf("x", LAST, 1, 2)).containsExactly(4L, 3L);
                          assertThat(deque.removeOccurrences("x", LAST, 2)).isEqualTo(2);
                          assertThat(deque.offerFirstIfNotEmpty("0")).isTrue();
                          deque.set(-1, "B", SECOND);
                          deque.insert(1, "i", SECOND);
                          assertThat(deque.range(0, -1)).containsExactly("0", "i", "a", "x");
                          assertThat(deque.get(-1)).isEqualTo("B");
                          throw new IllegalStateException("undone");
                        }))
        .hasMessage("undone");
    assertThat(deque).containsExactly("a", "x", "b", "x");
    store.pool().atomically(transaction -> deque.removeOccurrences("x", FIRST, 5));
    assertThat(deque).containsExactly("a", "b");
  }
}
