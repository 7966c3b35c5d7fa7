package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.sql.SQLException;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@Needs(Tool.POSTGRESQL)
final class PostgresEngineContractTest extends EngineContract {
  private static final String SCHEMA = PostgresServer.newSchema();

  private static HikariDataSource pool;

  private InstantSource usedClock;

  @BeforeAll
  static void openPool() {
    pool = PostgresServer.running().pool();
  }

  @AfterAll
  static void closePool() throws SQLException {
    dropSchema();
    pool.close();
  }

  private static void dropSchema() throws SQLException {
    PostgresServer.running().execute("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
  }

  @Override
  protected Engine openEngine(InstantSource clock) throws SQLException {
    dropSchema();
    usedClock = clock;
    return PostgresEngine.open(pool, options());
  }

  private PostgresOptions options() {
    return PostgresOptions.defaults().schema(SCHEMA).clock(usedClock);
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return PostgresEngine.open(pool, options());
  }

  @Override
  protected Engine openAnother(Engine engine) {
    return PostgresEngine.open(pool, options());
  }
}
