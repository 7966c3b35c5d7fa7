package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in a deque all the time is found, though insertions in its midst move it. */
@Timeout(60)
final class DequeSearchTest {
  private static final int CALLS = 400;
  private static final int MOST = 600;
  private static final String SOUGHT = "sought";

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void nothingIsMissedBesideInsertionsInTheMidst(Kind kind) throws Exception {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentDeque<String> deque = store.pool().deque("deque", String.class);
      Map<String, IntPredicate> searches =
          Map.of(
              "contains", i -> deque.contains(SOUGHT),
              "insertBefore and remove", i -> deque.insertBefore(SOUGHT, "x") && deque.remove("x"),
              "insertAfter and remove", i -> deque.insertAfter(SOUGHT, "x") && deque.remove("x"),
              "removeFirstOccurrence", i -> deque.removeFirstOccurrence(SOUGHT) && restore(deque),
              "removeLastOccurrence", i -> deque.removeLastOccurrence(SOUGHT) && restore(deque),
              "removeIf", i -> deque.removeIf(SOUGHT::equals) && restore(deque),
              "removeAll", i -> deque.removeAll(List.of(SOUGHT)) && restore(deque));
      AtomicBoolean ended = new AtomicBoolean();
      fill(deque);
      CompletableFuture<Void> inserting =
          CompletableFuture.runAsync(
              () -> {
                while (!ended.get()) {
                  if (deque.size() > MOST) {
                    deque.removeIf(element -> element.startsWith("new"));
                  }
                  deque.insertAfter("pivot", "new");
                }
              });
      try {
        searches.forEach(
            (name, search) -> {
              AtomicInteger missed = new AtomicInteger();
              for (int i = 0; i < CALLS / searches.size(); i++) {
                missed.addAndGet(search.test(i) ? 0 : 1);
              }
              assertThat(missed).as("%s: misses of %d", name, CALLS / searches.size()).hasValue(0);
            });
      } finally {
        ended.set(true);
        inserting.get();
      }
      assertThat(deque.stream().filter(SOUGHT::equals)).hasSize(1);
      assertThat(deque.contains("absent")).isFalse();
      assertThat(deque.removeIf("absent"::equals)).isFalse();
      assertThat(store.pool().verify().isClean()).isTrue();
    }
  }

  /** Where insertions behind the pivot move it, again and again. */
  private static boolean restore(PersistentDeque<String> deque) {
    return deque.insertAfter("pivot", SOUGHT);
  }

  private static void fill(PersistentDeque<String> deque) {
    for (int i = 0; i < 100; i++) {
      deque.add("before " + i);
    }
    deque.add("pivot");
    deque.add(SOUGHT);
    for (int i = 0; i < 100; i++) {
      deque.add("behind " + i);
    }
  }

  /** An element that goes round is there all the time. */
  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void aDequeThatIsNeverEmptyIsNotFoundEmpty(Kind kind) throws Exception {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      PersistentDeque<String> deque = store.pool().deque("deque", String.class);
      deque.add("a");
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Void> turning =
          CompletableFuture.runAsync(
              () -> {
                while (!ended.get()) {
                  deque.addLast("a");
                  deque.removeFirst();
                }
              });
      int missed = 0;
      for (int i = 0; i < 2_000; i++) {
        missed += deque.isEmpty() || !deque.contains("a") ? 1 : 0;
      }
      ended.set(true);
      turning.get();
      assertThat(missed).isZero();
    }
  }
}
