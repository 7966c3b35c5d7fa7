package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.testing.Slow;
import io.rockpool.testing.StoreExtension;
import io.rockpool.testing.tools.Processes;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;

/** A structure through which many elements came and went is read without passing them for long. */
@Slow
@Timeout(120)
final class RemovedElementsTest {
  private static final int MANY = 20_000;
  private static final int LEFT = 20;

  /** A tenth of them: half of it may lie in memory, half in files. */
  private static final int MAX_PASSED = MANY / 10;

  @RegisterExtension final StoreExtension<RocksDbEngine> store = StoreExtension.ofEngine();

  /** How to add and to remove the element of a number, and the ways to look at all. */
  private record Kind(IntConsumer add, IntConsumer remove, Map<String, Supplier<?>> looks) {
    static Kind of(Collection<Integer> elements) {
      return of(elements::add, elements::remove, elements);
    }

    static Kind of(IntConsumer add, IntConsumer remove, Collection<?> elements) {
      Map<String, Supplier<?>> looks = new LinkedHashMap<>();
      looks.put("isEmpty", elements::isEmpty);
      looks.put("size", elements::size);
      looks.put("the first", () -> elements.iterator().hasNext());
      looks.put("all", () -> List.copyOf(elements));
      looks.put("a stream", () -> elements.stream().findAny());
      return new Kind(add, remove, looks);
    }

    static Kind of(Map<Integer, Integer> map) {
      return of(i -> map.put(i, i), map::remove, map.entrySet());
    }
  }

  private static Kind open(String kind, Rockpool pool) {
    return switch (kind) {
      case "map" -> Kind.of(pool.map(kind, Integer.class, Integer.class));
      case "sortedMap" -> Kind.of(pool.sortedMap(kind, Integer.class, Integer.class));
      case "set" -> Kind.of(pool.set(kind, Integer.class));
      case "sortedSet" -> Kind.of(pool.sortedSet(kind, Integer.class));
      case "scoredSet" -> {
        PersistentScoredSet<Integer> scored = pool.scoredSet(kind, Integer.class);
        yield Kind.of(i -> scored.add(i, i), scored::remove, scored);
      }
      case "deque" -> {
        PersistentDeque<Integer> deque = pool.deque(kind, Integer.class);
        yield Kind.of(deque::add, i -> deque.removeLast(), deque);
      }
      case "row of a table" -> {
        PersistentTable<String, Integer, Integer> table =
            pool.table(kind, String.class, Integer.class, Integer.class);
        yield Kind.of(i -> table.put("", i, i), i -> table.remove("", i), table.row("").entrySet());
      }
      case "rows of a table" -> {
        PersistentTable<Integer, Integer, Integer> table =
            pool.table(kind, Integer.class, Integer.class, Integer.class);
        Kind rows = Kind.of(i -> table.put(i, i, i), i -> table.remove(i, i), table.rowKeys());
        rows.looks().put("records", () -> table.stream().findAny());
        yield rows;
      }
      default -> throw new AssertionError(kind);
    };
  }

  static Stream<String> kinds() {
    return Stream.of(
        "map",
        "sortedMap",
        "set",
        "sortedSet",
        "scoredSet",
        "deque",
        "row of a table",
        "rows of a table");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void looksPassFew(String name) {
    try (Rockpool pool = Rockpool.at(o -> store.get()).open()) {
      Kind kind = open(name, pool);
      for (int i = 0; i < MANY; i++) {
        kind.add().accept(i);
      }
      for (int i = MANY - 1; i >= LEFT; i--) {
        kind.remove().accept(i);
      }
      for (Map.Entry<String, Supplier<?>> look : kind.looks().entrySet()) {
        Processes.await(look.getKey(), () -> passed(look.getValue()) <= MAX_PASSED);
      }
    }
  }

  private long passed(Supplier<?> read) {
    RocksDB database = EngineInternals.of(store.get()).database().nativeDatabase();
    database.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try (PerfContext counts = database.getPerfContext()) {
      counts.reset();
      assertThat(read.get()).isNotNull();
      return counts.getInternalDeleteSkippedCount() + counts.getInternalKeySkippedCount();
    } finally {
      database.setPerfLevel(PerfLevel.DISABLE);
    }
  }
}
