package io.rockpool.compatibility.machines;

import java.io.IOException;
import java.net.URI;
import java.util.Random;

/** A PostgreSQL server with a synchronous standby: no failover loses what was acknowledged. */
final class PostgresPair extends FaultyPair<FaultyPostgres> {
  private final URI uri;
  private FaultyPostgres primary;
  private FaultyPostgres standby;

  /** Starts both; ends the test as not applicable if there is no PostgreSQL. */
  PostgresPair() throws IOException, InterruptedException {
    super(false);
    primary = FaultyPostgres.create();
    standby = FaultyPostgres.standbyOf(primary);
    uri =
        URI.create(
            "postgresql://rockpool@127.0.0.1:%d,127.0.0.1:%d/postgres?schema=machines"
                    .formatted(primary.port(), standby.port())
                + "&targetServerType=primary&hostRecheckSeconds=1&connectTimeout=2");
  }

  @Override
  public int port() {
    return primary.port();
  }

  @Override
  public URI uri(int at) {
    return uri;
  }

  @Override
  Roles<FaultyPostgres> roles(Random random) {
    return new Roles<>(primary, standby);
  }

  @Override
  long epoch() {
    return 0;
  }

  @Override
  void promote(Roles<FaultyPostgres> roles) throws IOException {
    roles.standby().promote();
  }

  @Override
  void part(Roles<FaultyPostgres> roles) {
    roles.primary().execute("SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
  }

  @Override
  void switchOver(Roles<FaultyPostgres> roles) throws IOException {
    roles.primary().shutDown();
    promote(roles);
  }

  @Override
  boolean isSwitchoverLossy() {
    return false;
  }

  /** An old primary would still answer reads, so a manager of failovers ends it. */
  @Override
  void fence(FaultyPostgres stopped) {
    stopped.kill();
  }

  @Override
  void rejoin(Roles<FaultyPostgres> roles) throws IOException, InterruptedException {
    primary = roles.standby();
    standby = roles.primary();
    standby.follow(primary);
  }

  @Override
  public void close() throws IOException {
    standby.close();
    primary.close();
  }
}
