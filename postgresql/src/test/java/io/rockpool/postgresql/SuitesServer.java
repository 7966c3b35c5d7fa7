package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.engine.Engine;
import io.rockpool.testing.TestServer;
import java.time.InstantSource;
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
  public Function<InstantSource, Engine> newStore() {
    PostgresOptions options = PostgresOptions.defaults().schema(PostgresServer.newSchema());
    return clock ->
        PostgresEngine.open(
            pool(), clock == InstantSource.system() ? options : options.clock(clock));
  }
}
