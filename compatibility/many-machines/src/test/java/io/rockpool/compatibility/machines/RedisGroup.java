package io.rockpool.compatibility.machines;

import io.rockpool.testing.tools.Processes;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A cluster of three Redis masters with a replica each. */
final class RedisGroup extends FaultyPair<FaultyRedis> {
  private static final int MEMBERS = 6;

  private final List<FaultyRedis> members = new ArrayList<>();

  /** Starts the servers. */
  RedisGroup() throws IOException {
    super(true);
    for (int i = 0; i < MEMBERS; i++) {
      FaultyRedis member =
          FaultyRedis.start(
              "--cluster-enabled",
              "yes",
              "--cluster-node-timeout",
              "1000",
              "--cluster-port",
              "" + Processes.freePort(),
              "--repl-diskless-sync-delay",
              "0");
      members.add(member);
    }
    FaultyRedis.join(members);
    awaitAll();
  }

  private void awaitAll() throws IOException {
    for (FaultyRedis member : members) {
      Processes.await(
          "the cluster is there",
          () ->
              member.run("CLUSTER", "INFO").contains("cluster_state:ok")
                  && !member.run("CLUSTER", "NODES").contains("fail"));
      if (!member.isMaster()) {
        member.awaitData();
      }
    }
  }

  @Override
  public int port() {
    return members.get(0).port();
  }

  /** Names three: one of them may be away when a process starts. */
  @Override
  public URI uri(int at) {
    return URI.create(
        "redis://127.0.0.1:%s,127.0.0.1:%s,127.0.0.1:%s?cluster=true"
            .formatted(members.get(0).port(), members.get(1).port(), members.get(2).port()));
  }

  @Override
  Roles<FaultyRedis> roles(Random random) {
    List<FaultyRedis> masters = members.stream().filter(FaultyRedis::isMaster).toList();
    FaultyRedis master = masters.get(random.nextInt(masters.size()));
    FaultyRedis replica =
        members.stream()
            .filter(member -> member.info().contains("master_port:" + master.port()))
            .findFirst()
            .orElseThrow();
    return new Roles<>(master, replica);
  }

  /** The epoch of the one that knows the newest: it may have been away. */
  @Override
  long epoch() {
    return members.stream()
        .filter(FaultyRedis::answers)
        .mapToLong(
            member ->
                Long.parseLong(
                    FaultyRedis.after(member.run("CLUSTER", "INFO"), "cluster_current_epoch:")))
        .max()
        .orElse(0);
  }

  @Override
  void promote(Roles<FaultyRedis> roles) throws IOException {
    Processes.await("the replica is promoted", roles.standby()::isMaster);
  }

  @Override
  void part(Roles<FaultyRedis> roles) {
    String unused = roles.primary().run("CLIENT", "KILL", "TYPE", "replica");
  }

  @Override
  void switchOver(Roles<FaultyRedis> roles) throws IOException {
    Processes.await(
        "the replica replaces its master",
        () -> roles.standby().run("CLUSTER", "FAILOVER").equals("OK"));
    promote(roles);
    Processes.await("the master is a replica", () -> !roles.primary().isMaster());
  }

  /** The master waits until the replica has everything. */
  @Override
  boolean isSwitchoverLossy() {
    return false;
  }

  @Override
  void fence(FaultyRedis stopped) {
    stopped.signal("CONT");
  }

  @Override
  void rejoin(Roles<FaultyRedis> roles) throws IOException {
    if (!roles.primary().answers()) {
      roles.primary().start();
    }
    awaitAll();
  }

  @Override
  public void close() throws IOException {
    for (FaultyRedis member : members) {
      member.close();
    }
  }
}
