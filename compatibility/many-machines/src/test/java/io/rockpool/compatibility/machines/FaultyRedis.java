package io.rockpool.compatibility.machines;

import io.rockpool.testing.tools.Processes;
import io.rockpool.testing.tools.RedisClusters;
import io.rockpool.testing.tools.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A Redis server that keeps what it is told to keep. */
final class FaultyRedis extends FaultyServer {
  private static final int SILENCE_MILLIS = 1_500;
  private static final int FAILOVER_MILLIS = 1_000;

  private final RedisProcess server;

  /** Whether it may lose acknowledged writes when it is killed. */
  private final boolean isLossy;

  private FaultyRedis(RedisProcess server, boolean isLossy) {
    this.server = server;
    this.isLossy = isLossy;
  }

  /** Starts a server. */
  static FaultyRedis start(String... options) throws IOException {
    return new FaultyRedis(RedisProcess.start(options), false);
  }

  /** Starts a server that may lose its last writes when it is killed. */
  static FaultyRedis startLossy(String... options) throws IOException {
    return new FaultyRedis(RedisProcess.start(options), true);
  }

  /**
   * Starts a sentinel of a master, which promotes a replica when the master was silent for 1.5 s.
   *
   * @param name the master's name
   */
  static FaultyRedis startSentinel(String name, FaultyRedis master) throws IOException {
    return new FaultyRedis(
        RedisProcess.startSentinel(name, master.port(), SILENCE_MILLIS, FAILOVER_MILLIS), false);
  }

  /** Makes a cluster of servers, of which each master has a replica. */
  static void join(List<FaultyRedis> members) {
    RedisClusters.create(members.stream().map(member -> member.server).toList(), 1);
  }

  /** Makes it a replica, and waits until it has the master's data. */
  void follow(FaultyRedis master) {
    Processes.await(
        "it is a replica",
        () -> run("REPLICAOF", "127.0.0.1", "" + master.port()).startsWith("OK"));
    awaitData();
  }

  void awaitData() {
    RedisClusters.awaitData(server);
  }

  boolean isMaster() {
    return info().contains("role:master");
  }

  String info() {
    return run("INFO", "replication");
  }

  @Override
  public URI uri(int at) {
    return URI.create("redis://127.0.0.1:" + at);
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  List<ProcessHandle> processes() {
    return server.processes();
  }

  @Override
  void start() throws IOException {
    server.restart();
  }

  @Override
  void kill() {
    server.kill();
  }

  @Override
  public void close() {
    server.close();
  }

  /** Whether the server answers. */
  boolean answers() {
    return run("PING").equals("PONG");
  }

  /** The line of an answer that follows a text. */
  static String after(String answer, String text) {
    return answer.substring(answer.indexOf(text) + text.length()).lines().findFirst().orElse("");
  }

  @Override
  public @Nullable Loss fail(ServerFault fault, Random random)
      throws IOException, InterruptedException {
    long from = System.nanoTime();
    Loss none = super.fail(fault, random);
    long now = System.nanoTime();
    return isLossy ? new Loss(from, now, now) : none;
  }

  @Override
  void endFeeds() {
    String unused = run("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  }

  /** Runs a command, as redis-cli would. */
  String run(String... words) {
    return server.command(words);
  }
}
