package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the server plans the statements: once, and so that no call reads a whole table. */
@Slow
@Needs(Tool.POSTGRESQL)
final class PlansTest {
  private static final int MANY = 20_000;
  private static final int SOME = 1_000;

  /** The server plans a prepared statement for its parameters so often before it keeps a plan. */
  private static final int PLANS = 5;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final HikariDataSource source = server.pool();
  private final PostgresEngine engine =
      PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));
  private final Rockpool pool = Rockpool.at(o -> engine).open();
  private final PersistentCache<String, String> cache =
      pool.cache("cache", String.class, String.class);
  private final PersistentMap<String, String> map = pool.map("map", String.class, String.class);
  private final PersistentSortedMap<String, String> sortedMap =
      pool.sortedMap("sorted", String.class, String.class);
  private final PersistentScoredSet<String> scores = pool.scoredSet("scores", String.class);
  private final PersistentDeque<String> deque = pool.deque("deque", String.class);
  private final PersistentCounter counter = pool.counter("counter");
  private final Map<String, Runnable> calls = new LinkedHashMap<>();
  private int number;

  PlansTest() {
    calls.put("get", () -> cache.get(next()));
    calls.put("put", () -> cache.put(next(), "v"));
    calls.put("getAll", () -> cache.getAll(three()));
    calls.put("putAll", () -> cache.putAll(some(2)));
    calls.put("invalidateAll", () -> cache.invalidateAll(three()));
    calls.put("remove", () -> cache.remove(next()));
    calls.put("load", () -> cache.get(next(), key -> "v"));
    calls.put("map.put", () -> map.put(next(), "v"));
    calls.put("map.putAll", () -> map.putAll(some(2)));
    calls.put("map.remove", () -> map.remove(next()));
    calls.put("sortedMap.first", sortedMap::firstEntry);
    calls.put("sortedMap.put", () -> sortedMap.put(next(), "v"));
    calls.put("sortedMap.pollFirst", sortedMap::pollFirstEntry);
    calls.put("scores.add", () -> scores.add(next(), number));
    calls.put("deque.offer", () -> deque.offer(next()));
    calls.put("deque.poll", deque::poll);
    calls.put("deque.pollFirst", () -> deque.pollFirst(2));
    calls.put("deque.pollLast", () -> deque.pollLast(2));
    calls.put("counter", counter::incrementAndGet);
    calls.put(
        "atomically",
        () ->
            pool.atomically(
                any -> {
                  map.put(next(), "v");
                  cache.put(next(), "v");
                  map.remove(next());
                  return deque.offer(next());
                }));
  }

  @BeforeEach
  void leaveAnalyzingToTheStore() throws SQLException {
    for (String table : List.of("entries", "records", "heads")) {
      server.execute("ALTER TABLE " + schema + "." + table + " SET (autovacuum_enabled = false)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    pool.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private String next() {
    return "key-" + ++number;
  }

  private List<String> three() {
    return Stream.generate(this::next).limit(3).toList();
  }

  private static Map<String, String> some(Collection<? extends String> keys) {
    Map<String, String> some = new HashMap<>();
    keys.forEach(key -> some.put(key, "v"));
    return some;
  }

  private Map<String, String> some(int count) {
    Map<String, String> some = new HashMap<>();
    while (some.size() < count) {
      some.put(next(), "v");
    }
    return some;
  }

  private void call(int times) {
    for (Runnable call : calls.values()) {
      for (int i = 0; i < times; i++) {
        call.run();
      }
    }
  }

  private void fill() {
    for (int i = 0; i < MANY; i += SOME) {
      Map<String, String> some = some(SOME);
      cache.putAll(some);
      map.putAll(some);
      sortedMap.putAll(some);
      deque.addAll(some.keySet());
    }
  }

  private void letAnotherHandleOwnTheStore() throws SQLException {
    server.execute("UPDATE " + schema + ".store SET owner = 1, owned_until = 'infinity'");
  }

  /** All connections that the calls may have used; the caller closes them. */
  private List<Connection> idle() throws SQLException {
    List<Connection> idle = new ArrayList<>();
    while (source.getHikariPoolMXBean().getIdleConnections() > 0) {
      idle.add(source.getConnection());
    }
    return idle;
  }

  private static void close(List<Connection> connections) throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }

  /** How many entries and records the server has read. */
  private long reads() throws Exception {
    // The server counts once a second at most.
    TimeUnit.MILLISECONDS.sleep(1_100);
    List<Connection> connections = idle();
    for (Connection connection : connections) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_stat_force_next_flush()");
      }
    }
    close(connections);
    return server.number(
        "SELECT sum(seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_user_tables"
            + " WHERE schemaname = '%s' AND relname IN ('entries', 'records')".formatted(schema));
  }

  @Test
  void aStatementIsNotPlannedForEachCall() throws Exception {
    fill();
    letAnotherHandleOwnTheStore(); // this one would analyze tables while the calls run
    server.execute("ANALYZE");
    source.getHikariPoolMXBean().softEvictConnections();
    call(20);
    Map<String, Integer> replanned = new TreeMap<>();
    int seen = 0;
    List<Connection> connections = idle();
    for (Connection connection : connections) {
      try (Statement statement = connection.createStatement();
          ResultSet result =
              statement.executeQuery(
                  "SELECT statement, custom_plans, generic_plans FROM pg_prepared_statements")) {
        while (result.next()) {
          seen += result.getInt(3) > 0 ? 1 : 0;
          if (result.getInt(2) > PLANS) {
            replanned.put(result.getString(1), result.getInt(2));
          }
        }
      }
    }
    close(connections);
    assertThat(replanned).isEmpty();
    assertThat(seen).isGreaterThan(calls.size());
  }

  /** The plans are made for empty tables; the tables grow. */
  @Test
  void noCallReadsAWholeTableThatHasGrown() throws Exception {
    letAnotherHandleOwnTheStore();
    call(20);
    fill();
    engine.sweeper().analyzeGrown();
    long before = reads();
    call(5);
    assertThat(reads() - before).isLessThan(MANY / 2);
  }

  @Test
  void readsOfATableThatHasJustGrownUseItsIndex() throws Exception {
    calls.keySet().retainAll(List.of("get", "getAll", "put", "load", "sortedMap.first", "map.put"));
    letAnotherHandleOwnTheStore();
    call(20);
    fill();
    long before = reads();
    call(5);
    assertThat(reads() - before).isLessThan(MANY / 2);
  }

  /** After a clear, the server believes that the table is empty, but has its pages. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void manyKeysAreLoadedAndRemovedWhateverTheServerKnowsOfTheTable() throws Exception {
    letAnotherHandleOwnTheStore();
    Set<String> keys = some(MANY).keySet();
    cache.getAll(keys, PlansTest::some);
    server.execute("DELETE FROM " + schema + ".entries");
    server.execute("ANALYZE " + schema + ".entries");
    cache.getAll(keys, PlansTest::some);
    assertThat(cache.getAll(keys)).hasSize(MANY);
    cache.invalidateAll(keys);
    assertThat(cache.getAll(keys)).isEmpty();
  }

  @Test
  void theOwnerAnalyzesWhatHasGrown() throws Exception {
    fill();
    String pages =
        "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = '%s' AND c.relname IN ('entries', 'records') AND relpages > 0"
                .formatted(schema);
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (server.number(pages) < 2 && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertThat(server.number(pages)).isEqualTo(2);
  }
}
