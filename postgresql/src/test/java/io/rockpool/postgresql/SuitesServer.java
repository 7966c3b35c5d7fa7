package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Engine;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.TestServer;
import java.util.function.Function;

/** Runs the suites of the core on PostgreSQL: each store is a schema of its own. */
public final class SuitesServer implements TestServer {
  private static HikariDataSource pool;

  /** As the service loader makes one. */
  public SuitesServer() {}

  private static synchronized HikariDataSource pool() {
    if (pool == null) {
      pool = PostgresServer.running().pool();
    }
    return pool;
  }

  @Override
  public Function<FakeClock, Engine> newStore() {
    PostgresOptions options = PostgresOptions.defaults().schema(PostgresServer.newSchema());
    return clock -> PostgresEngine.open(pool(), options.clock(clock));
  }
}
