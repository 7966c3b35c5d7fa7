package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Engine;
import io.rockpool.testing.FakeClock;
import java.sql.SQLException;

/** Stores of a test class in one schema of the running server, with one pool. */
public final class TestStores implements AutoCloseable {
  private final String schema = PostgresServer.newSchema();
  private final HikariDataSource pool = PostgresServer.running().pool();

  /** Deletes what the schema has; no handle may be open. */
  public void clear() {
    try {
      PostgresServer.running().execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Opens a handle. */
  public Engine open(FakeClock clock) {
    return PostgresEngine.open(pool, PostgresOptions.defaults().schema(schema).clock(clock));
  }

  @Override
  public void close() {
    clear();
    pool.close();
  }
}
