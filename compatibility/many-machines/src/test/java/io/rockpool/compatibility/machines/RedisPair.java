package io.rockpool.compatibility.machines;

import io.rockpool.testing.tools.Processes;
import java.io.IOException;
import java.net.URI;
import java.util.Random;

/** A Redis master with a replica, and a sentinel that promotes it. */
final class RedisPair extends FaultyPair<FaultyRedis> {
  private static final String NAME = "shop";

  private final FaultyRedis sentinel;
  private FaultyRedis master;
  private FaultyRedis replica;

  /**
   * Starts the servers.
   *
   * @param options those of master and replica
   */
  RedisPair(String... options) throws IOException {
    super(true);
    master = FaultyRedis.start(options);
    replica = FaultyRedis.start(options);
    replica.follow(master);
    sentinel = FaultyRedis.startSentinel(NAME, master);
    awaitSentinel();
  }

  private void awaitSentinel() throws IOException {
    Processes.await(
        "the sentinel knows the replica",
        () -> {
          String replicas = sentinel.run("SENTINEL", "REPLICAS", NAME);
          return replicas.contains("\n" + replica.port() + "\n")
              && replicas.contains("\nmaster-link-status\nok\n")
              && !replicas.contains("s_down")
              && !replicas.contains("disconnected");
        });
  }

  @Override
  public int port() {
    return master.port();
  }

  @Override
  public URI uri(int at) {
    return URI.create("redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=" + NAME);
  }

  @Override
  Roles<FaultyRedis> roles(Random random) {
    return new Roles<>(master, replica);
  }

  @Override
  long epoch() {
    return Long.parseLong(
        FaultyRedis.after(sentinel.run("SENTINEL", "MASTER", NAME), "config-epoch\n"));
  }

  @Override
  void promote(Roles<FaultyRedis> roles) throws IOException {
    Processes.await("the replica is promoted", roles.standby()::isMaster);
    Processes.await(
        "the sentinel says so", () -> namedMaster().endsWith("\n" + roles.standby().port()));
  }

  @Override
  void part(Roles<FaultyRedis> roles) {
    String unused = roles.primary().run("CLIENT", "KILL", "TYPE", "replica");
  }

  @Override
  void switchOver(Roles<FaultyRedis> roles) throws IOException, InterruptedException {
    Processes.await(
        "the sentinel replaces the master",
        () -> sentinel.run("SENTINEL", "FAILOVER", NAME).equals("OK"));
    promote(roles);
    // The sentinel would demote the old master after ten seconds. The processes have left it then.
    FaultyServer.rest(BOTH_MILLIS);
    roles.primary().follow(roles.standby());
  }

  /** The old master acknowledges until the processes have left it. */
  @Override
  boolean isSwitchoverLossy() {
    return true;
  }

  /** It takes itself for the master until the sentinel corrects it. */
  @Override
  void fence(FaultyRedis stopped) {
    stopped.signal("CONT");
  }

  @Override
  void rejoin(Roles<FaultyRedis> roles) throws IOException {
    if (!roles.primary().answers()) {
      roles.primary().start();
    }
    boolean isStandby = namedMaster().endsWith("\n" + roles.standby().port());
    master = isStandby ? roles.standby() : roles.primary();
    replica = isStandby ? roles.primary() : roles.standby();
    replica.follow(master);
    awaitSentinel();
  }

  private String namedMaster() {
    return sentinel.run("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
  }

  @Override
  public void close() throws IOException {
    sentinel.close();
    replica.close();
    master.close();
  }
}
