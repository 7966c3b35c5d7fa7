package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of two stores, one inside the other. */
final class TwoStoresTest {
  @TempDir Path parent;

  private Rockpool open(String name) {
    return Rockpool.at(parent.resolve(name)).memoryBytes(16L << 20).open();
  }

  /** What a thread does to the stores; the other does the same with the stores exchanged. */
  private interface Nesting {
    void run(Rockpool outer, Rockpool inner, Runnable holdsOuter);
  }

  private static PersistentMap<String, String> map(Rockpool pool) {
    return pool.map("map", String.class, String.class);
  }

  /**
   * One of the two goes on, the other is told; what was told changed nothing in its outer store.
   */
  private void assertOneIsTold(Nesting nesting) throws Exception {
    try (Rockpool first = open("first");
        Rockpool second = open("second")) {
      map(first).put("key", "0");
      map(second).put("key", "0");
      CyclicBarrier both = new CyclicBarrier(2);
      Running<String> one =
          Threads.start(() -> outcome(() -> nesting.run(first, second, meet(both))));
      Running<String> two =
          Threads.start(() -> outcome(() -> nesting.run(second, first, meet(both))));
      String firstOuter = one.result();
      String secondOuter = two.result();
      assertThat(Map.of(firstOuter.isEmpty(), 1, secondOuter.isEmpty(), 1)).hasSize(2);
      assertThat(firstOuter + secondOuter).contains("wait for each other");
      assertThat(map(first).get("key")).isEqualTo(firstOuter.isEmpty() ? "outer" : "inner");
      assertThat(map(second).get("key")).isEqualTo(firstOuter.isEmpty() ? "inner" : "outer");
    }
  }

  private static String outcome(Runnable nesting) {
    try {
      nesting.run();
      return "";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static Runnable meet(CyclicBarrier both) {
    return () -> {
      try {
        both.await(10, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    };
  }

  @Test
  void transactionsThatAreNestedInBothOrders() throws Exception {
    assertOneIsTold(
        (outer, inner, holdsOuter) ->
            outer.atomically(
                transaction -> {
                  map(outer).put("key", "outer");
                  holdsOuter.run();
                  return inner.atomically(nested -> map(inner).put("key", "inner"));
                }));
  }

  @Test
  void singleWritesInsideTransactionsOfTheOtherStore() throws Exception {
    assertOneIsTold(
        (outer, inner, holdsOuter) ->
            outer.atomically(
                transaction -> {
                  map(outer).put("key", "outer");
                  holdsOuter.run();
                  return map(inner).put("key", "inner");
                }));
  }

  @Test
  void aTransactionThatWaitsForALoadWhoseLoaderWaitsForItsRows() throws Exception {
    try (Rockpool first = open("first");
        Rockpool second = open("second")) {
      PersistentCache<String, String> cache =
          second.cache("cache", String.class, String.class, o -> o);
      map(first).put("key", "0");
      CyclicBarrier both = new CyclicBarrier(2);
      Running<String> load =
          Threads.start(
              () ->
                  outcome(
                      () ->
                          cache.get(
                              "key",
                              key -> {
                                meet(both).run();
                                map(first).put("key", "loader");
                                return "loaded";
                              })));
      Running<String> transaction =
          Threads.start(
              () ->
                  outcome(
                      () ->
                          first.atomically(
                              own -> {
                                map(first).put("key", "transaction");
                                meet(both).run();
                                return cache.get("key", key -> "own");
                              })));
      assertThat(load.result() + transaction.result()).contains("Deadlock");
      assertThat(map(first).put("key", "after")).isIn("0", "loader", "transaction");
      assertThat(cache.get("key", key -> "again")).isIn("loaded", "again");
    }
  }

  @Test
  void transactionsInOneOrderWaitAndGoOn() throws Exception {
    try (Rockpool first = open("first");
        Rockpool second = open("second")) {
      map(first).put("key", "0");
      map(second).put("key", "0");
      Running<String> one = Threads.start(() -> nestOften(first, second));
      Running<String> two = Threads.start(() -> nestOften(first, second));
      assertThat(one.result() + two.result()).isEmpty();
      assertThat(map(first).get("key")).isEqualTo("300");
      assertThat(map(second).get("key")).isEqualTo("300");
    }
  }

  private static String nestOften(Rockpool outer, Rockpool inner) {
    return outcome(
        () -> {
          for (int i = 0; i < 150; i++) {
            outer.atomically(
                transaction -> {
                  add(map(outer));
                  return inner.atomically(nested -> add(map(inner)));
                });
          }
        });
  }

  private static String add(PersistentMap<String, String> map) {
    return map.merge("key", "1", (a, b) -> String.valueOf(Integer.parseInt(a) + 1));
  }
}
