package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that take a backslash for an escape, and drivers that send values as text. */
@Needs(Tool.POSTGRESQL)
final class EscapedBytesTest {
  private static final String ODD = "a\\b'c\\\\d\\'e\\x41\\101\\n\"{},NULL\\";

  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();

  @BeforeEach
  void create() throws SQLException {
    server.execute("CREATE ROLE " + schema + " LOGIN SUPERUSER");
  }

  @AfterEach
  void drop() throws SQLException {
    server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    server.execute("DROP ROLE " + schema);
  }

  private String url(String mode) {
    return "jdbc:postgresql://127.0.0.1:%s/postgres?user=%s&preferQueryMode=%s"
        .formatted(server.port(), schema, mode);
  }

  private PostgresOptions options() {
    return PostgresOptions.defaults().schema(schema);
  }

  private void setStandardStrings(String setting) throws SQLException {
    server.execute("ALTER ROLE " + schema + " SET standard_conforming_strings = " + setting);
  }

  /** Waits until the pool makes no connection, which could have the setting of before. */
  private void setStandardStrings(String setting, HikariDataSource source) throws SQLException {
    while (source.getHikariPoolMXBean().getTotalConnections() < source.getMaximumPoolSize()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    setStandardStrings(setting);
    source.getHikariPoolMXBean().softEvictConnections();
  }

  @ParameterizedTest
  @CsvSource({"extended, off", "extendedForPrepared, off", "simple, on"})
  void everyByteAndCharacterComesBack(String mode, String setting) throws SQLException {
    setStandardStrings(setting);
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    try (PostgresEngine engine = PostgresEngine.open(url(mode), options())) {
      Space rows = engine.create(new SpaceSpec(ODD, Layout.ROWS, Map.of("k", ODD)));
      rows.put(all, all, all, Expiry.NEVER);
      assertThat(rows.get(all, all).value()).isEqualTo(all);
      assertThat(rows.count(all)).isZero();
      assertThat(engine.describe(ODD).attributes()).containsEntry("k", ODD);
      try (Rockpool pool = Rockpool.at(o -> engine).open()) {
        PersistentMap<String, String> map = pool.map("map", String.class, String.class);
        map.put(ODD, ODD);
        map.putAll(Map.of("a", ODD, "b", "\\"));
        assertThat(map)
            .containsOnly(Map.entry(ODD, ODD), Map.entry("a", ODD), Map.entry("b", "\\"));
      }
    }
  }

  /** The driver would send the key "ab" as 'a62'. */
  @Test
  void textWithEscapesIsRefusedAtOnce() throws SQLException {
    setStandardStrings("off");
    assertThatThrownBy(() -> PostgresEngine.open(url("simple"), options()))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("preferQueryMode=simple")
        .hasMessageContaining("standard_conforming_strings is off");
  }

  @Test
  void textWithEscapesIsRefusedAlsoLater() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url("simple"));
    config.setMaximumPoolSize(4);
    try (HikariDataSource source = new HikariDataSource(config);
        Rockpool pool = Rockpool.at(PostgresEngine.factory(source, schema)).open()) {
      PersistentMap<String, String> map = pool.map("map", String.class, String.class);
      map.put("k", "ab");
      setStandardStrings("off", source);
      assertThatThrownBy(() -> map.put("k", "cd"))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("standard_conforming_strings is off");
      try (Connection connection = DriverManager.getConnection(url("simple"))) {
        assertThatThrownBy(() -> JoinedTransactions.run(pool, connection, () -> map.put("k", "cd")))
            .isInstanceOf(ServerUnavailableException.class)
            .hasMessageContaining("standard_conforming_strings is off");
      }
      setStandardStrings("on", source);
      assertThat(map).containsOnly(Map.entry("k", "ab"));
    }
  }
}
