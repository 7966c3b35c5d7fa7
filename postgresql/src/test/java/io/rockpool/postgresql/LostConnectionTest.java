package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.engine.TransactionNotes;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;

/** Connections are cut at any byte, and each write says truly whether it was made. */
@Slow
@Needs(Tool.POSTGRESQL)
final class LostConnectionTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] KEY = {};
  private static final int ROUNDS = 40;

  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();
  private final Random random = new Random(1);
  private CuttingProxy proxy;
  private PostgresEngine cut;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void open() throws Exception {
    proxy = new CuttingProxy(server.port());
    // No pool: one would wait for seconds before it connects again.
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.url(proxy.port()));
    cut = PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));
  }

  @AfterEach
  void close() throws Exception {
    cut.close();
    proxy.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  private static long number(Row row) {
    RowRecord record = row.get(KEY);
    return record == null ? 0 : Long.parseLong(new String(record.value(), StandardCharsets.UTF_8));
  }

  private static long increment(Space space) {
    return space.transact(
        ROW,
        row -> {
          long next = number(row) + 1;
          row.put(KEY, bytes(Long.toString(next)), Expiry.NEVER);
          return next;
        });
  }

  private long read(Space space) {
    while (true) {
      try {
        return space.transact(ROW, LostConnectionTest::number);
      } catch (ServerUnavailableException e) {
        // The cut was late.
      }
    }
  }

  /** A cut falls into the opening of a connection, or before, into or behind an answer. */
  private void cutSoon() {
    proxy.cutAfter(random.nextInt(1_600));
  }

  /** The caller has gone, and the server waits for a lock. Meanwhile memory gets the old value. */
  @Test
  void aWriteThatIsCommittedLateIsHeardByItsOwnProcess() throws Exception {
    PGSimpleDataSource impatient = new PGSimpleDataSource();
    impatient.setUrl(PostgresServer.url(server.port()));
    impatient.setSocketTimeout(4);
    PostgresOptions options = PostgresOptions.defaults().schema(schema);
    try (Rockpool pool = Rockpool.at(o -> PostgresEngine.open(impatient, options)).open();
        Connection other = DriverManager.getConnection(PostgresServer.url(server.port()));
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      PersistentCache<String, Long> cache = pool.cache("late", String.class, Long.class);
      for (long old = 1; old < 4; old++) {
        long late = old + 1;
        cache.put("key", old);
        assertThat(cache.get("key")).isEqualTo(old);
        statement.execute("SELECT * FROM " + schema + ".entries FOR UPDATE");
        assertThatThrownBy(() -> cache.put("key", late))
            .isInstanceOf(OutcomeUnknownException.class);
        assertThat(cache.get("key")).isEqualTo(old);
        other.rollback();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (cache.get("key") != late && System.nanoTime() < end) {
          TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(cache.get("key")).isEqualTo(late);
      }
    }
  }

  @Test
  void aRowTransactionIsMadeOnceOrNotAtAll() {
    for (Layout layout : Layout.values()) {
      Space space = cut.create(new SpaceSpec("space" + layout, layout, Map.of()));
      long made = 0;
      for (int round = 0; round < ROUNDS; round++) {
        cutSoon();
        try {
          increment(space);
          made++;
        } catch (ServerUnavailableException e) {
          // Nothing was changed.
        }
        assertThat(read(space)).as("round %d, %s", round, layout).isEqualTo(made);
      }
      assertThat(made).isGreaterThan(ROUNDS / 2);
    }
  }

  @Test
  void aTransactionOverSeveralRowsIsMadeOnceOrNotAtAll() {
    Space space = cut.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
    long made = 0;
    for (int round = 0; round < ROUNDS; round++) {
      proxy.cutAfter(random.nextInt(3_000));
      try {
        cut.atomically(() -> increment(space));
        made++;
      } catch (ServerUnavailableException e) {
        // Nothing was changed.
      }
      assertThat(read(space)).as("round %d", round).isEqualTo(made);
    }
    assertThat(made).isPositive();
  }

  /** Creating, resetting and dropping a name. */
  @Test
  void aNameIsChangedOnceOrNotAtAll() {
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      SpaceSpec spec = new SpaceSpec("space" + round % 2, Layout.ROWS, Map.of("round", "" + round));
      SpaceInfo before = cut.describe(spec.name());
      proxy.cutAfter(random.nextInt(4_000));
      boolean done = false;
      try {
        if (before == null) {
          cut.create(spec);
        } else if (round % 3 == 0) {
          cut.reset(spec);
        } else {
          assertThat(cut.drop(spec.name())).isTrue();
        }
        done = true;
      } catch (ServerUnavailableException e) {
        failed++; // nothing was changed
      }
      proxy.cutAfter(Long.MAX_VALUE);
      SpaceInfo after = cut.describe(spec.name());
      if (!done) {
        assertThat(after).as("round %d", round).isEqualTo(before);
      } else if (before != null && round % 3 != 0) {
        assertThat(after).as("round %d", round).isNull();
      } else {
        assertThat(after).as("round %d", round).isNotNull();
        assertThat(after.attributes()).containsEntry("round", "" + round);
      }
    }
    assertThat(failed).isLessThan(ROUNDS);
  }

  @Test
  void aPutThatSaysItWasMadeWasMade() {
    Space space = cut.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] value = bytes("value " + round);
      cutSoon();
      boolean returned = false;
      try {
        space.put(ROW, KEY, value, Expiry.NEVER);
        returned = true;
      } catch (OutcomeUnknownException | ServerUnavailableException e) {
        failed++;
      }
      proxy.cutAfter(Long.MAX_VALUE);
      RowRecord found = space.get(ROW, KEY);
      if (returned) {
        assertThat(found).isNotNull();
        assertThat(found.value()).isEqualTo(value);
      }
    }
    assertThat(failed).isLessThan(ROUNDS);
  }

  /** Also without a pool, which has its own errors. */
  @Test
  void aDatabaseThatTakesNoConnectionsIsUnavailable() throws Exception {
    server.execute("CREATE DATABASE shut");
    String url = server.url().replace("/postgres?", "/shut?");
    PGSimpleDataSource plain = new PGSimpleDataSource();
    plain.setUrl(url);
    try (HikariDataSource pool = PostgresServer.pool(url)) {
      for (DataSource source : List.of(plain, pool)) {
        try (PostgresEngine engine = PostgresEngine.open(source, PostgresOptions.defaults())) {
          String name = source == pool ? "pooled" : "plain";
          Space space = engine.create(new SpaceSpec(name, Layout.ENTRIES, Map.of()));
          pool.getHikariConfigMXBean().setConnectionTimeout(1_000);
          server.execute("ALTER DATABASE shut ALLOW_CONNECTIONS false");
          server.execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shut'");
          assertThatThrownBy(() -> readUntilRefused(space))
              .isInstanceOf(ServerUnavailableException.class)
              .hasMessageContaining("ALLOW_CONNECTIONS");
          server.execute("ALTER DATABASE shut ALLOW_CONNECTIONS true");
        }
      }
    } finally {
      server.execute("DROP DATABASE IF EXISTS shut WITH (FORCE)");
    }
  }

  /** A pool may give connections that were ended, whose loss is another error. */
  private static void readUntilRefused(Space space) {
    for (int i = 0; i < 20; i++) {
      try {
        assertThat(space.get(ROW, KEY)).isNull();
      } catch (ServerUnavailableException e) {
        if (!e.getMessage().contains("(08")) {
          throw e;
        }
      }
    }
  }

  /** As for a disk that is full for the log: the record of the commit may be on it, or not. */
  @Test
  void thePutDuringWhichTheServerFailsMayHaveBeenMade() {
    Space space = cut.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
    proxy.answer("INSERT INTO", error("PANIC", "53100"));
    assertThatThrownBy(() -> space.put(ROW, KEY, bytes("value"), Expiry.NEVER))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCauseInstanceOf(PSQLException.class)
        .hasStackTraceContaining("PANIC: it failed");
    assertThat(space.get(ROW, KEY)).isNull();
  }

  /** The server ends the session, and its transaction, before the next statement comes. */
  @Test
  void theTransactionThatTheServerEndedIsNotUnknown() {
    Space space = cut.create(new SpaceSpec("space", Layout.ENTRIES, Map.of()));
    proxy.answer("INSERT INTO", error("FATAL", "25P03"));
    assertThatThrownBy(() -> space.put(ROW, KEY, bytes("value"), Expiry.NEVER))
        .isNotInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("Nothing was changed");
  }

  /** A message of the server about an error. */
  private static byte[] error(String severity, String state) {
    byte[] fields = bytes("S%s\0C%s\0Mit failed\0\0".formatted(severity, state));
    return ByteBuffer.allocate(5 + fields.length)
        .put((byte) 'E')
        .putInt(4 + fields.length)
        .put(fields)
        .array();
  }

  @Test
  void aServerThatIsAwayIsAnErrorAndComesBack() {
    Space space = cut.create(new SpaceSpec("space", Layout.ROWS, Map.of()));
    increment(space);
    proxy.refuse(true);
    assertThatThrownBy(() -> increment(space)).isInstanceOf(ServerUnavailableException.class);
    proxy.refuse(false);
    assertThat(increment(space)).isEqualTo(2);
  }

  /** The settlement then finds the entry's place free, as if it had never been written. */
  @Test
  void anEntryThatWasInsertedAndRemovedBeforeTheSettlementWasMade() throws Exception {
    Space unused = cut.create(new SpaceSpec("entries", Layout.ENTRIES, Map.of()));
    PostgresDatabase database = cut.database();
    RecordStatements statements = cut.statements(Layout.ENTRIES);
    String byName = database.sql("SELECT id FROM $.space_info WHERE name = 'entries'");
    long id = database.<Long>read(connection -> Parameters.number(connection, byName));
    RecordStatements.Scope at = new RecordStatements.Scope(id, cut.nowMillis(), cut.origin());
    PostgresRow row = insertion(statements.reads(database, at, ROW), at);
    Settlement settlement = new Settlement(database);
    long lost = PostgresDatabase.token();
    assertThat(outcome(statements, row, lost, settlement)).isEqualTo(WriteOutcome.NOT_APPLIED);
    removeAll();
    PostgresRow again = insertion(statements.reads(database, at, ROW), at);
    long token = PostgresDatabase.token();
    assertThat(
            database.<Boolean>write(
                "A write", connection -> statements.commit(connection, at, again, token)))
        .isTrue();
    removeAll();
    assertThat(outcome(statements, again, token, settlement)).isEqualTo(WriteOutcome.APPLIED);
  }

  private static PostgresRow insertion(RowSource source, RecordStatements.Scope at) {
    PostgresRow row =
        new PostgresRow(
            ROW, "entries", Layout.ENTRIES, source, at.nowMillis(), new TransactionNotes());
    source.pin();
    row.put(KEY, bytes("1"), Expiry.NEVER);
    return row;
  }

  private WriteOutcome outcome(
      RecordStatements statements, PostgresRow row, long token, Settlement settlement) {
    return cut.database()
        .<WriteOutcome>write(
            "Settling", connection -> statements.settle(connection, row, token, settlement));
  }

  /** Removes also the fence of a settlement, as a sweep does. */
  private void removeAll() throws Exception {
    server.execute("DELETE FROM " + schema + ".entries");
  }
}
