package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each operation meets a conflict at each of its statements in turn, COMMIT included, and does once
 * what it does on a store in memory.
 */
@Needs(Tool.POSTGRESQL)
final class ConflictAtEachStatementTest {
  private static final Map<String, Function<Rockpool, Object>> OPERATIONS = new LinkedHashMap<>();

  static {
    OPERATIONS.put("map.put", p -> p.map("m", String.class, Long.class).put("a", 5L));
    OPERATIONS.put("map.increment", p -> p.map("m", String.class, Long.class).increment("a", 3));
    OPERATIONS.put(
        "map.merge", p -> p.map("m", String.class, Long.class).merge("a", 2L, Long::sum));
    OPERATIONS.put("map.remove", p -> p.map("m", String.class, Long.class).remove("a"));
    OPERATIONS.put("sortedMap.put", p -> p.sortedMap("sm", String.class, Long.class).put("a", 1L));
    OPERATIONS.put("set.add", p -> p.set("s", String.class).add("a"));
    OPERATIONS.put("sortedSet.add", p -> p.sortedSet("ss", String.class).add("a"));
    OPERATIONS.put("scoredSet.size", p -> p.scoredSet("sc", String.class).size());
    OPERATIONS.put("deque.offerLast", p -> p.deque("d", String.class).offerLast("x"));
    OPERATIONS.put("deque.offerFirst", p -> p.deque("d", String.class).offerFirst("y"));
    OPERATIONS.put("deque.pollFirst", p -> p.deque("d", String.class).pollFirst());
    OPERATIONS.put("deque.size", p -> p.deque("d", String.class).size());
    OPERATIONS.put("value.getAndSet", p -> p.value("v", Long.class).getAndSet(7L));
    OPERATIONS.put("counter.increment", p -> p.counter("c").incrementAndGet());
    OPERATIONS.put(
        "table.put",
        p -> p.table("t", String.class, String.class, Long.class).getAndPut("r", "c", 1L));
    OPERATIONS.put(
        "queue.send",
        p -> {
          p.queue("q", String.class).send("message");
          return p.queue("q", String.class).size();
        });
    OPERATIONS.put(
        "cache.put",
        p -> {
          p.cache("ca", String.class, String.class).put("a", "1");
          return p.cache("ca", String.class, String.class).get("a");
        });
    OPERATIONS.put(
        "cache.putIfAbsent", p -> p.cache("ca", String.class, String.class).putIfAbsent("b", "1"));
    OPERATIONS.put("cache.remove", p -> p.cache("ca", String.class, String.class).remove("b"));
    OPERATIONS.put(
        "atomically",
        p -> {
          PersistentCounter counter = p.counter("c");
          return p.atomically(
              tx -> {
                p.map("m", String.class, Long.class).merge("t", 1L, Long::sum);
                p.deque("d", String.class).offerLast("t");
                p.cache("ca", String.class, String.class).put("t", "t");
                return counter.addAndGet(10);
              });
        });
    OPERATIONS.put(
        "cache.clear",
        p -> {
          p.cache("ca", String.class, String.class).clear();
          return p.cache("ca", String.class, String.class).get("a") == null;
        });
  }

  /** Both stores have the same, read without conflicts. */
  private static List<Object> content(Rockpool pool) {
    return List.of(
        Map.copyOf(pool.map("m", String.class, Long.class)),
        List.copyOf(pool.deque("d", String.class)),
        pool.counter("c").get(),
        pool.queue("q", String.class).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void itRunsAgainAndIsDoneOnce(String state) throws Exception {
    PostgresServer server = PostgresServer.running();
    String schema = PostgresServer.newSchema();
    int conflicts = 0;
    try (HikariDataSource real = server.pool()) {
      ConflictingSource conflicting = new ConflictingSource(real);
      try (Rockpool pool =
              Rockpool.at(PostgresEngine.factory(conflicting.source(), schema)).open();
          Rockpool model = Rockpool.inMemory()) {
        for (Map.Entry<String, Function<Rockpool, Object>> operation : OPERATIONS.entrySet()) {
          boolean more = true;
          for (int place = 1; more; place++) {
            conflicting.conflictAt(place, state);
            Object result = operation.getValue().apply(pool);
            more = conflicting.hasConflicted();
            conflicts += more ? 1 : 0;
            String what = operation.getKey() + ", conflict at statement " + place;
            assertThat(result).as(what).isEqualTo(operation.getValue().apply(model));
            assertThat(content(pool)).as(what).isEqualTo(content(model));
          }
        }
      }
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
    }
    assertThat(conflicts).isGreaterThan(OPERATIONS.size());
  }
}
