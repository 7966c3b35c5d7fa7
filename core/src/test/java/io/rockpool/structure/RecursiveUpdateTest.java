package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A function that changes the entry it decides on is refused, as by ConcurrentHashMap. */
@Timeout(30)
final class RecursiveUpdateTest {
  @TempDir Path directory;

  private record Update(String name, Runnable call) {}

  private static List<Update> updates(String name, ConcurrentMap<String, Integer> map) {
    return List.of(
        new Update(name + " compute", () -> map.compute("k", (k, v) -> map.put("k", v + 1))),
        new Update(
            name + " compute that removes",
            () ->
                map.compute(
                    "k",
                    (k, v) -> {
                      map.remove("k");
                      return v;
                    })),
        new Update(
            name + " computeIfPresent",
            () ->
                map.computeIfPresent(
                    "k",
                    (k, v) -> {
                      map.putAll(Map.of("k", v + 1));
                      return v;
                    })),
        new Update(
            name + " computeIfAbsent",
            () ->
                map.computeIfAbsent(
                    "absent",
                    k -> {
                      map.putIfAbsent(k, 1);
                      return 2;
                    })),
        new Update(
            name + " merge",
            () ->
                map.merge(
                    "k",
                    1,
                    (a, b) -> {
                      map.replace("k", a + 10);
                      return a + b;
                    })),
        new Update(
            name + " replaceAll",
            () ->
                map.replaceAll(
                    (k, v) -> {
                      map.put(k, v + 10);
                      return v + 1;
                    })),
        new Update(
            name + " compute in compute",
            () -> map.compute("k", (k, v) -> map.compute("k", (key, value) -> value + 1))),
        new Update(
            name + " compute behind another key",
            () ->
                map.compute(
                    "k", (k, v) -> map.compute("other", (key, value) -> map.put("k", v + 1)))));
  }

  @ParameterizedTest
  @CsvSource({"MEMORY, false", "MEMORY, true", "ROCKSDB, false", "ROCKSDB, true"})
  void itIsRefusedAndNothingIsChanged(Kind kind, boolean inTransaction) {
    try (StoreUnderTest store = new StoreUnderTest(kind, directory)) {
      Rockpool pool = store.pool();
      PersistentMap<String, Integer> map = pool.map("map", String.class, Integer.class);
      PersistentSortedMap<String, Integer> sorted =
          pool.sortedMap("sorted", String.class, Integer.class);
      PersistentTable<String, String, Integer> table =
          pool.table("table", String.class, String.class, Integer.class);
      List<ConcurrentMap<String, Integer>> maps =
          List.of(map, sorted, sorted.headMap("z"), table.row("row"));
      PersistentValue<Integer> value = pool.value("value", Integer.class);
      PersistentCounter counter = pool.counter("counter");
      value.set(1);
      counter.set(1);
      for (ConcurrentMap<String, Integer> some : maps) {
        some.put("k", 1);
        for (Update update : updates(some.getClass().getSimpleName(), some)) {
          assertRefused(pool, inTransaction, update);
          assertThat(some).as(update.name()).isEqualTo(Map.of("k", 1));
        }
        // Other entries may be changed, and so may this one afterwards.
        some.compute("k", (k, v) -> some.put("other", 5) == null ? v + 1 : null);
        assertThat(some).isEqualTo(Map.of("k", 2, "other", 5));
        some.keySet().removeAll(List.of("k", "other"));
      }
      assertRefused(
          pool,
          inTransaction,
          new Update(
              "value",
              () ->
                  value.updateAndGet(
                      v -> {
                        value.set(7);
                        return 8;
                      })));
      assertRefused(
          pool,
          inTransaction,
          new Update("counter", () -> counter.updateAndGet(v -> counter.addAndGet(5))));
      assertThat(value.get()).isOne();
      assertThat(counter.get()).isOne();
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  private static void assertRefused(Rockpool pool, boolean inTransaction, Update update) {
    assertThatThrownBy(
            () -> {
              if (inTransaction) {
                pool.atomically(
                    tx -> {
                      update.call().run();
                      return tx;
                    });
              } else {
                update.call().run();
              }
            })
        .as(update.name())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Recursive update");
  }
}
