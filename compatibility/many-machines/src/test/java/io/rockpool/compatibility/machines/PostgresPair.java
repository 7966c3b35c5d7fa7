package io.rockpool.compatibility.machines;

import io.rockpool.testing.tools.PostgresStandbys;
import io.rockpool.testing.tools.Processes;
import java.io.IOException;
import java.net.URI;
import java.util.Random;

/** A PostgreSQL server with a synchronous standby: no failover loses what was acknowledged. */
final class PostgresPair extends FaultyPair<FaultyPostgres> {
  private final URI uri;
  private FaultyPostgres primary;
  private FaultyPostgres standby;

  /** Starts both. */
  PostgresPair() throws IOException {
    super(false);
    primary = FaultyPostgres.create();
    standby = new FaultyPostgres(PostgresStandbys.start(primary.process()));
    awaitSynchronous();
    uri =
        URI.create(
            "postgresql://rockpool@127.0.0.1:%s,127.0.0.1:%s/postgres?schema=machines"
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
    PostgresStandbys.follow(standby.process(), primary.process());
    awaitSynchronous();
  }

  /** Waits until the standby has each write before it is acknowledged. */
  private void awaitSynchronous() {
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("SELECT pg_reload_conf()");
    Processes.await(
        "the standby is synchronous",
        () -> "sync".equals(primary.text("SELECT sync_state FROM pg_stat_replication")));
  }

  @Override
  public void close() throws IOException {
    standby.close();
    primary.close();
  }
}
