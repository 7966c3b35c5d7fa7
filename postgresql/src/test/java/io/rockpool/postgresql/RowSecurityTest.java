package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.net.URI;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Row level security, which hides rows of the store from its own role. */
@Needs(Tool.POSTGRESQL)
final class RowSecurityTest {
  private final PostgresServer server = PostgresServer.running();
  private final String schema = PostgresServer.newSchema();
  private final String role = "owner_of_" + schema;

  @BeforeEach
  void create() throws SQLException {
    server.execute("CREATE ROLE " + role + " LOGIN");
    server.execute("CREATE SCHEMA " + schema + " AUTHORIZATION " + role);
    try (Rockpool pool = open()) {
      pool.cache("cache", String.class, Long.class).put("k", 1L);
    }
  }

  @AfterEach
  void drop() throws SQLException {
    server.execute("DROP SCHEMA " + schema + " CASCADE");
    server.execute("DROP ROLE " + role);
  }

  private Rockpool open() {
    return Rockpool.at(
            URI.create(
                "postgresql://%s@127.0.0.1:%s/postgres?schema=%s"
                    .formatted(role, server.port(), schema)))
        .open();
  }

  private void alter(String table, String change) throws SQLException {
    server.execute("ALTER TABLE " + schema + "." + table + " " + change);
  }

  private void assertIsRefused(String... tables) {
    assertThatThrownBy(this::open)
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining(
            "\"" + schema + "\" have row level security: " + String.join(", ", tables) + ".")
        .hasMessageContaining("DISABLE ROW LEVEL SECURITY");
  }

  @Test
  void aTableWhoseRowsAreHiddenFromItsOwnerIsRefused() throws SQLException {
    alter("entries", "ENABLE ROW LEVEL SECURITY");
    try (Rockpool pool = open()) { // it does not apply to the owner
      assertThat(pool.cache("cache", String.class, Long.class).get("k")).isEqualTo(1);
    }
    alter("entries", "FORCE ROW LEVEL SECURITY");
    assertIsRefused("entries");
    alter("store", "ENABLE ROW LEVEL SECURITY");
    alter("store", "FORCE ROW LEVEL SECURITY");
    assertIsRefused("entries", "store");
    server.execute("ALTER ROLE " + role + " SET row_security = off");
    assertIsRefused("entries", "store");
    server.execute("ALTER ROLE " + role + " BYPASSRLS");
    try (Rockpool pool = open()) {
      assertThat(pool.cache("cache", String.class, Long.class).get("k")).isEqualTo(1);
    }
    server.execute("ALTER ROLE " + role + " NOBYPASSRLS");
    alter("store", "DISABLE ROW LEVEL SECURITY");
    alter("entries", "NO FORCE ROW LEVEL SECURITY");
    try (Rockpool pool = open()) {
      assertThat(pool.cache("cache", String.class, Long.class).get("k")).isEqualTo(1);
    }
  }

  @Test
  void anotherRoleThanTheOwnerIsRefusedIfTheOwnerAloneMayPass() throws SQLException {
    String other = "other_of_" + schema;
    server.execute("CREATE ROLE " + other + " LOGIN");
    try {
      server.execute("GRANT ALL ON SCHEMA " + schema + " TO " + other);
      server.execute("GRANT ALL ON ALL TABLES IN SCHEMA " + schema + " TO " + other);
      server.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + other);
      alter("spaces", "ENABLE ROW LEVEL SECURITY");
      assertThatThrownBy(
              () ->
                  PostgresEngine.open(
                      server.url().replace("user=rockpool", "user=" + other),
                      PostgresOptions.defaults().schema(schema)))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("have row level security: spaces.");
    } finally {
      server.execute("DROP OWNED BY " + other);
      server.execute("DROP ROLE " + other);
    }
  }
}
