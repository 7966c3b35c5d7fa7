package io.rockpool.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.rockpool.Rockpool;
import io.rockpool.testing.RoundTripCalls;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;

/** What docs/round-trips.md lists for PostgreSQL are the statements of the calling thread. */
@Needs(Tool.POSTGRESQL)
final class PostgresRoundTripsTest {
  private final String schema = PostgresServer.newSchema();
  private final PostgresServer server = PostgresServer.running();

  @Test
  void thePageListsWhatCallsNeed() throws Exception {
    try (HikariDataSource source = server.pool()) {
      CountingSource counted = new CountingSource(source);
      try (Rockpool pool =
          Rockpool.at(
                  o ->
                      PostgresEngine.open(
                          counted.source(), PostgresOptions.defaults().schema(schema)))
              .open()) {
        RoundTripCalls calls = new RoundTripCalls(pool, counted::roundTrips);
        calls.caches();
        calls.tags();
        calls.collections();
        calls.check("PostgreSQL");
      }
    }
    server.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }
}
