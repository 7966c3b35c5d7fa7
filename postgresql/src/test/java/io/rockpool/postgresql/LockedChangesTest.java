package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks at the changes while another session has locked their table, as VACUUM FULL does. */
@Slow
@Needs(Tool.POSTGRESQL)
final class LockedChangesTest {
  private static final long LOCKED_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** One of each store, and one whose client has just given up. */
  private static final long MOST_WAITING = 3;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final Map<String, String> SETTINGS =
      Map.of("statement_timeout", "0", "enable_seqscan", "on", "jit", "on");

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();

  /** With simple queries, the driver sends each statement in a message of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void theServerEndsThem(String mode) throws Exception {
    checkServerEndsLooks(server.url() + "&preferQueryMode=" + mode);
  }

  @ParameterizedTest
  @CsvSource({"session, ''", "transaction, &prepareThreshold=0"})
  @Needs(Tool.PGBOUNCER)
  void theServerEndsThemBehindAPooler(String mode, String parameters) throws Exception {
    try (PgBouncer bouncer = PgBouncer.start(server, mode)) {
      checkServerEndsLooks(PostgresServer.url(bouncer.port()) + parameters);
    }
  }

  private void checkServerEndsLooks(String url) throws Exception {
    PostgresOptions options = PostgresOptions.defaults().schema(schema);
    try (HikariDataSource pool = PostgresServer.pool(url);
        Rockpool mine = Rockpool.at(o -> PostgresEngine.open(pool, options)).open();
        Rockpool theirs = Rockpool.at(o -> PostgresEngine.open(server.url(), options)).open()) {
      PersistentCache<String, String> here = mine.cache("cache", String.class, String.class);
      PersistentCache<String, String> there = theirs.cache("cache", String.class, String.class);
      here.put("key", "old");
      assertThat(here.get("key")).isEqualTo("old");
      assertThat(mostWaitingWhileLocked()).isBetween(1L, MOST_WAITING);
      there.put("key", "new");
      await(() -> "new".equals(here.get("key")));
      await(() -> hasHotEntry(here));
      mine.close();
      checkSettings(pool);
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
    }
  }

  private static boolean hasHotEntry(PersistentCache<String, String> cache) {
    String unused = cache.get("key");
    return cache.hotSize() == 1;
  }

  /** How many sessions waited with a look at a time. */
  private long mostWaitingWhileLocked() throws SQLException, InterruptedException {
    long most = 0;
    try (Connection locking = DriverManager.getConnection(server.url())) {
      locking.setAutoCommit(false);
      Parameters.update(locking, "LOCK TABLE " + schema + ".changes IN ACCESS EXCLUSIVE MODE");
      long end = System.nanoTime() + LOCKED_NANOS;
      while (System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(50);
        most =
            Math.max(
                most,
                server.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                        + " AND query LIKE '%"
                        + schema
                        + "%pg_visible_in_snapshot%'"));
      }
      locking.rollback();
    }
    return most;
  }

  /** The connections of the pool, also that of the feed, have the settings that they had. */
  private static void checkSettings(HikariDataSource pool) throws SQLException {
    List<Connection> connections = new ArrayList<>();
    while (pool.getHikariPoolMXBean().getIdleConnections() > 0) {
      connections.add(pool.getConnection());
    }
    assertThat(connections).isNotEmpty();
    for (Connection connection : connections) {
      assertThat(connection.getNetworkTimeout()).isZero();
      for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
        assertThat(Parameters.text(connection, "SHOW " + setting.getKey()))
            .isEqualTo(setting.getValue());
      }
      connection.close();
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
