package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Which servers are refused, by what they say that they are. */
@Needs(Tool.POSTGRESQL)
final class ServerDialectTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PostgreSQL 15.13 (Debian 15.13-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc",
        "PostgreSQL 18beta1 on x86_64-pc-linux-gnu",
        "PostgreSQL 100.2"
      })
  void acceptsPostgres(String version) {
    assertThatCode(() -> ServerDialect.check(version)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)",
        "PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64-pc-linux-gnu, compiled by clang",
        "PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu",
        "null"
      })
  void refusesRelatives(String version) {
    assertThatThrownBy(() -> ServerDialect.check(version))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContainingAll("is no PostgreSQL", version, "Use PostgreSQL 15 or newer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PostgreSQL 14.9 on x86_64", "PostgreSQL 8.0.2 on i686, Redshift 1.0"})
  void refusesOldServers(String version) {
    assertThatThrownBy(() -> ServerDialect.check(version))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContainingAll("too old", version, "Use PostgreSQL 15 or newer");
  }

  /** A function of the search path answers in place of the server's own. */
  @Test
  void anEngineChangesNothingOnAServerThatItRefuses() throws Exception {
    PostgresServer server = PostgresServer.running();
    server.execute(
        "CREATE SCHEMA relative; CREATE FUNCTION relative.version() RETURNS text LANGUAGE sql"
            + " AS $$ SELECT 'CockroachDB CCL v24.1.0' $$");
    String schema = PostgresServer.newSchema();
    try {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(server.url() + "&options=-c%20search_path=relative,pg_catalog");
      PostgresOptions options = PostgresOptions.defaults().schema(schema);
      assertThatThrownBy(() -> PostgresEngine.open(source, options))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("CockroachDB");
      assertThat(
              server.number("SELECT count(*) FROM pg_namespace WHERE nspname = '" + schema + "'"))
          .isZero();
    } finally {
      server.execute("DROP SCHEMA relative CASCADE");
    }
  }
}
