package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.store.Registration;
import io.rockpool.testing.Threads;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a look of the feed reads, and that it misses no change. */
@Needs(Tool.POSTGRESQL)
final class FeedReadsTest {
  private static final int MANY = 20_000;

  /** A look so often makes the server keep a plan for any snapshot. */
  private static final int LOOKS = 12;

  /** Pages of the table and the index for a look; all changes have some hundreds. */
  private static final long FEW_PAGES = 25;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final HikariDataSource source = server.pool();
  private final PostgresEngine engine =
      PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));
  private final String looks = engine.database().sql(ServerDialect.LOOK);
  private long space;

  @BeforeEach
  void createSpace() throws SQLException {
    server.execute("ALTER TABLE " + schema + ".changes SET (autovacuum_enabled = false)");
    engine.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
    space = server.number("SELECT id FROM " + schema + ".space_info WHERE name = 'space'");
  }

  @AfterEach
  void close() throws SQLException {
    engine.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void addChanges(Connection connection, int count) throws SQLException {
    Parameters.update(
        connection,
        "INSERT INTO %s.changes (origin, space, kind, hash_key) SELECT 7, ?, 0, '\\x00'"
                .formatted(schema)
            + " FROM generate_series(1, ?)",
        space,
        count);
  }

  private static String snapshot(Connection connection) throws SQLException {
    return Parameters.text(connection, "SELECT pg_current_snapshot()::text");
  }

  /** How many changes a look finds. */
  private int found(PreparedStatement look, String seen) throws SQLException {
    look.setString(1, "10000");
    look.setString(2, seen);
    look.setLong(3, engine.origin());
    int found = 0;
    try (ResultSet result = PostgresFeed.changes(look)) {
      while (result.next()) {
        found += result.getLong(3) == space ? 1 : 0;
      }
    }
    return found;
  }

  /** How many pages of the changes this transaction has read so far. */
  private long pages(Connection connection) throws SQLException {
    return Parameters.number(
        connection,
        "SELECT pg_stat_get_xact_blocks_fetched('%1$s.changes'::regclass)".formatted(schema)
            + " + pg_stat_get_xact_blocks_fetched('%1$s.changes_xid'::regclass)".formatted(schema));
  }

  private void checkReadsFew(Connection reader, PreparedStatement look, String seen, int expected)
      throws SQLException {
    for (int i = 0; i < LOOKS; i++) {
      long before = pages(reader);
      assertThat(found(look, seen)).isEqualTo(expected);
      assertThat(pages(reader) - before).as("look %d", i).isLessThan(FEW_PAGES);
    }
  }

  /** Also if the server planned the look while the table was empty, and knows no better. */
  @Test
  void aLookBesideAnOldTransactionReadsOnlyWhatIsNew() throws Exception {
    server.execute("TRUNCATE " + schema + ".changes");
    server.execute("VACUUM ANALYZE " + schema + ".changes");
    try (Connection old = source.getConnection();
        Connection writer = source.getConnection();
        Connection reader = source.getConnection()) {
      reader.setAutoCommit(false);
      old.setAutoCommit(false);
      addChanges(old, 5);
      try (PreparedStatement look = reader.prepareStatement(looks)) {
        checkReadsFew(reader, look, snapshot(reader), 0);
        addChanges(old, MANY);
        for (int i = 0; i < 20; i++) {
          addChanges(writer, MANY / 20);
        }
        String seen = snapshot(reader);
        checkReadsFew(reader, look, seen, 0);
        addChanges(writer, 3);
        checkReadsFew(reader, look, seen, 3);
        server.execute("ANALYZE " + schema + ".changes");
        checkReadsFew(reader, look, seen, 3);
        old.commit();
        assertThat(found(look, seen)).isEqualTo(MANY + 8);
      }
    }
  }

  /** The rule of the look is the server's own for the visibility of a transaction. */
  @Test
  void aLookFindsExactlyWhatASnapshotDidNotSee() throws Exception {
    Random random = new Random(1);
    try (Connection connection = source.getConnection()) {
      long next = 100 + server.number("SELECT pg_current_xact_id()::text::bigint");
      while (server.number("SELECT pg_current_xact_id()::text::bigint") < next) {
        // So many numbers were used.
      }
      for (long xid = next - 100; xid < next; xid++) {
        Parameters.update(
            connection,
            "INSERT INTO %s.changes VALUES (?::text::xid8, 7, ?, 0, '\\x00')".formatted(schema),
            Long.toString(xid),
            space);
      }
      for (int round = 0; round < 200; round++) {
        long min = next - 110 + random.nextInt(100);
        long max = min + random.nextInt(20);
        String running =
            LongStream.range(min, max)
                .filter(xid -> xid == min || random.nextInt(3) == 0)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(","));
        String seen = min + ":" + max + ":" + running;
        long expected =
            Parameters.number(
                connection,
                "SELECT count(*) FROM %s.changes WHERE space = ?".formatted(schema)
                    + " AND NOT pg_visible_in_snapshot(xid, ?::pg_snapshot)",
                space,
                seen);
        try (PreparedStatement look = connection.prepareStatement(looks)) {
          assertThat(found(look, seen)).as(seen).isEqualTo((int) expected);
        }
      }
    }
  }

  /** When the feed's session began its last look. */
  private String lastLook() throws SQLException {
    try (Connection connection = source.getConnection()) {
      return Parameters.text(
          connection,
          "SELECT max(query_start)::text FROM pg_stat_activity"
              + " WHERE query LIKE '%AS seen%' AND query LIKE ? AND pid <> pg_backend_pid()",
          "%" + schema + "%");
    }
  }

  /** Its own writes wake the other handles only, so a process alone has no looks for them. */
  @Test
  void ownNotificationsCauseNoLooks() throws Exception {
    Duration noNet = Duration.ofMinutes(1);
    Set<String> reported = ConcurrentHashMap.newKeySet();
    AtomicInteger lost = new AtomicInteger();
    try (PostgresEngine alone =
            PostgresEngine.open(source, PostgresOptions.defaults().schema(schema).poll(noNet));
        Registration registration = alone.onChange(collecting(reported, lost))) {
      Space mine = alone.open("space");
      awaitReport(reported, "first");
      Set<String> begun = new TreeSet<>();
      for (int i = 0; i < 30; i++) {
        mine.put(bytes("own"), Space.NO_SORT_KEY, bytes("value"), Expiry.NEVER);
        begun.add(lastLook());
        TimeUnit.MILLISECONDS.sleep(6); // notifications are five milliseconds apart
      }
      assertThat(begun).hasSizeBetween(1, 2); // the second one for the report before
      awaitReport(reported, "second");
    }
    assertThat(reported).containsExactlyInAnyOrder("first", "second");
    assertThat(lost).hasValue(0);
  }

  /** Such as one with a long queue of notifications. Each session that tries it stays for long. */
  @Test
  void aServerThatIsSlowToListenIsNotAskedAgainAndAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    ObservedSource slow =
        new ObservedSource(source) {
          @Override
          void running(Connection connection, String sql) throws SQLException {
            if (sql.startsWith("LISTEN")) {
              asked.incrementAndGet();
              long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_500);
              while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
              }
              throw new SQLException("No answer, in the test.", "08006");
            }
          }
        };
    Set<String> reported = ConcurrentHashMap.newKeySet();
    AtomicInteger lost = new AtomicInteger();
    try (PostgresEngine deaf =
            PostgresEngine.open(slow.source(), PostgresOptions.defaults().schema(schema));
        Registration registration = deaf.onChange(collecting(reported, lost))) {
      long end = System.nanoTime() + PATIENCE_NANOS;
      for (int i = 0; reported.isEmpty() && System.nanoTime() < end; i++) {
        addChange("change " + i); // those before the feed is back are lost with it
        TimeUnit.MILLISECONDS.sleep(100);
      }
      awaitReport(reported, "one more");
    }
    assertThat(asked).hasValue(1);
    assertThat(lost).hasPositiveValue();
  }

  private void addChange(String key) throws SQLException {
    try (Connection connection = source.getConnection()) {
      addChange(connection, key);
    }
  }

  /** Another handle writes. */
  private void awaitReport(Set<String> reported, String key) throws Exception {
    addChange(key);
    server.execute(ServerDialect.notification(schema, 7));
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!reported.contains(key) && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(reported).contains(key);
  }

  /**
   * Transactions of any length that commit in another order than they begin, with parts of their
   * own, some of which are rolled back: subtransactions have numbers, too.
   */
  @Test
  void noChangeIsMissedBesideTransactionsOfAnyLength() throws Exception {
    Set<String> reported = ConcurrentHashMap.newKeySet();
    AtomicInteger lost = new AtomicInteger();
    Set<String> committed = ConcurrentHashMap.newKeySet();
    Set<String> rolledBack = ConcurrentHashMap.newKeySet();
    try (Connection old = source.getConnection();
        Registration registration = engine.onChange(collecting(reported, lost))) {
      old.setAutoCommit(false);
      addChange(old, "old");
      Threads.run(
          6,
          thread -> {
            try (Connection connection = source.getConnection()) {
              connection.setAutoCommit(false);
              for (int i = 0; i < 150; i++) {
                write(connection, thread + "-" + i + "-", committed, rolledBack);
              }
              connection.setAutoCommit(true);
            }
          });
      old.commit();
      committed.add("old");
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (!reported.containsAll(committed) && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
    Set<String> missed = new TreeSet<>(committed);
    missed.removeAll(reported);
    assertThat(missed).isEmpty();
    assertThat(reported).doesNotContainAnyElementsOf(rolledBack);
    assertThat(rolledBack).isNotEmpty();
    assertThat(lost).hasValue(0);
  }

  private void write(
      Connection connection, String name, Set<String> committed, Set<String> rolledBack)
      throws SQLException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    List<String> kept = new ArrayList<>();
    for (int part = 0; part < 1 + random.nextInt(4); part++) {
      String key = name + part;
      if (random.nextBoolean()) {
        addChange(connection, key);
        kept.add(key);
        continue;
      }
      Savepoint savepoint = connection.setSavepoint();
      addChange(connection, key);
      if (random.nextInt(3) == 0) {
        connection.rollback(savepoint);
        rolledBack.add(key);
      } else {
        connection.releaseSavepoint(savepoint);
        kept.add(key);
      }
      if (random.nextInt(10) == 0) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(100));
      }
    }
    if (random.nextInt(5) == 0) {
      connection.rollback();
      rolledBack.addAll(kept);
    } else {
      connection.commit();
      committed.addAll(kept);
      server.execute(ServerDialect.notification(schema, 7));
    }
  }

  private void addChange(Connection connection, String key) throws SQLException {
    Parameters.update(
        connection,
        "INSERT INTO %s.changes (origin, space, kind, hash_key) VALUES (7, ?, 0, ?)"
            .formatted(schema),
        space,
        bytes(key));
  }

  private static ChangeListener collecting(Set<String> reported, AtomicInteger lost) {
    return new ChangeListener() {
      @Override
      public void rowChanged(String name, byte[] hashKey) {
        reported.add(new String(hashKey, StandardCharsets.UTF_8));
      }

      @Override
      public void spaceChanged(String name) {}

      @Override
      public void spaceEnded(String name) {}

      @Override
      public void feedLost() {
        lost.incrementAndGet();
      }

      @Override
      public void feedRegained() {}
    };
  }
}
