package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening a store, and what it refuses at once. */
@Needs(Tool.POSTGRESQL)
final class OpeningTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();

  private Rockpool open(String user, String rest) {
    return Rockpool.at(URI.create("postgresql://" + user + "@127.0.0.1:" + server.port() + rest))
        .open();
  }

  private PostgresOptions options() {
    return PostgresOptions.defaults().schema(schema);
  }

  private static HikariDataSource pool(HikariConfig config, int size) {
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(2_000);
    return new HikariDataSource(config);
  }

  private HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url());
    return config;
  }

  /** As with passwords that are changed, or that are made for each connection. */
  @Test
  void itsPoolConnectsAsTheApplicationsPoolDoes() throws Exception {
    server.execute("CREATE ROLE " + schema + " LOGIN SUPERUSER");
    String users = "SELECT count(*) FROM pg_stat_activity WHERE usename = '%s'".formatted(schema);
    HikariConfig config = config();
    config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres");
    config.setUsername("rockpool");
    config.setLeakDetectionThreshold(3_000);
    try (HikariDataSource application = pool(config, 4);
        Rockpool pool = Rockpool.at(OwnPool.beside(application, null, options())).open()) {
      PersistentMap<String, String> map = pool.map("map", String.class, String.class);
      map.put("k", "v");
      assertThat(server.number(users)).isZero();
      application.setCredentials(Credentials.of(schema, "of the new role"));
      // A connection is only found if its last statement named the schema, so several times.
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      do {
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rockpool'"
                + " AND pid <> pg_backend_pid() AND query LIKE '%"
                + schema
                + "%'");
        assertThat(map.get("k")).isEqualTo("v");
      } while (server.number(users) == 0 && System.nanoTime() < end);
      assertThat(server.number(users)).isPositive();
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
      server.execute("DROP ROLE " + schema);
    }
  }

  /** Services do that to a database whose disk is nearly full. */
  @Test
  void loadsReturnWhileTheServerTakesNoWrites() throws Exception {
    server.execute("CREATE ROLE " + schema + " LOGIN SUPERUSER");
    HikariConfig config = config();
    config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres");
    config.setUsername(schema);
    try (HikariDataSource source = pool(config, 4);
        Rockpool pool = Rockpool.at(o -> PostgresEngine.open(source, options())).open()) {
      PersistentCache<String, Long> cache = pool.cache("c", String.class, Long.class);
      cache.put("old", 1L);
      server.execute("ALTER ROLE " + schema + " SET default_transaction_read_only = on");
      reconnect(source);
      assertThat(cache.get("k", key -> 2L)).isEqualTo(2);
      assertThat(cache.get("k", key -> 3L)).isEqualTo(3);
      assertThat(cache.getAll(Set.of("old", "k"), keys -> Map.of("k", 4L)))
          .containsOnly(Map.entry("old", 1L), Map.entry("k", 4L));
      assertThatThrownBy(() -> cache.put("k", 5L)).isInstanceOf(ServerUnavailableException.class);
      server.execute("ALTER ROLE " + schema + " RESET default_transaction_read_only");
      reconnect(source);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      do { // nothing is stored while the feed of changes is lost
        assertThat(cache.get("k", key -> 6L)).isEqualTo(6);
      } while (cache.get("k") == null && System.nanoTime() < end);
      assertThat(cache.get("k")).isEqualTo(6);
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
      server.execute("DROP ROLE " + schema);
    }
  }

  /** Also ends connections that the pool is making, with the settings of the role from before. */
  private void reconnect(HikariDataSource source) throws SQLException {
    server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + schema + "'");
    source.getHikariPoolMXBean().softEvictConnections();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
  void severalProcessesCreateASchemaAtOnceWithAnyDefaultIsolation(String isolation)
      throws Exception {
    HikariConfig config = config();
    config.setTransactionIsolation(isolation);
    try (HikariDataSource source = pool(config, 16)) {
      for (int round = 0; round < 3; round++) {
        List<Running<?>> opening = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          opening.add(
              Threads.start(
                  () -> {
                    try (Rockpool pool =
                        Rockpool.at(PostgresEngine.factory(source, schema)).open()) {
                      return pool.map("map", String.class, Long.class).increment("key", 1);
                    }
                  }));
        }
        for (Running<?> one : opening) {
          one.result();
        }
        try (Rockpool pool = Rockpool.at(PostgresEngine.factory(source, schema)).open()) {
          assertThat(pool.map("map", String.class, Long.class)).containsEntry("key", 4L);
        }
        server.execute("DROP SCHEMA " + schema + " CASCADE");
      }
    }
  }

  @Test
  void aSchemaMayBeAReservedWord() throws Exception {
    for (String word : List.of("order", "user", "select")) {
      try (Rockpool pool = open("rockpool", "/postgres?schema=" + word)) {
        PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
        map.put("key", 1L);
        map.clear();
        map.putAll(Map.of("a", 1L, "b", 2L));
        assertThat(map).hasSize(2);
        assertThat(pool.verify().isClean()).isTrue();
        assertThat(pool.state().statistics()).isNotNull();
      } finally {
        server.execute("DROP SCHEMA \"" + word + "\" CASCADE");
      }
    }
  }

  @Test
  void urisThatMayMeanAnotherStoreAreRefused() {
    assertThatThrownBy(() -> open("rockpool", "?schema=x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no database");
    for (String query : List.of("schema=a&schema=b", "Schema=a", "schema=pg_x")) {
      assertThatThrownBy(() -> open("rockpool", "/postgres?" + query))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("schema");
    }
    assertThatThrownBy(() -> PostgresOptions.defaults().schema("information_schema"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDatabaseThatIsNotThereIsNamedAtOnce() {
    long begun = System.nanoTime();
    assertThatThrownBy(() -> open("rockpool:secret", "/none"))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("database \"none\" does not exist")
        .hasMessageContaining("127.0.0.1:" + server.port())
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> open("nobody:secret", "/postgres"))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("role \"nobody\" does not exist")
        .hasMessageNotContaining("secret");
    assertThat(System.nanoTime() - begun).isLessThan(PATIENCE_NANOS);
  }

  @Test
  void theReasonIsInTheMessageOfAPoolThatHasNoConnection() {
    HikariConfig config = config();
    config.setJdbcUrl(server.url().replace("/postgres?", "/none?"));
    config.setInitializationFailTimeout(-1);
    try (HikariDataSource source = pool(config, 4)) {
      assertThatThrownBy(() -> PostgresEngine.open(source, PostgresOptions.defaults()))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("database \"none\" does not exist");
    }
  }

  @Test
  void aPoolOfOneConnectionIsRefused() throws Exception {
    try (HikariDataSource source = pool(config(), 1)) {
      assertThatThrownBy(
              () -> PostgresEngine.open(source, PostgresOptions.defaults().schema(schema)))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("no second connection");
    } finally {
      server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    }
  }

  @Test
  void aRoleWithOneConnectionIsNotToldOfThePool() throws Exception {
    server.execute("CREATE ROLE one LOGIN CONNECTION LIMIT 1");
    server.execute("CREATE SCHEMA " + schema + " AUTHORIZATION one");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url().replace("user=rockpool", "user=one"));
    try (HikariDataSource source = pool(config, 4)) {
      assertThatThrownBy(() -> PostgresEngine.open(source, options()))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("no second connection")
          .hasMessageContaining("CONNECTION LIMIT of the role")
          .hasMessageNotContaining("Give the pool");
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
      server.execute("DROP ROLE one");
    }
  }

  @Test
  void anotherEncodingThanUtf8IsRefused() throws Exception {
    server.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    try {
      assertThatThrownBy(() -> open("rockpool", "/latin"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("LATIN1");
    } finally {
      server.execute("DROP DATABASE latin WITH (FORCE)");
    }
  }

  @Test
  void aRoleNeedsRightsOnTheSchemaOnly() throws Exception {
    String given = PostgresServer.newSchema();
    String foreign = PostgresServer.newSchema();
    server.execute("CREATE ROLE plain LOGIN");
    try {
      assertThatThrownBy(() -> open("plain", "/postgres?schema=" + schema))
          .isInstanceOf(RockpoolException.class)
          .hasMessageContaining("Opening the schema \"" + schema + "\" failed")
          .hasMessageContaining("GRANT CREATE ON DATABASE");
      server.execute("CREATE SCHEMA " + schema + " AUTHORIZATION plain");
      server.execute("CREATE SCHEMA " + given);
      server.execute("GRANT USAGE, CREATE ON SCHEMA " + given + " TO plain");
      for (String one : List.of(schema, given)) {
        for (int i = 0; i < 2; i++) {
          try (Rockpool pool = open("plain", "/postgres?schema=" + one)) {
            PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
            map.put("key", 1L);
            assertThat(map).hasSize(1);
            map.clear();
          }
        }
      }
      server.execute("CREATE SCHEMA " + foreign);
      assertThatThrownBy(() -> open("plain", "/postgres?schema=" + foreign))
          .isInstanceOf(RockpoolException.class)
          .hasMessageContaining("USAGE, CREATE ON SCHEMA");
    } finally {
      server.execute(
          "DROP SCHEMA IF EXISTS " + schema + ", " + given + ", " + foreign + " CASCADE");
      server.execute("DROP ROLE plain");
    }
  }

  @Test
  void aPublicationOfAllTablesLeavesTheStoreAsItIs() throws Exception {
    server.execute("CREATE DATABASE published");
    String url = server.url().replace("/postgres?", "/published?");
    try (Connection other = DriverManager.getConnection(url)) {
      Parameters.update(other, "CREATE PUBLICATION everything FOR ALL TABLES");
      try (PostgresEngine engine = PostgresEngine.open(url, options());
          Rockpool pool = Rockpool.at(o -> engine).open()) {
        PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
        map.put("key", 1L);
        map.put("key", 2L);
        map.remove("key");
        map.put("key", 3L);
        pool.cache("cache", String.class, Long.class).put("key", 1L);
        pool.cache("cache", String.class, Long.class).remove("key");
        map.clear();
        pool.names().drop("cache");
        assertThat(engine.sweeper().own()).isTrue();
        pool.reclaim();
        long later = System.nanoTime();
        for (int i = 0; i < 3; i++) {
          engine.sweeper().pruneChanges(later + i * Duration.ofHours(1).toNanos());
        }
        pool.reclaim();
        assertThat(engine.reclaimState().pendingClears()).isZero();
        assertThat(Parameters.number(other, "SELECT count(*) FROM " + schema + ".changes"))
            .isZero();
      }
      // A dump of a server that has used more numbers of transactions.
      Parameters.update(other, "UPDATE " + schema + ".store SET pruned = '999999999999'");
      try (Rockpool pool = Rockpool.at(o -> PostgresEngine.open(url, options())).open()) {
        pool.map("map", String.class, Long.class).put("key", 1L);
      }
    } finally {
      server.execute("DROP DATABASE published WITH (FORCE)");
    }
  }

  @Test
  @Needs(Tool.PG_BASEBACKUP)
  void aServerThatTakesNoWritesIsRefused() throws Exception {
    PostgresServer standby = StandbyServer.of(server);
    try {
      assertThatThrownBy(
              () -> Rockpool.at(o -> PostgresEngine.open(standby.url(), options())).open())
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("takes no writes")
          .hasMessageContaining("targetServerType=primary");
    } finally {
      standby.delete();
    }
  }

  @Test
  void aConnectionThatTakesNoWritesIsNotKept() throws Exception {
    server.execute("CREATE ROLE reader LOGIN");
    server.execute("CREATE SCHEMA " + schema + " AUTHORIZATION reader");
    try (Rockpool pool = open("reader", "/postgres?schema=" + schema)) {
      PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
      map.put("key", 1L);
      server.execute("ALTER ROLE reader SET default_transaction_read_only = on");
      server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
      assertThatThrownBy(
              () -> {
                while (true) {
                  try {
                    map.put("key", 2L);
                  } catch (OutcomeUnknownException e) {
                    // Its connection was ended.
                  }
                }
              })
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("targetServerType=primary");
      assertThat(map).containsEntry("key", 1L);
      assertThatThrownBy(() -> open("reader", "/postgres?schema=" + schema))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("takes no writes");
      server.execute("ALTER ROLE reader RESET default_transaction_read_only");
      // Connections that have read are still in the pool; each write that fails closes one.
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (!isWritten(map) && System.nanoTime() < end) {
        Thread.sleep(1);
      }
      assertThat(map).containsEntry("key", 3L);
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
      server.execute("DROP ROLE reader");
    }
  }

  private static boolean isWritten(PersistentMap<String, Long> map) {
    try {
      map.put("key", 3L);
      return true;
    } catch (ServerUnavailableException e) {
      return false;
    }
  }

  @Test
  void aLimitOfTheRoleForLocksIsNamed() throws Exception {
    server.execute("CREATE ROLE hasty LOGIN");
    server.execute("ALTER ROLE hasty SET lock_timeout = '100ms'");
    server.execute("CREATE SCHEMA " + schema + " AUTHORIZATION hasty");
    try (Rockpool pool = open("hasty", "/postgres?schema=" + schema);
        Connection other = DriverManager.getConnection(server.url())) {
      PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
      map.put("key", 1L);
      other.setAutoCommit(false);
      Parameters.number(
          other, "SELECT count(*) FROM (SELECT FROM " + schema + ".heads FOR UPDATE) locked");
      assertThatThrownBy(() -> map.put("key", 2L))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("lock_timeout");
      other.rollback();
      map.increment("key", 1);
      assertThat(map).containsEntry("key", 2L);
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
      server.execute("DROP ROLE hasty");
    }
  }

  @Test
  void anOwnPoolKeepsFewConnectionsThatNobodyNeeds() throws Exception {
    try (PostgresEngine engine = PostgresEngine.open(server.url(), options())) {
      assertThat(((HikariDataSource) engine.source()).getMinimumIdle()).isEqualTo(1);
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
    }
    assertThat(SqlErrors.advice(new SQLException("too many clients", "53300")))
        .contains("pool-size")
        .contains("max_connections");
  }

  @Test
  void anInterruptAndALongPauseAreNamed() throws Exception {
    try (HikariDataSource source = pool(config(), 4)) {
      PostgresEngine engine =
          PostgresEngine.open(source, PostgresOptions.defaults().schema(schema));
      try (Rockpool pool = Rockpool.at(o -> engine).open()) {
        PersistentMap<String, Long> map = pool.map("map", String.class, Long.class);
        map.put("key", 1L);
        List<Connection> all = new ArrayList<>();
        while (source.getHikariPoolMXBean().getActiveConnections() < 4) {
          all.add(source.getConnection());
        }
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> map.put("key", 2L))
            .isInstanceOf(ServerUnavailableException.class)
            .hasMessageContaining("interrupted")
            .hasMessageNotContaining("Check the server");
        assertThat(Thread.interrupted()).isTrue();
        for (Connection connection : all) {
          connection.close();
        }
        server.execute("ALTER ROLE rockpool SET idle_in_transaction_session_timeout = '300ms'");
        source.getHikariPoolMXBean().softEvictConnections();
        assertThatThrownBy(
                () ->
                    pool.runAtomically(
                        any -> {
                          map.get("key");
                          sleep(Duration.ofSeconds(1));
                          map.get("other");
                        }))
            .isInstanceOf(RockpoolException.class)
            .hasMessageContaining("idle_in_transaction_session_timeout. Let");
      } finally {
        server.execute("ALTER ROLE rockpool RESET idle_in_transaction_session_timeout");
      }
    } finally {
      server.execute("DROP SCHEMA " + schema + " CASCADE");
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anOwnPoolWaitsForAnAnswerForAMinute() throws Exception {
    for (String timeout : List.of("", "&socketTimeout=7")) {
      try (PostgresEngine engine =
          PostgresEngine.open(server.url() + timeout, PostgresOptions.defaults().schema(schema))) {
        int millis = engine.database().read(Connection::getNetworkTimeout);
        assertThat(millis).isEqualTo(timeout.isEmpty() ? 60_000 : 7_000);
      }
    }
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }
}
