package io.rockpool.redis;

import io.rockpool.testing.tools.Processes;
import io.rockpool.testing.tools.RedisClusters;
import io.rockpool.testing.tools.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A server of Redis on a free port of loopback. The test that starts it closes it. */
final class RedisServer implements AutoCloseable {
  private static final int SILENCE_MILLIS = 700;
  private static final int FAILOVER_MILLIS = 3_000;

  private final RedisProcess server;

  private RedisServer(RedisProcess server) {
    this.server = server;
  }

  /** Starts a server that keeps nothing. */
  static RedisServer start(String... options) throws IOException {
    return new RedisServer(RedisProcess.start(options));
  }

  /** Starts a replica of this server. */
  RedisServer startReplica() throws IOException {
    return startReplica(port());
  }

  /** Starts a replica that reaches this server at another port. */
  RedisServer startReplica(int at) throws IOException {
    RedisServer replica =
        start("--replicaof", "127.0.0.1 " + at, "--repl-diskless-sync-delay", "0");
    RedisClusters.awaitData(replica.server);
    return replica;
  }

  /** Starts a sentinel that promotes a replica of this server soon after it stops to answer. */
  RedisServer startSentinel(String name) throws IOException {
    return new RedisServer(
        RedisProcess.startSentinel(name, port(), SILENCE_MILLIS, FAILOVER_MILLIS));
  }

  static void awaitAnswer(BooleanSupplier answered) {
    Processes.await("the servers are ready", answered);
  }

  /** A free port; the one that is 10,000 higher exists too, for the members of a cluster. */
  static int freePort() throws IOException {
    return Processes.freePort();
  }

  /** Makes a cluster of servers that were started with {@code --cluster-enabled yes}. */
  static void join(List<RedisServer> masters) {
    join(masters, 0);
  }

  /** Makes a cluster whose masters have replicas. */
  static void join(List<RedisServer> members, int replicas) {
    RedisClusters.create(members.stream().map(member -> member.server).toList(), replicas);
  }

  /** Makes this server a master of a cluster, without slots. */
  void joinAsMaster(List<RedisServer> members) {
    RedisClusters.add(server, members.stream().map(member -> member.server).toList());
  }

  /** Moves slots from this server to another one, while clients use them. */
  void moveSlots(RedisServer to, List<RedisServer> masters, int count) {
    RedisClusters.reshard(
        server, to.server, masters.stream().map(member -> member.server).toList(), count);
  }

  int port() {
    return server.port();
  }

  long pid() {
    return server.pid();
  }

  URI uri(String query) {
    return URI.create("redis://127.0.0.1:" + port() + query);
  }

  /** Kills the server, whose data is lost. */
  void kill() {
    server.kill();
  }

  /** Sends the process a signal, such as STOP. */
  void signal(String name) {
    server.signal(name);
  }

  /** Starts it again, empty, on the same port. */
  void restart() throws IOException {
    server.restart();
  }

  /** Runs a command, as redis-cli would. */
  String command(String... words) {
    return server.command(words);
  }

  /** Removes all keys. */
  void empty() {
    server.empty();
  }

  @Override
  public void close() {
    server.close();
  }
}
