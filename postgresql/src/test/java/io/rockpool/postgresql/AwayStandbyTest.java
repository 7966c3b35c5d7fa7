package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose synchronous standby is away: commits wait for it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs(Tool.POSTGRESQL)
final class AwayStandbyTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static PostgresServer server;

  private final String schema = PostgresServer.newSchema();
  private HikariDataSource source;
  private Rockpool pool;
  private Rockpool other;
  private PersistentCache<String, Long> cache;
  private PersistentCache<String, Long> otherCache;

  @BeforeAll
  static void start() {
    server = PostgresServer.startNew();
  }

  @AfterAll
  static void delete() {
    server.delete();
  }

  @BeforeEach
  void open() throws Exception {
    source = server.pool();
    pool = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    other = Rockpool.at(PostgresEngine.factory(source, schema)).open();
    cache = pool.cache("cache", String.class, Long.class, o -> o.refreshLoader(key -> 2L));
    otherCache = other.cache("cache", String.class, Long.class);
    cache.put("there", 1L);
    setStandbys("away");
  }

  @AfterEach
  void close() throws Exception {
    setStandbys("");
    other.close();
    pool.close();
    source.close();
    server.execute("DROP SCHEMA " + schema + " CASCADE");
  }

  /** Each session has the new setting before its next statement. */
  private static void setStandbys(String names) throws Exception {
    server.execute("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
    server.execute("SELECT pg_reload_conf()");
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (server.number(
                "SELECT count(*) FROM pg_settings WHERE name = 'synchronous_standby_names'"
                    + " AND setting = '"
                    + names
                    + "'")
            == 0
        && System.nanoTime() < end) {
      Thread.sleep(5);
    }
  }

  private static void awaitWaitingCommit() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    String waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while (server.number(waiting) == 0 && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    assertThat(server.number(waiting)).isPositive();
  }

  @Test
  void loadsOfAbsentKeysDoNotWait() {
    assertThat(cache.get("k", key -> 2L)).isEqualTo(2);
    assertThat(cache.getAll(Set.of("there", "k", "l"), keys -> Map.of("l", 3L)))
        .containsOnly(Map.entry("there", 1L), Map.entry("k", 2L), Map.entry("l", 3L));
    assertThat(otherCache.getAll(Set.of("k", "l")))
        .containsOnly(Map.entry("k", 2L), Map.entry("l", 3L));
  }

  /** What was acknowledged is on the standby, and so is what a refresh replaces. */
  @Test
  void putsAndRefreshesWait() throws Exception {
    CompletableFuture<Long> refresh = cache.refresh("there");
    awaitWaitingCommit();
    assertThat(otherCache.get("there")).isEqualTo(1);
    setStandbys("");
    assertThat(refresh.get()).isEqualTo(2);
    setStandbys("away");
    Running<Boolean> put =
        Threads.start(
            () -> {
              cache.put("there", 3L);
              return true;
            });
    awaitWaitingCommit();
    assertThat(otherCache.get("there")).isEqualTo(2);
    setStandbys("");
    assertThat(put.result()).isTrue();
    assertThat(cache.get("there")).isEqualTo(3);
  }

  /** Without a standby, the setting of the application holds for loads as well. */
  @Test
  void aLoadIsOnTheDiskUnlessTheSettingSaysNo() throws Exception {
    for (String level : List.of("on", "off", "local", "remote_apply")) {
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        Parameters.update(connection, "SET LOCAL synchronous_commit = " + level);
        assertThat(Parameters.text(connection, ServerDialect.COMMIT_LOCALLY))
            .isEqualTo(level.equals("off") ? "off" : "local");
        connection.rollback();
      }
    }
  }
}
